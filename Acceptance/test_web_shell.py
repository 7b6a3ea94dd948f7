"""The server's web app in a browser that loses its connection: what was looked at is there, and what was done is sent, in its order, once there is one."""

import json
import re

import pytest
from playwright.sync_api import Error, expect

from api import new_id
from browser import Person, is_said
from fault_proxy import Fault
from test_web_feed import article, like_of, post
from waiting import wait_until
from web_screens import picture

COMPLAINTS = ("status of 4", "status of 5", "ERR_")


@pytest.fixture
def author(account, new_account):
    author = new_account()
    account.call("PUT", f"/v1/users/{author.user['id']}/follow", expect=204)
    return author


@pytest.fixture
def kept(browser, account, way, author):
    """Somebody whose browser has looked at the feed, and keeps it."""
    someone = keeping(browser, account, way, author)
    yield someone
    someone.close()


def keeping(browser, account, way, author):
    post(author, "<p>The hut is open</p>", ("hill.png", picture(0.4)))
    someone = Person(browser, way.url, service_workers="allow").sign_in(account.email)
    someone.page.wait_for_url(way.url + "/")
    page = someone.page
    page.goto("/feed")
    page.wait_for_function("() => navigator.serviceWorker.controller")
    page.goto("/feed/new")
    page.goto("/feed")
    page.locator("article.post img").first.evaluate("image => image.decode()")
    article(someone, "The hut").locator("a.when").click()
    page.get_by_role("heading", name="Comments").wait_for()
    page.goto("/feed")
    wait_until(lambda: {"/feed", "/feed/new"} <= set(kept_pages(page)), what="the pages are kept")
    return someone


def kept_pages(page):
    try:
        return page.evaluate(
            """async () => (await (await caches.open("pages")).keys()).map(({ url }) => new URL(url).pathname)""")
    except Error as error:
        # The page is being left: it is asked again.
        assert "Execution context was destroyed" in str(error)
        return ["?"]


def waits(page):
    return page.locator("#kept article.post")


def write(page, text):
    page.goto("/feed/new")
    page.get_by_label("What would you like to say?").click()
    page.keyboard.type(text)
    page.get_by_role("button", name="Post", exact=True).click()
    page.wait_for_url("**/feed")


def texts(api):
    return [entry["contentSummary"] for entry in api.call("GET", "/v1/feed", expect=200).json()["feed"]]


def test_what_was_looked_at_is_there_without_a_connection(kept, way):
    page = kept.page
    way.go_down()
    page.goto("/feed")
    expect(page.locator("#of-before")).to_have_text("There is no connection: these are the last posts that this device knows.")
    shown = article(kept, "The hut").locator("img")
    shown.evaluate("image => image.decode()")
    article(kept, "The hut").locator("a.when").click()
    page.get_by_role("heading", name="Comments").wait_for()
    for place in ("/feed/bookmarks", "/feed/notifications", "/feed/drafts", "/search?q=hut", "/starred", "/settings"):
        page.goto(place)
        page.get_by_role("heading", name="needs a connection").wait_for()
    box = page.locator(".message").bounding_box()
    assert abs(box["x"] + box["width"] / 2 - 640) < 20, "it stands in the middle"


def test_what_is_done_without_one_shows_and_is_sent_once_in_its_order(kept, account, way):
    page = kept.page
    way.go_down()
    page.goto("/feed")
    like_of(kept, "The hut").click()
    expect(like_of(kept, "The hut")).to_have_attribute("aria-pressed", "true")
    write(page, "first **of all**")
    write(page, "second")
    expect(waits(page)).to_have_count(2)
    expect(waits(page).first).to_contain_text("Waiting to be posted")
    expect(like_of(kept, "The hut")).to_have_attribute("aria-pressed", "true")
    assert len(texts(account)) == 1
    way.come_back()
    page.goto("/feed")
    wait_until(lambda: page.evaluate("1") and len(texts(account)) == 3, what="both are posted")
    assert texts(account)[:2] == ["<p>second</p>", "<p>first <strong>of all</strong></p>"]
    expect(waits(page)).to_have_count(0)
    assert account.call("GET", "/v1/feed").json()["feed"][2]["liked"]


