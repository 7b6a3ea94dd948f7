"""People follow each other, post rich text with pictures, and like, mark and share what others posted."""

import re
from concurrent.futures import ThreadPoolExecutor
from xml.etree import ElementTree

import pytest

from api import Api, content, new_id, problem
from waiting import wait_until

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c63486870f80f000484022002"
    "a48be50000000049454e44ae426082")
ELEMENTS = {"p", "h1", "h2", "h3", "blockquote", "ul", "ol", "li", "pre", "strong", "em", "u", "s", "code", "a", "br"}


@pytest.fixture
def author(new_account):
    return new_account()


@pytest.fixture
def reader(new_account, author):
    reader = new_account()
    follow(reader, author)
    return reader


@pytest.fixture(scope="module")
def writer(shared_server):
    api = Api(shared_server.url).register(f"{new_id()}@example.org")
    yield api
    api.close()


def preview(api):
    """Somebody beside something of hers."""
    you = api.call("GET", "/v1/users/me", expect=200).json()
    assert (you["id"], you["name"], you["isYou"]) == (api.user["id"], api.user["displayName"], True)
    return {name: you[name] for name in ("id", "name", "handle", "profileImageThumbnailUrl")}


def follow(reader, author, method="PUT"):
    reader.call(method, f"/v1/users/{author.user['id']}/follow", expect=204)


def try_post(api, text="<p>kind</p>", **more):
    return api.call("POST", "/v1/posts", json={"requestId": new_id(), "content": text, **more})


def posted(api, text="<p>kind</p>", **more):
    response = try_post(api, text, **more)
    assert response.status_code == 201, response.text
    return int(response.headers["location"].removeprefix("/v1/posts/"))


def read(api, post):
    return api.call("GET", f"/v1/posts/{post}", expect=200).json()["post"]


def act(api, post, kind):
    """Answers the post as `api` sees it then."""
    body = {"requestId": new_id(), "type": kind}
    return api.call("POST", f"/v1/posts/{post}/interactions", json=body, expect=201).json()


def page(api, path="/v1/feed", **query):
    return api.call("GET", path, params=query, expect=200).json()


def posts_of(author):
    return f"/v1/users/{author.user['id']}/posts"


def ids(api, path="/v1/feed", **query):
    return [entry["postId"] for entry in page(api, path, **query)["feed"]]


def pages(api, path="/v1/feed", between=lambda last: None):
    """The ids of all pages, of three at most each; `between` hears the last of each."""
    found, after = [], {}
    while True:
        answer = page(api, path, limit=3, **after)
        assert len(answer["feed"]) <= 3 == answer["paging"]["limit"]
        found += [entry["postId"] for entry in answer["feed"]]
        if not answer["paging"].get("next"):
            return found
        after = {"after": answer["paging"]["next"]}
        between(found[-1])


def test_a_feed_has_ones_own_posts_and_those_of_whom_one_follows(reader, author, new_account):
    stranger = new_account()
    follow(author, stranger)
    own, followed, others = posted(reader), posted(author), posted(stranger)
    assert ids(reader) == [followed, own] and ids(stranger) == [others]
    assert ids(author) == [others, followed], "following goes one way"


def test_a_post_says_all_that_is_shown_of_it(reader, author, api):
    post = posted(author)
    [entry], detail = page(reader)["feed"], read(api, post)
    created = entry.pop("createdAt")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", created) and detail.pop("createdAt") == created
    same = {"postId": post, "author": preview(author), **dict.fromkeys(("liked", "bookmarked"), False),
            "likeCount": 0, "shareCount": 0, "commentCount": 0,
            "audience": {"kind": "everyone"}, "shared": False, "version": 1}
    assert entry == {**same, "entryId": post, "contentSummary": "<p>kind</p>", "isCut": False, "attachmentCount": 0}
    assert detail == {**same, "content": "<p>kind</p>", "attachments": []}


