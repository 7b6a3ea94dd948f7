"""Writing in a browser: marks by keys and buttons, Markdown as one types, a clipboard that brings words and no looks, and what goes up is what is posted."""

import re

import pytest
from playwright.sync_api import expect

from api import new_id
from browser import Person, is_said
from test_web_feed import article, open_feed, post
from web_screens import picture

COMPLAINTS = ("status of 4", "ERR_FAILED")
LINK = 'rel="nofollow noopener noreferrer ugc"'
DOCS = (
    '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><h1 dir="ltr" style="line-height:1.38"><span '
    'style="font-size:20pt;font-weight:400">Title</span></h1><p dir="ltr"><span style="font-weight:700">Bold</span><span '
    'style="font-style:italic"> it</span> <a href="https://x.org/" style="text-decoration:none"><span '
    'style="text-decoration:underline;color:#15c">link</span></a></p><ul><li dir="ltr" style="x"><p role="presentation"><span>one</span></p>'
    '</li><li><p>two</p></li></ul></b><br class="Apple-interchange-newline">')
WORD = (
    "<html xmlns:o='x'><head><style>p{color:red}</style></head><body><!--StartFragment--><p class=MsoNormal><b>Bold<o:p></o:p></b> and <span "
    "style='text-decoration:line-through'>no</span></p><p class=MsoListParagraph style='text-indent:-.25in;mso-list:l0 level1 lfo1'>"
    "<![if !supportLists]><span style='mso-list:Ignore'>·<span>&nbsp; </span></span><![endif]>one</p><p class=MsoListParagraph "
    "style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>1.<span>&nbsp; </span></span>two</p><!--EndFragment--></body></html>")
WEB = '<div class="x" onclick="go()"><span style="color:red">mid <b>x</b></span><img src=x onerror=alert(1)><script>alert(2)</script></div>'


@pytest.fixture
def page(person):
    person.page.goto("/feed/new")
    editor(person.page).wait_for()
    return person.page


def editor(page):
    return page.get_by_label("What would you like to say?")


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def written(page):
    return editor(page).evaluate("editor => editor.bothy.html()")


def paste(page, html="", plain=""):
    editor(page).evaluate(
        """(editor, [html, plain]) => {
            const data = new DataTransfer();
            if (html) data.setData("text/html", html);
            data.setData("text/plain", plain);
            editor.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true })); }""",
        [html, plain])


def publish(page):
    page.get_by_role("button", name="Post", exact=True).click()


def texts(api):
    return [entry["contentSummary"] for entry in api.call("GET", "/v1/feed", expect=200).json()["feed"]]


#: What is typed, `⏎` for Enter and `⟨…⟩` for a key, and what becomes of it.
TYPED = {
    "paragraphs": ("hello  world⏎two", "<p>hello world</p><p>two</p>"),
    "a heading": ("# Walk⏎we", "<h1>Walk</h1><p>we</p>"),
    "a list that ends": ("- a⏎b⏎⏎c", "<ul><li>a</li><li>b</li></ul><p>c</p>"),
    "a numbered list": ("1. a⏎b", "<ol><li>a</li><li>b</li></ol>"),
    "a list with every mark": ("- a⏎- b⏎* c⏎1. d", "<ul><li>a</li><li>b</li><li>c</li><li>1. d</li></ul>"),
    "a numbered list with every number": ("1. a⏎2. b⏎3) c⏎- d", "<ol><li>a</li><li>b</li><li>c</li><li>- d</li></ol>"),
    "a quote that ends": ("> a⏎b⏎⏎c", "<blockquote><p>a</p><p>b</p></blockquote><p>c</p>"),
    "code that ends": ("```a⏎  b⏎⏎c", "<pre>a\n  b</pre><p>c</p>"),
    "marks of Markdown": ("a **b** *c* `d` ~~e~~ f", "<p>a <strong>b</strong> <em>c</em> <code>d</code> <s>e</s> f</p>"),
    "a mark by keys": ("a ⟨Control+b⟩b⟨Control+b⟩ c", "<p>a <strong>b</strong> c</p>"),
    "marks of what is chosen": (
        "one⏎two⟨Control+a⟩⟨Control+b⟩⟨Control+u⟩", "<p><strong><u>one</u></strong></p><p><strong><u>two</u></strong></p>"),
    "a mark that goes in part": (
        "one two⟨Control+a⟩⟨Control+i⟩⟨End⟩⟨Control+Shift+ArrowLeft⟩⟨Control+i⟩", "<p><em>one </em>two</p>"),
    "a line in a paragraph": ("one⟨Shift+Enter⟩two", "<p>one<br>two</p>"),
    "a heading that is joined": ("# Walk⏎we⟨Home⟩⟨Backspace⟩X", "<h1>WalkXwe</h1>"),
    "an entry that is none any more": ("- a⟨Home⟩⟨Backspace⟩", "<p>a</p>"),
    "letters over several blocks": ("- one⏎two⟨Control+a⟩x", "<ul><li>x</li></ul>"),
    "undo": ("one⏎two⟨Control+z⟩", "<p>one</p>"),
    "undo and redo": ("one⟨Control+a⟩⟨Control+b⟩⟨Control+z⟩⟨Control+Shift+z⟩", "<p><strong>one</strong></p>"),
    "undo of Markdown": ("# ⟨Control+z⟩", "<p>#</p>"),
    "a heading by keys": ("one⟨Control+Alt+2⟩", "<h2>one</h2>"),
    "a link": ("see ⟨Control+k⟩example.org/a⏎ now", f'<p>see <a href="https://example.org/a" {LINK}>example.org/a</a> now</p>'),
    "an address": ("at https://x.org/a.", f'<p>at <a href="https://x.org/a" {LINK}>https://x.org/a</a>.</p>'),
    "what would be HTML": ("<b>a</b> & \"b\"", "<p>&lt;b&gt;a&lt;/b&gt; &amp; &quot;b&quot;</p>"),
}


