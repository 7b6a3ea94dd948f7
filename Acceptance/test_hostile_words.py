"""Hostile words by every way in: on every screen that shows them they are words, or are left out, and nothing of them runs."""

from urllib.parse import quote

import pytest

from api import Api, new_id
from browser import Person
from test_agent_web_feed_away import author, mine  # noqa: F401
from test_feed import act, attached, follow, posted, uploaded
from test_feed_drafts import new_draft, saved
from test_feed_scheduled import at, schedule
from test_web_editor import editor, paste, publish

#: A place that nobody gave is no page; a device without a connection says so.
COMPLAINTS = ("status of 4", "status of 503")
#: What each of them would run says its number. A name has room for all of one, and a profile for all of them.
PAYLOADS = (
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(2)></svg><script>alert(3)</script>',
    "<a href=\"javascript:alert(4)\" onclick=alert(5)>x</a>' autofocus onfocus='alert(6)",
    "</title></textarea></script><iframe srcdoc='&lt;script&gt;alert(7)'>",
    "[x](javascript:alert(8)) {{=<% %>=}}{{{token}}} ${alert(9)}",
    "\u202e&lt;img src=x onerror=alert(10)&gt; &#x3c;b&#x3e;",
)
#: What no page of the app has but by somebody's words.
ACTING = """() => [...document.querySelectorAll("*")].flatMap((one) => [
    ...["iframe", "object", "embed", "base", "math", "foreignObject", "animate", "style", "frameset"].filter((name) => one.localName === name),
    ...[...one.attributes].filter(({ name, value }) => name.startsWith("on") || name === "srcdoc" || name === "autofocus" && value
        || /^\\s*(javascript|vbscript|data:text)/i.test(value) && /href|src|action|data/.test(name)
        || value === "x" && name === "src").map(({ name, value }) => `${one.localName} ${name}=${value}`),
    ...(one.localName === "script" && (one.textContent || !one.src.startsWith(location.origin)) ? ["a script"] : []),
])"""


def assert_harmless(page):
    assert page.evaluate(ACTING) == [], page.url


def mark(words):
    """The first of the words, which nothing else has: whoever shows the others shows it too."""
    return words.split()[0]


def everywhere(places, all_words):
    return {place: [mark(words) for words in all_words] for place in places}


def by_post(house, all_words):
    made = [(posted(house.writer, f"<p>{words}</p>"), words) for words in all_words]
    each = [(place, words) for post, words in made for place in (f"/posts/{post}", f"/feed/search?q={mark(words)}")]
    return everywhere(("/feed", f"/people/{house.writer.user['id']}"), all_words) | {place: [mark(words)] for place, words in each}


def by_edit(house, all_words):
    post = posted(house.reader, "<p>kind</p>")
    for version, words in enumerate(all_words, 1):
        body = {"requestId": new_id(), "baseVersion": version, "content": f"<p>{words}</p>"}
        house.reader.call("PATCH", f"/v1/posts/{post}", json=body, expect=200)
    return everywhere((f"/posts/{post}/history",), all_words) | everywhere((f"/posts/{post}", f"/posts/{post}/edit"), all_words[-1:])


def by_comment(house, all_words):
    places = {}
    for words in all_words:
        post = posted(house.reader)
        house.writer.call("POST", f"/v1/posts/{post}/comments", expect=201, json={"requestId": new_id(), "content": f"<p>{words}</p>"})
        places[f"/posts/{post}"] = [mark(words)]
    return places | everywhere(("/feed/notifications",), all_words)


def by_mention(house, all_words):
    handle = house.reader.call("GET", "/v1/users/me", expect=200).json()["handle"]
    for words in all_words:
        posted(house.writer, f"<p>@{handle} {words}</p>")
    return everywhere(("/feed", "/feed/notifications"), all_words)


def by_hashtag(house, all_words):
    for words in all_words:
        posted(house.writer, f"<p>#{words} #a{words}</p>")
    return everywhere(("/feed",), all_words) | {f"/feed/tags/{mark(words)}": [mark(words)] for words in all_words}