def test_pages_have_no_gap_and_no_repeat_while_posts_are_made_and_deleted(reader, author):
    made = [posted(who) for who in (author, reader) * 4][::-1]
    assert pages(reader, between=lambda _: (posted(author), posted(reader))) == made
    made = ids(reader, posts_of(author))
    assert pages(reader, posts_of(author), lambda last: (
        posted(author), author.call("DELETE", f"/v1/posts/{last}", expect=204))) == made


@pytest.mark.parametrize("query, code", [
    *[({"after": after}, "page_invalid") for after in ("made-up", "AAAA", "0", "9223372036854775807", "'; --", "💾")],
    *[({"limit": limit}, "invalid_parameter") for limit in ("0", "101", "-1", "1.5", "x", "9223372036854775808")]])
def test_a_made_up_cursor_and_a_limit_out_of_bounds_are_refused(untouched, query, code):
    for path in ("/v1/feed", posts_of(untouched)):
        problem(untouched.call("GET", path, params=query), 400, code)


def test_a_page_has_1_to_100_posts_and_30_where_nobody_says(api):
    made = [posted(api) for _ in range(31)][::-1]
    assert ids(api) == made[:30] and page(api)["paging"]["limit"] == 30
    assert ids(api, limit=1) == made[:1] and ids(api, limit=100) == made


def test_a_text_of_more_than_280_characters_is_cut_at_a_word_for_the_list(author):
    text = " ".join(f"word{number}" for number in range(200))
    posted(author, f"<p>{'a' * 280}</p>")
    posted(author, f"<p><strong>{text}</strong></p>")
    cut, whole = page(author)["feed"]
    kept = shown(cut["contentSummary"]).removesuffix("…").rstrip()
    assert cut["isCut"] is True and "…" in cut["contentSummary"] and len(kept) <= 280 and text.startswith(kept + " ")
    assert whole["isCut"] is False and whole["contentSummary"] == f"<p>{'a' * 280}</p>"


def test_the_same_request_id_makes_one_post(api):
    body = {"requestId": new_id(), "content": "<p>once</p>"}
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: api.call("POST", "/v1/posts", json=body, expect=201), range(8)))
    assert all(answer.content == b"" and answer.headers["bothy-cursor"] for answer in answers)
    problem(api.call("POST", "/v1/posts", json={**body, "content": "other"}), 422, "idempotency_mismatch")
    assert len({answer.headers["location"] for answer in answers}) == 1 == len(ids(api))


def test_only_who_wrote_a_post_deletes_it_and_it_is_gone_everywhere(reader, author, new_account):
    distant, post = new_account(), posted(author)
    follow(distant, reader)
    act(reader, post, "SHARED")
    problem(reader.call("DELETE", f"/v1/posts/{post}"), 403, "not_yours")
    assert ids(author) == ids(distant) == [post]
    assert author.call("DELETE", f"/v1/posts/{post}", expect=204).content == b""
    assert ids(author) == ids(reader) == ids(distant) == ids(reader, posts_of(author)) == []
    for method, path, body in on_post(post):
        problem(author.call(method, path, json=body), 404, "not_found")


@pytest.mark.parametrize("text", [
    "", " \n\t", "<p></p>", "<p><br></p>", "<script>evil()</script>", "<!-- evil -->", "<img src=x>", "<div><ul><li>"])
def test_a_post_without_any_text_is_refused(untouched, text):
    problem(try_post(untouched, text), 400, "invalid_parameter")
    assert ids(untouched) == []


@pytest.mark.parametrize("text", ["a" * 10_000, "é" * 10_000, "👩‍👩‍👧" * 2_000], ids=["ascii", "two bytes each", "families"])
def test_a_text_has_at_most_10_000_characters_and_64_kib(api, text):
    assert shown(read(api, posted(api, text))["content"]) == text
    problem(try_post(api, text * 4 + text[0]), 400, "invalid_parameter")
    if "\u200d" not in text:
        problem(try_post(api, text + text[0]), 400, "invalid_parameter")