@pytest.mark.parametrize("keys, html", TYPED.values(), ids=TYPED)
def test_what_is_typed_is_what_is_meant(page, keys, html):
    editor(page).click()
    for part in re.split(r"(⏎|⟨[^⟩]+⟩)", keys):
        if part == "⏎":
            press(page, "Enter")
        elif part.startswith("⟨"):
            press(page, part[1:-1])
        else:
            page.keyboard.type(part)
    assert written(page) == html


PASTED = {
    "Docs": (DOCS, "", f'<h1>Title</h1><p><strong>Bold</strong><em> it</em> <a href="https://x.org/" {LINK}>link</a></p>'
                       "<ul><li>one</li><li>two</li></ul>"),
    "Word": (WORD, "", "<p><strong>Bold</strong> and <s>no</s></p><ul><li>one</li></ul><ol><li>two</li></ol>"),
    "the web": (WEB, "", "<p>mid <strong>x</strong></p>"),
    "lists in lists": ("<ul><li>a<ul><li>b</li></ul></li></ul>", "", "<ul><li>a<ul><li>b</li></ul></li></ul>"),
    "Markdown": (
        "", "# Walk\n\nWe went **up**.\n\n- bread\n- [x](javascript:alert(2))\n> q <b>\n```\na  b\n```",
        "<h1>Walk</h1><p>We went <strong>up</strong>.</p><ul><li>bread</li><li>[x](javascript:alert(2))</li></ul>"
        "<blockquote><p>q &lt;b&gt;</p></blockquote><pre>a  b</pre>"),
}


@pytest.mark.parametrize("html, plain, want", PASTED.values(), ids=PASTED)
def test_what_is_pasted_comes_clean_and_is_posted_as_it_is_shown(account, page, html, plain, want):
    """The server changes nothing: what the editor writes is the one spelling of it."""
    editor(page).click()
    paste(page, html, plain)
    assert written(page) == want
    publish(page)
    page.wait_for_url("**/feed")
    assert texts(account) == [want]


def test_buttons_turn_and_say_where_one_is(page):
    editor(page).click()
    page.keyboard.type("one")
    press(page, "Enter")
    page.keyboard.type("two")
    press(page, "Control+a")
    bar = page.get_by_role("toolbar", name="Formatting")
    bullets = bar.get_by_role("button", name="Bullet list")
    bullets.click()
    assert written(page) == "<ul><li>one</li><li>two</li></ul>"
    expect(bullets).to_have_attribute("aria-pressed", "true")
    bar.get_by_role("button", name="Numbered list").click()
    assert written(page) == "<ol><li>one</li><li>two</li></ol>"
    bar.get_by_role("button", name="Numbered list").click()
    assert written(page) == "<p>one</p><p>two</p>"
    expect(bullets).to_have_attribute("aria-pressed", "false")


def test_the_bar_is_one_stop_and_keys_go_along_it(page):
    editor(page).focus()
    press(page, "Shift+Tab")
    expect(page.get_by_role("button", name="Bold")).to_be_focused()
    press(page, "End")
    expect(page.get_by_role("button", name="Redo")).to_be_focused()
    press(page, "Home", "ArrowRight", "Enter")
    expect(page.get_by_role("button", name="Italic")).to_have_attribute("aria-pressed", "true")
    expect(editor(page)).to_be_focused()