def by_address(house, all_words):
    """What a page is asked for by who follows a link."""
    asked = [(start + quote(words, safe=""), words) for words in all_words
             for start in ("/feed/search?q=", "/people?q=", "/search?q=")]
    lost = [start + quote(words, safe="") for words in all_words[::3]
            for start in ("/feed/tags/", "/people?handle=", "/feed?after=", "/posts/", "/feed/new?draft=", "/feed/new?to=")]
    return {place: [mark(words)] for place, words in asked} | dict.fromkeys(lost, [])


def by_name(house, all_words):
    mine, places = posted(house.reader), {}
    for words in all_words:
        hostile = house.join(displayName=words)
        house.reader.call("PUT", f"/v1/users/{hostile.user['id']}/follow", expect=204)
        post = posted(hostile)
        act(hostile, mine, "LIKED")
        hostile.call("POST", f"/v1/posts/{mine}/comments", expect=201, json={"requestId": new_id(), "content": "<p>kind</p>"})
        to_them = posted(house.reader, audience={"kind": "people", "people": [hostile.user["id"]]})
        places |= {place: [mark(words)] for place in (
            f"/posts/{post}", f"/posts/{to_them}", f"/people/{hostile.user['id']}", f"/people?q={mark(words)}")}
    return places | everywhere(("/feed", f"/posts/{mine}", "/people?of=following", "/feed/notifications"), all_words)


def by_profile(house, all_words):
    bio = "\n".join(all_words)
    for api in (house.writer, house.reader):
        api.call("PATCH", "/v1/users/me", json={"bio": bio}, expect=200)
    return everywhere([*(f"/people/{api.user['id']}" for api in (house.writer, house.reader)), "/profile"], all_words)


def by_caption(house, all_words):
    """Of pictures in somebody's post, in one's own, and in a draft."""
    theirs, mine = ([attached(uploaded(api), caption=words) for words in all_words] for api in (house.writer, house.reader))
    post, own, draft = posted(house.writer, attachments=theirs), posted(house.reader, attachments=mine), new_draft()
    saved(house.reader, draft, "", attachments=mine)
    return everywhere((f"/posts/{post}", f"/posts/{own}/edit", f"/feed/new?draft={draft}"), all_words) | {"/feed": []}


def by_warning(house, all_words):
    """Before somebody's post, before one's own, before a draft, and in what one is told of."""
    theirs, mine = ([posted(api, contentWarning=words) for words in all_words] for api in (house.writer, house.reader))
    for post in mine:
        act(house.writer, post, "LIKED")
    pairs = list(zip(all_words, theirs, mine))
    drafts = {new_draft(): words for words in all_words}
    for draft, words in drafts.items():
        saved(house.reader, draft, contentWarning=words)
    places = {place: [mark(words)] for words, one, other in pairs
              for place in (f"/posts/{one}", f"/posts/{other}/edit", f"/feed/search?q={mark(words)}")}
    places |= {f"/feed/new?draft={draft}": [mark(words)] for draft, words in drafts.items()}
    return places | everywhere(("/feed", f"/people/{house.writer.user['id']}", "/feed/notifications"), all_words)


def by_draft(house, all_words):
    made = {new_draft(): words for words in all_words}
    for draft, words in made.items():
        saved(house.reader, draft, f"<p>{words}</p>")
    return everywhere(("/feed/drafts",), all_words) | {f"/feed/new?draft={draft}": [mark(words)] for draft, words in made.items()}


def by_schedule(house, all_words):
    for words in all_words:
        schedule(house.reader, at(days=1), content=f"<p>{words}</p>")
    return everywhere(("/feed/scheduled",), all_words)


def by_trash(house, all_words):
    for words in all_words:
        house.reader.call("DELETE", f"/v1/posts/{posted(house.reader, f'<p>{words}</p>')}", expect=204)
    return everywhere(("/feed/trash",), all_words)