def test_what_waits_behind_a_warning_is_folded_and_sent_with_it(kept, account, way):
    page = kept.page
    way.go_down()
    page.goto("/feed/new")
    page.locator(".later.warn > summary").click()
    page.get_by_label("Content warning").fill("Steep")
    page.get_by_label("What would you like to say?").click()
    page.keyboard.type("over the edge")
    page.get_by_role("button", name="Post", exact=True).click()
    page.wait_for_url("**/feed")
    expect(waits(page).locator("summary")).to_contain_text("Content warning: Steep")
    expect(waits(page).get_by_text("over the edge")).to_be_hidden()
    waits(page).locator("summary").click()
    expect(waits(page).get_by_text("over the edge")).to_be_visible()
    way.come_back()
    page.goto("/feed")
    wait_until(lambda: page.evaluate("1") and len(texts(account)) == 2, what="it is posted")
    assert account.call("GET", "/v1/feed").json()["feed"][0]["contentWarning"] == "Steep"


def test_what_is_refused_later_says_why_and_is_given_up(kept, account, author, way):
    page = kept.page
    way.go_down()
    page.goto("/feed")
    article(kept, "The hut").locator("a.when").click()
    page.get_by_label("Write a comment").click()
    page.keyboard.type("Is it?")
    page.get_by_role("button", name="Send").last.click()
    expect(waits(page)).to_have_count(1)
    gone = author.call("GET", "/v1/feed").json()["feed"][0]["postId"]
    author.call("DELETE", f"/v1/posts/{gone}", expect=204)
    here = page.url
    page.evaluate("globalThis.stays = true")
    way.come_back()
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(waits(page)).to_contain_text("Not posted:")
    assert page.url == here
    page.goto("/feed")
    expect(waits(page)).to_contain_text("Is it?")
    waits(page).get_by_role("button", name="Discard").click()
    expect(waits(page)).to_have_count(0)


def test_what_the_server_keeps_failing_at_holds_up_nothing_else(kept, account, author, way):
    """The first that the server failed at stayed the first for ever."""
    page = kept.page
    article(kept, "The hut").locator("a.when").click()
    page.get_by_label("Write a comment").wait_for()
    way.go_down()
    page.get_by_label("Write a comment").click()
    page.keyboard.type("Is it?")
    page.get_by_role("button", name="Send").last.click()
    expect(waits(page)).to_have_count(1)
    write(page, "after it")
    way.add(Fault(lambda request: request.path.endswith("/comments"), times=1_000, answer=(500, [], b"")))
    way.come_back()
    page.goto("/feed")

    def is_tried(what):
        page.evaluate("dispatchEvent(new Event('online'))")
        return what()

    wait_until(lambda: is_tried(lambda: len(texts(account)) == 2), what="the post is sent")
    assert page.evaluate(WAITING) == 1, "the comment waits still"
    way.clear()
    wait_until(lambda: is_tried(lambda: account.call("GET", "/v1/feed").json()["feed"][1]["commentCount"] == 1),
               what="the comment is sent, too")
    wait_until(lambda: page.evaluate(WAITING) == 0, what="nothing waits")


def test_what_waits_is_taken_back(kept, account, way):
    page = kept.page
    way.go_down()
    write(page, "never")
    waits(page).get_by_role("button", name="Discard").click()
    expect(waits(page)).to_have_count(0)
    way.come_back()
    page.goto("/feed")
    page.get_by_role("heading", name="Feed").wait_for()
    assert len(texts(account)) == 1


def test_other_forms_say_that_they_need_a_connection(kept, way):
    page = kept.page
    page.goto("/settings")
    way.go_down()
    page.get_by_label("Current password").fill("correct horse battery")
    page.get_by_label("New password").fill("another horse battery")
    page.get_by_role("button", name="Change password").click()
    page.locator(".toast.failure").wait_for()


def test_signing_out_empties_it(kept, way):
    page = kept.page
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in")
    wait_until(lambda: kept_pages(page) == [], what="no page is kept")
    way.go_down()
    page.goto("/feed")
    page.get_by_role("heading", name="needs a connection").wait_for()


def test_another_sign_in_empties_it(kept, account, new_account, way):
    page = kept.page
    way.go_down()
    write(page, "of the other")
    way.come_back()
    account.call("DELETE", f"/v1/auth/devices/{device_of_browser(account)}", expect=204)
    page.goto("/feed")
    page.wait_for_url("**/sign-in**")
    wait_until(lambda: kept_pages(page) == [], what="no page is kept")
    assert len(texts(account)) == 1, "what waited is not sent by somebody else"