def test_control_enter_posts(account, page):
    editor(page).click()
    page.keyboard.type("by key")
    press(page, "Control+Enter")
    page.wait_for_url("**/feed")
    assert texts(account) == ["<p>by key</p>"]


def test_letters_are_counted_as_people_count_them(page):
    editor(page).click()
    page.keyboard.insert_text("a👩‍👩‍👧‍👦é")
    expect(page.locator("#typed-count")).to_have_text("3 characters")


def test_what_is_refused_comes_back_as_it_was_written(page):
    editor(page).click()
    paste(page, "<h2>Kept</h2><p>" + "word " * 14_000 + "</p>")
    expect(page.locator("#typed-count")).to_contain_text("The post is too long")
    publish(page)
    page.get_by_role("alert").filter(has_text="The post is too long").wait_for()


def test_a_comment_is_written_in_the_same_way(person, account, new_account):
    author = new_account()
    account.call("PUT", f"/v1/users/{author.user['id']}/follow", expect=204)
    post(author, "<p>The hut</p>")
    open_feed(person)
    article(person, "The hut").locator("a.when").click()
    field = person.page.get_by_label("Write a comment")
    field.click()
    person.page.keyboard.type("How **much**?")
    press(person.page, "Control+Enter")
    is_said(person.page, "Your comment was sent.")
    assert person.page.locator("article.comment strong").inner_text() == "much"
    person.page.get_by_text("Reply", exact=True).click()
    reply = person.page.locator("article.comment").get_by_role("textbox")
    expect(reply).to_be_focused()
    person.page.keyboard.type("> all")
    press(person.page, "Control+Enter")
    person.page.locator("article.comment.reply blockquote", has_text="all").wait_for()


# ---- Pictures and films


def attached(page):
    return page.locator(".attachment")


def choose(page, *files):
    page.locator("input[data-attach]").set_input_files(
        [{"name": name, "mimeType": mime, "buffer": data} for name, mime, data in files])


def describe(page):
    for number, row in enumerate(attached(page).all()):
        row.get_by_label("Description").fill(f"picture {number}")


def media(api):
    post = api.call("GET", "/v1/feed", expect=200).json()["feed"][0]["postId"]
    return api.call("GET", f"/v1/posts/{post}", expect=200).json()["post"]["attachments"]


def test_what_is_picked_goes_into_the_drive_and_is_posted_in_its_order(account, page):
    choose(page, ("a.png", "image/png", picture(0.1)), ("b.png", "image/png", picture(0.9)), ("c.txt", "text/plain", b"no"))
    expect(page.get_by_text("“c.txt” is not a photo or video.")).to_be_visible()
    expect(attached(page)).to_have_count(2)
    attached(page).nth(0).get_by_role("button", name="Move down").click()
    describe(page)
    editor(page).click()
    page.keyboard.type("two")
    publish(page)
    page.wait_for_url("**/feed")
    names = [name for name in (one["name"] for one in folder(account, "Posts"))]
    assert sorted(names) == ["a.png", "b.png"]
    assert [one["caption"] for one in media(account)] == ["picture 0", "picture 1"]


def folder(api, name):
    root = api.call("GET", "/v1/files", expect=200, params={"parentId": "root"}).json()["files"]
    [found] = [one for one in root if one["name"] == name]
    return api.call("GET", "/v1/files", expect=200, params={"parentId": found["id"]}).json()["files"]


def test_the_same_picture_is_there_once_and_another_of_its_name_beside_it(account, page):
    for data in (picture(0.1), picture(0.1), picture(0.9)):
        page.goto("/feed/new")
        choose(page, ("a.png", "image/png", data))
        describe(page)
        publish(page)
        page.wait_for_url("**/feed")
    assert len(folder(account, "Posts")) == 2
    assert len(texts(account)) == 3


def test_a_picture_without_a_description_is_asked_about_once(account, page):
    choose(page, ("a.png", "image/png", picture(0.1)))
    publish(page)
    page.get_by_role("alert").filter(has_text="1 photo or video has no description").filter(
        has_text="Press Post again to post without a description.").wait_for()
    expect(attached(page).get_by_label("Description")).to_be_focused()
    publish(page)
    page.wait_for_url("**/feed")
    assert len(media(account)) == 1