def test_a_text_that_would_be_written_in_megabytes_is_refused(api):
    """Each run of words has its link: where the marks in a long one turn on and off, few bytes become many."""
    link = f'<a href="https://example.org/{"x" * 1_900}">'
    many, post = f"{link}{'a<b>b</b>' * 1_000}</a>", posted(api)
    problem(try_post(api, many), 400, "invalid_parameter")
    problem(api.call("POST", f"/v1/posts/{post}/comments", json={"requestId": new_id(), "content": many}), 400, "invalid_parameter")
    problem(api.call("PUT", "/v1/drafts/7", json={"content": many}), 400, "invalid_parameter")
    problem(api.call("PATCH", f"/v1/posts/{post}", json={"baseVersion": 1, "content": many}), 400, "invalid_parameter")
    assert ids(api) == [post] and read(api, post)["content"] == "<p>kind</p>"
    assert shown(read(api, posted(api, f"{link}{'a<b>b</b>' * 40}</a>"))["content"]) == "ab" * 40


def shown(html):
    """The words of what was stored, which is well-formed and has no element, attribute or address but those allowed."""
    assert not re.search(r"<[!?]", html), html
    root = ElementTree.fromstring(f"<post>{html.replace('<br>', '<br/>')}</post>")
    for element in [element for child in root for element in child.iter()]:
        assert element.tag in ELEMENTS, html
        if element.tag == "a" and element.attrib.get("class") in ("mention", "hashtag"):
            where = {"mention": r"/people/[0-9]+", "hashtag": r"/feed/tags/[0-9A-Za-z_%]+"}[element.attrib.pop("class")]
            assert re.fullmatch(where, element.attrib.pop("href")), html
        elif element.tag == "a":
            assert element.attrib.pop("rel") == "nofollow noopener noreferrer ugc", html
            assert re.match("(https?|mailto):", element.attrib.pop("href")) and not element.findall(".//a"), html
        assert not element.attrib, html
    return "".join(root.itertext())


def stored(api, html):
    """What became of it: harmless, in the list too, and the same when it is posted again."""
    post = posted(api, html)
    kept = read(api, post)["content"]
    [entry] = page(api, posts_of(api), limit=1)["feed"]
    assert entry["postId"] == post and shown(entry["contentSummary"]).strip("…") in shown(kept)
    assert read(api, posted(api, kept))["content"] == kept
    return kept


@pytest.mark.parametrize("html", [
    "kind<script>evil()</script>", "<SCRIPT SRC=//evil.example></SCRIPT>kind", "<script>evil()</script evil>kind",
    "kind<script>evil()", "<b><script>evil()</b></script>kind", "<p title='</p><script>evil()</script>'>kind</p>",
    "<style>p{background:url(evil)}</style>kind", "kind<style>evil", "<iframe src=//evil.example>evil</iframe>kind",
    "<svg onload=evil()><script>evil()</script></svg>kind", '<svg><a href="https://evil.example">evil</a></svg>kind',
    '<svg></p><style><a id="</style><img src=x onerror=evil()>"></svg>kind', "<template><p>evil</p></template>kind",
    '<math><mi href="javascript:evil()">evil</mi></math>kind', "<title>evil</title>kind", "<p/onclick=evil()>kind",
    "<textarea>evil</textarea>kind", '<noscript><p title="</noscript><img src=x onerror=evil()>">kind',
    '<p onclick="evil()" style="evil" class="evil" id="evil">kind</p>', "<p\fONCLICK=evil()>kind", "<evil>kind</evil>",
    "<img src=x onerror=evil()>kind", "<img src=x\nonerror=evil()\n>kind", '<base href="evil">kind',
    '<form action="evil"><input value="evil">kind</form>', '<meta http-equiv=refresh content="0;url=evil">kind',
    "<link rel=stylesheet href=evil>kind", "<embed src=evil>kind", "ki<blink evil>nd</blink>", "<!-- evil -->kind",
    '<a href="https://example.org/" onclick="evil()" target="evil" style="evil">kind</a>', "kind<!-- evil",
    '<a href="javascript:evil()" href="https://example.org">kind</a>', "<!-- <script>evil()</script> -->kind",
    "<![CDATA[evil]]>kind", "<?evil?>kind", "<!DOCTYPE evil>kind", "\0<script>evil()</script>kind\0",
    "kind<p \0evil>\x1b\x07\x08\x7f"])