def test_what_a_page_of_the_sign_in_before_sends_is_not_taken_as_of_this_one(kept, new_account, author, way):
    """It was kept as of whoever had signed in since, and posted under their name."""
    page, email = kept.page, f"{new_id()}@example.org"
    article(kept, "The hut").locator("a.when").click()
    field = page.get_by_label("Write a comment")
    field.click()
    page.keyboard.type("of the first")
    new_account(email=email)
    kept.context.clear_cookies()
    kept.page = kept.new_page()
    kept.sign_in(email)
    kept.page.goto("/feed")
    wait_until(lambda: set(kept_pages(kept.page)) == {"/", "/feed"}, what="what is kept is of the other")
    way.go_down()
    page.get_by_role("button", name="Send").last.click()
    is_said(page, "does not answer", failure=True)
    expect(field).to_have_text("of the first")
    assert kept.page.evaluate(WAITING) == 0
    way.come_back()
    kept.page.goto("/feed")
    kept.page.get_by_role("heading", name="Feed").wait_for()
    assert author.call("GET", "/v1/feed").json()["feed"][0]["commentCount"] == 0


#: How much the worker keeps to be sent.
WAITING = """async () => {
    const asked = indexedDB.open("bothy");
    await new Promise((done) => { asked.onsuccess = done; });
    const count = asked.result.transaction("waiting").objectStore("waiting").count();
    await new Promise((done) => { count.onsuccess = done; });
    asked.result.close();
    return count.result;
}"""


def device_of_browser(account):
    devices = account.call("GET", "/v1/auth/devices", expect=200).json()["devices"]
    [other] = [one["id"] for one in devices if one["id"] != account.device["id"]]
    return other


def shells(page):
    return page.evaluate("async () => (await caches.keys()).filter((name) => name.startsWith('shell-'))")


def test_a_worker_of_an_older_release_gives_way_and_loses_nothing(browser, account, author, way):
    def of_before(text):
        shell, rest = text.split(b"\n", 1)
        return re.sub(rb'"version":"[^"]*"', b'"version":"of-before"', shell) + b"\n" + rest

    way.add(Fault(lambda request: request.path == "/worker.js", times=1_000, edit_body=of_before,
                  edit_request=lambda request: request.set("Accept-Encoding", None)))
    someone = keeping(browser, account, way, author)
    page = someone.page
    assert shells(page) == ["shell-of-before"]
    way.go_down()
    write(page, "of before")
    expect(waits(page)).to_have_count(1)
    way.clear()
    way.come_back()
    page.goto("/feed")
    wait_until(lambda: len(texts(account)) == 2, what="what waited is posted")
    wait_until(lambda: (found := shells(page)) and "shell-of-before" not in found, what="the new worker has taken over")
    page.goto("/feed")
    article(someone, "of before").wait_for()
    way.go_down()
    page.goto("/feed")
    article(someone, "The hut").wait_for()
    expect(waits(page)).to_have_count(0)
    assert texts(account)[0] == "<p>of before</p>" and len(texts(account)) == 2
    someone.close()


def worker_after(way, script):
    """The worker of a browser in which this has run before."""
    def edited(text):
        shell, rest = text.split(b"\n", 1)
        return b"\n".join([shell, script.encode(), rest])

    way.add(Fault(lambda request: request.path == "/worker.js", times=1_000, edit_body=edited,
                  edit_request=lambda request: request.set("Accept-Encoding", None)))


def test_a_browser_whose_database_fails_does_all_that_needs_none(browser, account, author, way):
    """Every like, comment and post failed, and so did signing out, while the server was there."""
    worker_after(way, "IDBFactory.prototype.open = () => { throw new DOMException('broken', 'UnknownError'); };")
    post(author, "<p>The hut is open</p>")
    number = account.call("GET", "/v1/feed", expect=200).json()["feed"][0]["postId"]
    someone = Person(browser, way.url, service_workers="allow").sign_in(account.email)
    page = someone.page
    page.goto("/feed")
    page.wait_for_function("() => navigator.serviceWorker.controller")
    page.goto("/feed")
    with page.expect_response("**/act"):
        like_of(someone, "The hut").click()
    expect(like_of(someone, "The hut")).to_have_attribute("aria-pressed", "true")
    article(someone, "The hut").locator("a.when").click()
    page.get_by_label("Write a comment").click()
    page.keyboard.type("Is it?")
    page.get_by_role("button", name="Send").last.click()
    page.locator("article.comment").filter(has_text="Is it?").first.wait_for()
    write(page, "as ever")
    article(someone, "as ever").wait_for()
    seen = account.call("GET", f"/v1/posts/{number}", expect=200).json()["post"]
    assert (seen["liked"], seen["commentCount"], texts(account)[0]) == (True, 1, "<p>as ever</p>")
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in")
    way.go_down()
    page.goto("/feed")
    page.get_by_role("heading", name="needs a connection").wait_for()
    someone.close()