def test_pictures_without_descriptions_are_asked_about_together(account, page):
    """The sentence ended with «to post without»."""
    choose(page, ("a.png", "image/png", picture(0.1)), ("b.png", "image/png", picture(0.9)))
    publish(page)
    page.get_by_role("alert").filter(has_text="2 photos or videos have no description").filter(
        has_text="Press Post again to post without descriptions.").wait_for()


def test_a_post_waits_for_its_pictures_and_goes_by_itself(account, page):
    held = []
    page.route("**/uploads/batch", lambda route: held.append(route))
    choose(page, ("a.png", "image/png", picture(0.1)))
    describe(page)
    publish(page)
    page.get_by_text("It is posted once everything is uploaded: 0 of 1.").wait_for()
    held[0].continue_()
    page.wait_for_url("**/feed")
    assert len(media(account)) == 1


def test_a_post_that_is_refused_after_its_pictures_went_up_stays_and_is_a_draft(account, page):
    choose(page, ("a.png", "image/png", picture(0.1)), ("b.png", "image/png", picture(0.9)))
    describe(page)
    editor(page).click()
    page.keyboard.insert_text("word " * 2_100)
    publish(page)
    page.get_by_role("alert").filter(has_text="at most 10000 characters").wait_for()
    assert texts(account) == [] and len(folder(account, "Posts")) == 2
    expect(attached(page)).to_have_count(2)
    assert [row.get_by_label("Description").input_value() for row in attached(page).all()] == ["picture 0", "picture 1"]
    editor(page).click()
    press(page, "Control+a")
    page.keyboard.type("short")
    page.get_by_text("Draft saved").wait_for()
    [draft] = account.call("GET", "/v1/drafts", expect=200).json()["drafts"]
    assert (draft["contentSummary"], draft["attachmentCount"]) == ("<p>short</p>", 2)
    page.goto(f"/feed/new?draft={draft['draftId']}")
    expect(attached(page)).to_have_count(2)
    publish(page)
    page.wait_for_url("**/feed")
    assert texts(account) == ["<p>short</p>"] and [one["caption"] for one in media(account)] == ["picture 0", "picture 1"]
    assert len(folder(account, "Posts")) == 2 and account.call("GET", "/v1/drafts").json()["drafts"] == []


def test_a_picture_that_is_taken_out_is_not_posted(account, page):
    choose(page, ("a.png", "image/png", picture(0.1)), ("b.png", "image/png", picture(0.5)))
    attached(page).filter(has_text="a.png").get_by_role("button", name="Remove").click()
    expect(attached(page)).to_have_count(1)
    describe(page)
    publish(page)
    page.wait_for_url("**/feed")
    assert len(media(account)) == 1


def test_what_is_among_ones_files_is_attached_and_no_byte_moves(account, page):
    parent = account.call("POST", "/v1/files", expect=201, json={
        "name": "Hills", "mimeType": "application/vnd.bothy.folder", "parentId": "root"}).json()["id"]
    account.call("POST", "/v1/upload", expect=201, content=picture(0.4), headers={"Content-Type": "image/png"},
                 params={"uploadType": "media", "name": "hill.png", "parentId": parent})
    moved = []
    page.on("request", lambda request: moved.append(request.url) if "/upload" in request.url else None)
    page.get_by_role("button", name="From your files").click()
    dialog = page.get_by_role("dialog", name="From your files")
    dialog.get_by_role("button", name="Hills").click()
    dialog.get_by_role("checkbox", name="hill.png").check()
    dialog.get_by_role("button", name="Attach").click()
    page.locator("#attached .attachment").wait_for()
    describe(page)
    publish(page)
    page.wait_for_url("**/feed")
    assert len(media(account)) == 1 and not [url for url in moved if "batch" in url or "chunk" in url]


def test_what_is_pasted_as_a_picture_is_attached(account, page):
    editor(page).click()
    editor(page).evaluate(
        """(editor, bytes) => {
            const data = new DataTransfer();
            data.items.add(new File([new Uint8Array(bytes)], "image.png", { type: "image/png" }));
            editor.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true })); }""",
        list(picture(0.3)))
    expect(attached(page)).to_have_count(1)


# ---- Who will see it