def test_what_acts_is_dropped_and_the_text_stays(writer, html):
    kept = stored(writer, html)
    assert "kind" in shown(kept) and "evil" not in kept and not re.search(r"[\0\x07\x08\x1b\x7f]", kept)


@pytest.mark.parametrize("address", [
    "javascript:evil()", "JaVaScRiPt:evil()", " javascript:evil()", "java&#115;cript:evil()", "java&#x73;cript:evil()",
    "&#x6a;avascript&colon;evil()", "&#106avascript:evil()", "java\tscript:evil()", "java\nscript:evil()",
    "java\r\nscript:evil()", "java&#9;script:evil()", "java&Tab;script:evil()", "java&NewLine;script:evil()",
    "\x01javascript:evil()", "java\0script:evil()", "&#1;javascript:evil()", "javascript://example.org/%0aevil()",
    "javascript:evil()//https://example.org", "data:text/html,evil", "DATA:text/html;base64,ZXZp", "da&#116;a:,evil",
    "vbscript:evil", "file:///evil", "view-source:javascript:evil()", "//example.org", "/v1/feed", "#evil", "evil", ""])
def test_a_link_to_anything_but_the_web_and_mail_is_text(writer, address):
    assert stored(writer, f'<p><A HREF="{address}">kind</A></p>') == "<p>kind</p>"


@pytest.mark.parametrize("html", [
    "<p>kind<b><i><a href='https://example.org'>and more", "</p></div></script></b>kind", "kind<", "kind</", "kind<!",
    'kind<img src="x onerror=evil()>', "kind<a href='https://example.org", "<<script>evil()</script>>kind",
    "<scr<script>ipt>evil()</script>kind", "<scr\0ipt>evil()</scr\0ipt>kind", "&amp;lt;script&amp;gt;kind",
    "<![CDATA[<script>evil()</script>]]>kind", "&lt;script&gt;evil()&lt;/script&gt;kind",
    "kind &#60;img src=x onerror=evil()&#62;", "kind &#x3csvg onload=evil()&#x3e",
    "kind < 3 & 4 > 2 \" ' &bogus; &#0; &#xD800; &#x110000;", "<li>kind<ol><td><h1><pre><p>x</ul>",
    "<a href='https://example.org/\"><script>evil()</script>'>kind</a>", "<b>" * 99 + "<ul>" * 99 + "<pre>kind",
    '<a href="https://example.org/&quot;onmouseover=&quot;evil()">kind</a>',
    "<a href='https://example.org'>ki<a href='https://example.com'>nd</a></a>"])
def test_broken_html_becomes_text_that_is_whole(writer, html):
    assert "kind" in shown(stored(writer, html))


@pytest.mark.parametrize("html", [
    "<h1>one</h1><h2>two</h2><h3>three</h3>", "<p>one<br>two</p>", "<ul><li>one</li><li>two</li></ul>",
    "<ol><li>one</li></ol>", "<pre>one\n  two</pre>", "<p><strong>one</strong> and <em>two</em></p>",
    "<ul><li>one<ol><li>two</li></ol></li><li>three</li></ul>", "<p><u>one</u> and <s>two</s></p>", "<pre>\n\none</pre>",
    '<p>one <a href="/feed/tags/h%C3%BCtte" class="hashtag">#Hütte</a></p>', "<p><code>one</code></p>", "<p>1 &lt; 2 &amp; 3</p>", "<p>Grüße, 日本語 💾</p>",
    '<p><a href="https://example.org/a?b=1&amp;c=2" rel="nofollow noopener noreferrer ugc">one</a></p>',
    '<p><a href="http://example.org/" rel="nofollow noopener noreferrer ugc">one</a></p>',
    '<p><a href="mailto:anna@example.org" rel="nofollow noopener noreferrer ugc">one</a></p>'])