def by_editor(house, all_words):
    return by_writing(house, all_words, lambda page, words: page.keyboard.insert_text(words))


def by_paste(house, all_words):
    """As HTML, and what another program has made of it as text."""
    return by_writing(house, all_words, lambda page, words: (paste(page, words, words), paste(page, "", words)))


def by_writing(house, all_words, write):
    page = house.person.page
    for words in all_words:
        page.goto("/feed/new")
        editor(page).click()
        write(page, words)
        assert_harmless(page)
        publish(page)
        page.wait_for_url("**/feed")
    return everywhere(("/feed",), all_words)


def by_form(house, all_words):
    """Markdown, of a browser that runs no scripts."""
    someone = Person(house.person.context.browser, house.reader.url, scripts=False).sign_in(house.reader.email)
    for words in all_words:
        someone.page.goto("/feed/new")
        someone.page.get_by_label("What would you like to say?").fill(words)
        publish(someone.page)
        someone.page.wait_for_url("**/feed")
    assert [said for said in someone.complaints if "status of 4" not in said] == []
    someone.close()
    return everywhere(("/feed",), all_words)


WAYS = (by_post, by_edit, by_comment, by_mention, by_hashtag, by_address, by_name, by_profile, by_caption, by_warning, by_draft, by_schedule,
        by_trash, by_editor, by_paste, by_form)


class House:
    """A reader at a browser, and a writer whom the reader follows."""

    def __init__(self, account, person, new_account):
        self.reader, self.person, self.opened = account, person, []
        self.writer = new_account()
        follow(account, self.writer)

    def join(self, **more):
        self.opened.append(Api(self.reader.url).register(f"{new_id()}@example.org", **more))
        return self.opened[-1]

    def close(self):
        for api in self.opened:
            api.close()


@pytest.fixture
def house(account, person, new_account):
    house = House(account, person, new_account)
    yield house
    house.close()


def look(page, place, marks):
    page.goto(place)
    page.wait_for_function("marks => marks.every((mark) => document.documentElement.outerHTML.includes(mark))", arg=marks)
    assert_harmless(page)


def made_hostile():
    return [f"mark{number}{new_id()[:6]} {payload}" for number, payload in enumerate(PAYLOADS)]


@pytest.mark.parametrize("put_in", WAYS, ids=[way.__name__.replace("_", " ") for way in WAYS])
def test_hostile_words_are_words_on_every_screen_that_shows_them(house, put_in):
    for place, marks in put_in(house, made_hostile()).items():
        look(house.person.page, place, marks)


def test_hostile_words_are_words_on_a_device_with_a_connection_and_without(desk, mine, author):  # noqa: F811
    all_words, own = made_hostile(), posted(mine)
    author.call("PATCH", "/v1/users/me", json={"name": all_words[0]}, expect=200)
    author.call("POST", f"/v1/posts/{own}/comments", expect=201, json={"requestId": new_id(), "content": f"<p>{all_words[1]}</p>"})
    made = [posted(author, f"<p>{words}</p>", attachments=[attached(uploaded(author), caption=words)]) for words in all_words]
    places = {f"/posts/{own}": [mark(all_words[1])], **{f"/posts/{post}": [mark(words)] for post, words in zip(made, all_words)},
              "/feed": [mark(words) for words in all_words]}
    for place, marks in places.items():
        look(desk.page, place, marks)
    desk.server.stop()
    del places[f"/posts/{own}"]  # comments are the server's alone
    for place, marks in places.items():
        look(desk.page, place, marks)


def test_what_acts_in_a_page_is_noticed(person):
    """A look that finds nothing may be one that looks at nothing."""
    page = person.page
    for html in ("<p onclick=x>", "<iframe></iframe>", "<a href=' javascript:x'>a</a>", "<img src=x>", "<form action=javascript:x>"):
        page.set_content(html)
        assert page.evaluate(ACTING) != [], html
    person.complaints.clear()