def test_a_post_to_people_names_them_and_nobody_else_reads_it(account, page, new_account):
    ann, ben = new_account(), new_account()
    # First among those to choose from, of whom there may be many.
    ann.user["displayName"] = f"0 Ann {new_id()}"
    ann.call("PATCH", "/v1/users/me", json={"name": ann.user["displayName"]}, expect=200)
    page.goto("/feed/new")
    expect(page.locator("#seen-by")).to_contain_text("Everybody on this server can read it")
    page.get_by_label("Who can see it").select_option("people")
    expect(page.locator("#seen-by")).to_contain_text("Choose at least one person.")
    page.get_by_role("checkbox", name=ann.user["displayName"]).check()
    expect(page.locator("#seen-by")).to_contain_text(f"Only {ann.user['displayName']} and you can read it.")
    editor(page).click()
    page.keyboard.type("for one")
    publish(page)
    page.wait_for_url("**/feed")
    assert page.locator("article.post .reach").get_attribute("title") == f"Only for {ann.user['displayName']}"
    made = account.call("GET", "/v1/feed").json()["feed"][0]["postId"]
    ann.call("GET", f"/v1/posts/{made}", expect=200)
    ben.call("GET", f"/v1/posts/{made}", expect=404)


def test_people_are_found_by_name_however_many_there_are(account, page, new_account):
    ann, ben = new_account(), new_account()
    names = [f"{name} {new_id()}" for name in ("Zoe", "Zacharias")]
    for who, name in zip((ann, ben), names):
        who.call("PATCH", "/v1/users/me", json={"name": name}, expect=200)
    editor(page).click()
    page.keyboard.type("for two")
    page.get_by_label("Who can see it").select_option("people")
    search = page.get_by_role("searchbox", name="Search people")
    for name in names:
        search.fill(name[:12])
        found = page.get_by_role("checkbox", name=name)
        found.wait_for()
        search.press("Enter")
        expect(found).to_be_checked()
        expect(search).to_have_value("")
    search.fill("nobody of that name")
    page.get_by_text("Nobody by that name").wait_for()
    expect(page.get_by_role("checkbox", name=names[0])).to_be_visible()  # who is chosen stays in sight
    publish(page)
    page.wait_for_url("**/feed")
    made = account.call("GET", "/v1/feed").json()["feed"][0]["postId"]
    for who in (ann, ben):
        who.call("GET", f"/v1/posts/{made}", expect=200)


def test_without_scripts_people_are_found_and_nothing_is_posted_meanwhile(browser, account, new_account):
    ann = new_account()
    name = f"Zenobia {new_id()}"
    ann.call("PATCH", "/v1/users/me", json={"name": name}, expect=200)
    someone = Person(browser, account.url, scripts=False)
    someone.sign_in(account.email)
    someone.page.wait_for_url(account.url + "/")
    someone.page.goto("/feed/new")
    someone.page.get_by_label("What would you like to say?").fill("for one")
    someone.page.get_by_label("Who can see it").select_option("people")
    search = someone.page.get_by_role("searchbox", name="Search people")
    search.fill(name[:14])
    search.press("Enter")
    someone.page.get_by_role("checkbox", name=name).check()
    assert someone.page.get_by_label("What would you like to say?").input_value() == "for one" and texts(account) == []
    search.fill("nobody of that name")
    someone.page.locator("noscript button[value=people]").click()
    someone.page.get_by_text("Nobody by that name").wait_for()
    expect(someone.page.get_by_role("checkbox", name=name)).to_be_checked()
    search.fill("")
    publish(someone.page)
    someone.page.wait_for_url("**/feed")
    made = account.call("GET", "/v1/feed").json()["feed"][0]["postId"]
    ann.call("GET", f"/v1/posts/{made}", expect=200)
    someone.close()


def test_a_post_to_nobody_is_refused_and_stays(account, page):
    page.get_by_label("Who can see it").select_option("people")
    editor(page).click()
    page.keyboard.type("kept")
    publish(page)
    page.get_by_role("alert").filter(has_text="Choose at least one person.").wait_for()
    expect(editor(page)).to_have_text("kept")
    assert texts(account) == []


def test_people_are_offered_behind_an_at_and_taken_by_key(page, new_account):
    other = new_account()
    handle = other.call("GET", "/v1/users/me", expect=200).json()["handle"]
    editor(page).click()
    page.keyboard.type(f"with @{handle[:4]}")
    offered = page.get_by_role("option", name=f"@{handle}")
    offered.wait_for()
    while offered.get_attribute("aria-selected") != "true":
        press(page, "ArrowDown")
    press(page, "Enter")
    page.keyboard.type("today")
    assert written(page) == f"<p>with @{handle} today</p>"


def test_what_the_server_does_not_know_is_typed_on(page):
    editor(page).click()
    page.keyboard.type("a #tag and @nobody-of-that-name here")
    expect(page.get_by_role("listbox")).to_have_count(0)
    assert written(page) == "<p>a #tag and @nobody-of-that-name here</p>"