def test_what_a_post_may_have_stays_as_it_is(writer, html):
    assert stored(writer, html) == html


def test_what_looks_alike_is_written_in_one_way(writer):
    assert stored(writer, "<p><b>a</b> <i>b</i> <x>c</x></p>") == "<p><strong>a</strong> <em>b</em> c</p>"
    assert stored(writer, "<h4>a</h4><h6>b</h6><div>c</div>") == "<h3>a</h3><h3>b</h3><p>c</p>"


def uploaded(api, data=PIXEL, mime="image/png", name=None):
    return api.put_multipart(
        {"requestId": new_id(), "name": name or new_id(), "mimeType": mime, "parentId": "root"}, data)


def attached(file, kind="image", **more):
    return {"type": kind, "contentUrl": file["downloadUrl"], **more}


def fetched(api, address):
    response = api.call("GET", address, token="", expect=200)
    return response.headers["content-type"], response.content


def test_a_picture_is_readable_by_its_address_alone(reader, author):
    file = uploaded(author)
    unsigned = {"type": "image", "contentUrl": file["downloadUrl"].split("?")[0]}
    post = posted(author, attachments=[attached(file, caption="A <dot>"), unsigned])
    for picture, caption in zip(read(reader, post)["attachments"], ("A <dot>", None), strict=True):
        assert isinstance(picture["id"], int) and (picture["type"], picture.get("caption")) == ("image", caption)
        assert fetched(reader, picture["contentUrl"]) == ("image/png", PIXEL)
        assert fetched(reader, picture["previewImageUrl"])[0] == "image/webp"


def test_a_post_of_pictures_alone_shows_the_first_in_a_list(reader, author):
    posted(author, "<p></p>", attachments=[attached(uploaded(author)), attached(uploaded(author, PIXEL + b"2"))])
    [entry] = page(reader)["feed"]
    shown = entry["attachmentPreviewImageUrl"]
    assert entry["attachmentCount"] == 2 and fetched(reader, shown)[0] == "image/webp"
    assert fetched(reader, shown.replace("&quality=medium", "")) == ("image/png", PIXEL)


def test_what_only_says_that_it_is_a_video_has_no_picture(api):
    post = posted(api, attachments=[attached(uploaded(api, b"film", "video/ogg"), "video")])
    [video] = read(api, post)["attachments"]
    assert video["type"] == "video" and fetched(api, video["contentUrl"]) == ("video/ogg", b"film")
    problem(api.http.get(video["previewImageUrl"]), 422, "no_preview")


@pytest.mark.parametrize("data, mime, kind, words", [
    (b"", "image/jpeg", "image", "is empty"), (b"hi", "image/jpeg", "image", "is not a picture or video"),
    (b"plain words, and some more of them", "image/png", "image", "is not a picture or video"),
    (bytes(range(200, 256)) * 20, "video/quicktime", "video", "is not a picture or video"),
    (PIXEL, "video/mp4", "video", "is not a picture or video")], ids=["empty", "letters", "words", "noise", "another kind"])
def test_what_is_certainly_no_picture_or_video_is_not_posted(api, data, mime, kind, words):
    file = attached(uploaded(api, data, mime, name="beach"), kind)
    told = problem(try_post(api, attachments=[attached(uploaded(api)), file]), 400, "invalid_parameter")
    assert "“beach”" in told["detail"] and words in told["detail"] and "leave it out" in told["detail"]
    post = posted(api)
    edit = api.call("PATCH", f"/v1/posts/{post}", json={"baseVersion": 1, "attachments": [file]})
    problem(edit, 400, "invalid_parameter")
    assert ids(api) == [post] and read(api, post)["attachments"] == []
    # What its first bytes say is believed, whatever it is called.
    posted(api, attachments=[attached(uploaded(api, PIXEL, "image/jpeg"))])