@pytest.mark.parametrize("refused", ["value instanceof Uint8Array && value.length > 999", "value?.body?.length > 999"],
                         ids=["as-the-page-asks", "as-it-is-put"])
def test_what_the_browser_has_no_room_for_stays_in_its_field(browser, account, author, way, refused):
    """The page let go of it, and it was nowhere."""
    worker_after(way, f"""const putAsEver = IDBObjectStore.prototype.put;
        IDBObjectStore.prototype.put = function (value, ...key) {{
            if ({refused}) throw new DOMException("full", "QuotaExceededError");
            return putAsEver.call(this, value, ...key);
        }};""")
    someone = keeping(browser, account, way, author)
    page, long = someone.page, "word " * 400
    article(someone, "The hut").locator("a.when").click()
    field = page.get_by_label("Write a comment")
    way.go_down()
    field.click()
    page.keyboard.insert_text(long)
    page.get_by_role("button", name="Send").last.click()
    is_said(page, "does not answer", failure=True)
    assert field.inner_text().strip() == long.strip() and waits(page).count() == 0
    way.come_back()
    page.get_by_role("button", name="Send").last.click()
    page.locator("article.comment:not(.pending)").filter(has_text="word word").first.wait_for()
    assert author.call("GET", "/v1/feed").json()["feed"][0]["commentCount"] == 1
    someone.close()


def evict(person, url):
    """As a browser does that is short of room: all of an origin at once, though it is open."""
    session = person.context.new_cdp_session(person.page)
    kinds = "indexeddb,cache_storage,local_storage"
    session.send("Storage.clearDataForOrigin", {"origin": url, "storageTypes": kinds})
    session.detach()


def test_what_the_browser_has_evicted_is_had_anew(kept, account, way):
    page = kept.page
    evict(kept, way.url)
    way.go_down()
    page.goto("/feed")
    page.get_by_role("heading", name="needs a connection").wait_for()
    way.come_back()
    for place in ("/feed/new", "/feed"):
        page.goto(place)
    wait_until(lambda: {"/feed", "/feed/new"} <= set(kept_pages(page)), what="the pages are kept again")
    way.go_down()
    page.goto("/feed")
    article(kept, "The hut").wait_for()
    write(page, "after it")
    expect(waits(page)).to_have_count(1)
    way.come_back()
    page.goto("/feed")
    wait_until(lambda: len(texts(account)) == 2, what="it is posted")
    assert texts(account)[0] == "<p>after it</p>"


def test_what_is_written_while_the_browser_evicts_stays_in_its_field(kept, account, way):
    """Whose it is, nobody knows any more: it is not taken, and so it is not lost."""
    page = kept.page
    page.goto("/feed/new")
    field = page.get_by_label("What would you like to say?")
    field.click()
    page.keyboard.type("in the middle")
    way.go_down()
    evict(kept, way.url)
    page.get_by_role("button", name="Post", exact=True).click()
    is_said(page, "does not answer", failure=True)
    expect(field).to_have_text("in the middle")
    way.come_back()
    page.get_by_role("button", name="Post", exact=True).click()
    page.wait_for_url("**/feed")
    assert texts(account)[0] == "<p>in the middle</p>" and len(texts(account)) == 2


def test_it_can_be_installed(account, person):
    """As browsers ask for it: a name, a place to begin, icons of both sizes, one of them to be cut to any shape, and a worker."""
    page = person.page
    link = page.locator("link[rel=manifest]").get_attribute("href")
    manifest = json.loads(page.request.get(link).text())
    assert manifest["start_url"] == "/feed" and manifest["display"] == "standalone" and manifest["name"] == "Bothy"
    assert {icon["sizes"] for icon in manifest["icons"]} == {"192x192", "512x512"}
    assert "maskable" in {icon["purpose"] for icon in manifest["icons"]}
    for icon in manifest["icons"]:
        answer = page.request.get(icon["src"])
        assert answer.ok and answer.body().startswith(b"\x89PNG")
    policy = page.request.get("/feed").headers["content-security-policy"]
    assert "manifest-src" in policy and "/worker.js" in policy and "unsafe" not in policy