def test_content_that_is_not_of_ones_own_drive_is_refused(api, author):
    theirs = uploaded(author)["downloadUrl"]
    for address in (theirs, theirs.split("?")[0], "", "nonsense", "/v1/content/",
                    "/v1/content/019acb1e-7a3f-7000-8000-000000000000",
                    "https://example.org/picture.png", "file:///etc/passwd", "data:image/png;base64,AAAA"):
        problem(try_post(api, attachments=[{"type": "image", "contentUrl": address}]), 400, "invalid_parameter")
    assert ids(api) == []


@pytest.mark.parametrize("mime, kind", [
    ("text/plain", "image"), ("text/plain", "video"), ("image/png", "video"), ("video/mp4", "image")])
def test_content_of_another_type_than_said_is_refused(api, mime, kind):
    own, other = attached(uploaded(api)), attached(uploaded(api, b"text", mime), kind)
    problem(try_post(api, attachments=[own, other]), 400, "invalid_parameter")
    assert ids(api) == [], "not half a post either"


def test_a_post_has_at_most_20_attachments_and_a_caption_1000_characters(api):
    file, captions = uploaded(api), [f"{number:03}é" * 250 for number in range(21)]
    some = [attached(file, caption=caption) for caption in captions]
    for wrong in (some, [attached(file, caption=captions[0] + "é")]):
        problem(try_post(api, attachments=wrong), 400, "invalid_parameter")
    kept = read(api, posted(api, attachments=some[:20]))["attachments"]
    assert [each["caption"] for each in kept] == captions[:20] and len({each["id"] for each in kept}) == 20
    assert page(api)["feed"][0]["attachmentCount"] == 20


def test_a_post_keeps_the_picture_that_was_there_when_it_was_made(api):
    file = uploaded(api, name="a.png")
    post = posted(api, attachments=[attached(file)])
    api.put_small("a.png", content(1000), conflict="overwrite")
    api.delete(file["id"])
    assert fetched(api, read(api, post)["attachments"][0]["contentUrl"])[1] == PIXEL


def used(api):
    return api.call("GET", "/v1/about", expect=200).json()["quota"]["used"]


def test_a_post_is_whole_though_its_picture_was_deleted_for_good(reader, author):
    before, data = used(author), PIXEL + b"2"
    file = uploaded(author, data)
    post = posted(author, attachments=[attached(file, caption="A dot")])
    author.delete(file["id"], permanent="true")
    wait_until(lambda: author.call("GET", "/v1/storage", expect=200).json().get("posts") == {"count": 1, "bytes": len(data)})
    [entry], [shown] = page(reader)["feed"], read(reader, post)["attachments"]
    assert entry["attachmentCount"] == 1 and shown["caption"] == "A dot"
    for address in (entry["attachmentPreviewImageUrl"].replace("&quality=medium", ""), shown["contentUrl"]):
        assert fetched(reader, address)[1] == PIXEL, "without what follows its end"
    assert used(author) == before + len(data), "it counts to its author's room"
    [exported] = author.call("GET", "/v1/account/export", expect=200).json()["posts"]
    assert fetched(author, exported["attachments"][0]["contentUrl"])[1] == data, "she has it as it was"
    author.call("DELETE", f"/v1/posts/{post}", params={"permanent": "true"}, expect=204)
    assert used(author) == before and author.call("GET", "/v1/storage").json()["posts"]["count"] == 0


def test_what_a_post_keeps_is_edited_and_posted_again_by_its_author_alone(reader, author):
    file = uploaded(author)
    post = posted(author, attachments=[attached(file)])
    author.delete(file["id"], permanent="true")
    wait_until(lambda: author.call("GET", "/v1/storage", expect=200).json()["posts"]["count"] == 1)
    kept = [{"type": "image", "contentUrl": read(author, post)["attachments"][0]["contentUrl"], "caption": "new"}]
    edit = {"requestId": new_id(), "baseVersion": 1, "content": "<p>kinder</p>", "attachments": kept}
    edited = author.call("PATCH", f"/v1/posts/{post}", json=edit, expect=200).json()["post"]
    assert [one["caption"] for one in edited["attachments"]] == ["new"]
    again = posted(author, attachments=kept)
    author.call("DELETE", f"/v1/posts/{post}", params={"permanent": "true"}, expect=204)
    assert fetched(reader, read(reader, again)["attachments"][0]["contentUrl"])[1] == PIXEL
    theirs = [{"type": "image", "contentUrl": read(reader, again)["attachments"][0]["contentUrl"]}]
    problem(try_post(reader, attachments=theirs), 400, "invalid_parameter")


def test_a_like_counts_a_person_once_and_her_last_word_counts(reader, author):
    post, on, off = posted(author), "LIKED", "REMOVED_LIKE"
    for who, kind, count in ((reader, off, 0), (reader, on, 1), (reader, on, 1), (author, on, 2), (reader, off, 1)):
        act(who, post, kind)
        for seen in (page(who)["feed"][0], read(who, post)):
            assert (seen["likeCount"], seen["liked"]) == (count, kind == on)


def test_a_bookmark_is_ones_own(reader, author):
    post = posted(author)
    for kind, marked in (("BOOKMARKED", True), ("REMOVED_BOOKMARK", False)):
        act(reader, post, kind)
        assert read(reader, post)["bookmarked"] is page(reader)["feed"][0]["bookmarked"] is marked
        assert read(author, post)["bookmarked"] is read(reader, post)["liked"] is False


@pytest.mark.parametrize("kind", ["LOVED", "liked", "REMOVED_COMMENT", ""])
def test_another_interaction_is_refused(api, kind):
    problem(api.call("POST", f"/v1/posts/{posted(api)}/interactions", json={"type": kind}), 400, "malformed_request")


def test_what_somebody_shares_comes_to_who_follows_her(reader, author, api):
    shared, own = posted(api), posted(author)
    act(author, shared, "SHARED")
    newest, older = page(reader)["feed"]
    assert (newest["postId"], newest["author"], newest["sharedBy"]) == (shared, preview(api), preview(author))
    assert older["postId"] == own < newest["entryId"] and "sharedBy" not in older
    assert ids(reader, posts_of(author)) == [own], "a share is no post of one's own"


def test_sharing_counts_a_person_once_and_the_post_is_there_once(reader, author, new_account):
    stranger, other = new_account(), new_account()
    follow(reader, other)
    shared, own = posted(stranger), posted(author)
    for who, post in ((author, shared), (author, shared), (other, shared), (other, own)):
        act(who, post, "SHARED")
    assert sorted(ids(reader)) == [shared, own]
    assert (read(reader, shared)["shareCount"], read(reader, own)["shareCount"]) == (2, 1)


def test_following_puts_earlier_posts_at_their_own_places(author, api):
    first, own, last = posted(author), posted(api), posted(author)
    follow(api, author)
    follow(api, author)
    assert ids(api) == [last, own, first]


def test_following_brings_the_newest_100_posts(author, api):
    made = [posted(author) for _ in range(102)]
    follow(api, author)
    assert pages(api) == made[:1:-1]


def test_unfollowing_takes_posts_out_and_following_again_puts_them_back(reader, author):
    own, followed = posted(reader), posted(author)
    follow(reader, author, "DELETE")
    follow(reader, author, "DELETE")
    posted(author)
    assert ids(reader) == [own]
    follow(reader, author)
    assert followed in ids(reader) and len(ids(reader)) == 3


def test_unfollowing_takes_out_what_she_shared_and_nobody_else_brought(reader, author, new_account):
    followed, other = new_account(), new_account()
    hers, own, twice, once = posted(followed), posted(reader), posted(other), posted(other)
    for post in (hers, own, twice, once):
        act(author, post, "SHARED")
    follow(reader, followed)
    act(followed, twice, "SHARED")
    follow(reader, author, "DELETE")
    assert sorted(ids(reader)) == [hers, own, twice]


def test_nobody_follows_herself(api):
    problem(api.call("PUT", f"/v1/users/{api.user['id']}/follow"), 400, "invalid_parameter")


def on_post(post):
    path = f"/v1/posts/{post}"
    return [("GET", path, None), ("DELETE", path, None), ("POST", f"{path}/interactions", {"type": "LIKED"})]


@pytest.mark.parametrize("there_is_none", ["1", "9223372036854775807", "9223372036854775808", "0", "-1", "1.5", "x"])
def test_unknown_people_and_posts_are_not_found(untouched, there_is_none):
    for method, path in (("GET", ""), ("GET", "/posts"), ("PUT", "/follow"), ("DELETE", "/follow")):
        problem(untouched.call(method, f"/v1/users/{there_is_none}{path}"), 404, "not_found")
    for method, path, body in on_post(there_is_none):
        problem(untouched.call(method, path, json=body), 404, "not_found")


@pytest.fixture
def house(server, new_account):
    berta, anna, clara = [new_account(server, f"{name}@example.org") for name in ("berta", "anna", "clara")]
    return anna, berta, clara


def people(api):
    return [person["name"] for person in page(api, "/v1/users")["users"]]


def test_people_are_listed_by_name_with_who_follows_whom(house):
    anna, berta, clara = house
    follow(anna, berta)
    follow(clara, anna)
    said = page(anna, "/v1/users")["users"]
    assert said == [{**preview(who), "following": who is berta, "followsYou": who is clara, "isYou": who is anna}
                    for who in (anna, berta, clara)]
    whole = [anna.call("GET", f"/v1/users/{who.user['id']}", expect=200).json() for who in house]
    assert [one.pop("counts") for one in whole] == [
        {"posts": 0, "followers": followers, "following": followed} for followers, followed in ((1, 1), (1, 0), (0, 1))]
    assert said == whole


def test_people_come_in_pages_and_two_of_one_name_are_both_there(house, server, new_account):
    namesake = new_account(server, "berta@example.net")
    first = page(namesake, "/v1/users", limit=2)
    rest = page(namesake, "/v1/users", limit=2, page=first["pagination"]["next"])
    found = first["users"] + rest["users"]
    assert [who["name"] for who in found] == ["anna", "berta", "berta", "clara"] and len(first["users"]) == 2
    assert len({who["id"] for who in found}) == 4 and "next" not in rest["pagination"]


def test_who_is_disabled_is_not_shown_until_she_is_enabled_again(house, server):
    anna, berta, _ = house
    follow(anna, berta)
    post = posted(berta)
    server.admin("user", "disable", berta.user["email"])
    assert ids(anna) == [] and people(anna) == ["anna", "clara"]
    for path in (f"/v1/posts/{post}", f"/v1/users/{berta.user['id']}"):
        problem(anna.call("GET", path), 404, "not_found")
    server.admin("user", "enable", berta.user["email"])
    assert ids(anna) == [post] == [read(anna, post)["postId"]] and people(anna) == ["anna", "berta", "clara"]


def test_who_is_deleted_is_gone_with_her_posts_and_likes(house, server):
    anna, berta, clara = house
    follow(anna, berta)
    hers, own = posted(berta), posted(anna)
    act(berta, own, "LIKED")
    act(clara, own, "LIKED")
    server.admin("user", "delete", berta.user["email"], "--yes")
    assert ids(anna) == [own] and read(anna, own)["likeCount"] == 1 and people(anna) == ["anna", "clara"]
    for path in (f"/v1/posts/{hers}", f"/v1/users/{berta.user['id']}"):
        problem(anna.call("GET", path), 404, "not_found")
