"""The feed in a browser on a bad day: hasty hands, lost connections, hostile words, and forms that nobody filled in."""

import contextlib
import re

import pytest

from api import Api, new_id
from browser import Person, expect, is_said
from test_feed import attached, follow, posted, read, uploaded
from test_web_feed import article, author, like_of, open_feed  # noqa: F401
from test_web_quick import Held
from waiting import TookTooLong, wait_until

#: Requests are refused, held and broken off on purpose here.
COMPLAINTS = ("status of", "ERR_", "Failed to load resource", "Blocked script execution")
HOSTILE = "<img src=x onerror=alert(1)>\u202e&lt;b&gt;"


def buttons(person, text, name):
    return article(person, text).get_by_role("button", name=re.compile(f"^{name}"))


def is_pressed(button, is_on):
    expect(button).to_have_attribute("aria-pressed", "true" if is_on else "false")


def write(person, text):
    person.page.goto("/feed/new")
    person.page.get_by_label("What would you like to say?").fill(text)


def publish(person):
    return person.page.get_by_role("button", name="Post", exact=True)


def texts(api):
    return [entry["contentSummary"] for entry in api.call("GET", "/v1/feed", expect=200).json()["feed"]]


def test_whoever_changes_their_mind_at_once_has_the_last_word(account, person, author):
    """The answer to the first press may be the later one."""
    post = posted(author)
    open_feed(person)
    held = Held(person.page, "**/act")
    like_of(person, "kind").click()
    like_of(person, "kind").click()
    is_pressed(like_of(person, "kind"), False)
    with contextlib.suppress(TookTooLong):  # where the second waits for its turn
        wait_until(lambda: person.page.evaluate("1") and len(held.waiting) == 2, seconds=2)
    held.is_open = True
    for route in reversed(held.waiting):
        with person.page.expect_response("**/act"):
            route.continue_()
    wait_until(
        lambda: person.page.evaluate("1") and not read(account, post)["liked"], seconds=20, what="it is not liked")
    is_pressed(like_of(person, "kind"), False)


def test_what_is_refused_is_taken_back_and_nothing_else(person, author):
    posted(author)
    open_feed(person)
    held = Held(person.page, "**/act")
    like_of(person, "kind").click()
    held.wait()
    held.is_open = True
    with contextlib.suppress(Exception), person.page.expect_response("**/act", timeout=2_000):
        buttons(person, "kind", "Bookmark").click()
    held.waiting[0].fulfill(status=422, body="")
    expect(like_of(person, "kind")).to_have_attribute("aria-pressed", "false", timeout=20_000)
    is_pressed(buttons(person, "kind", "Bookmark"), True)


def test_a_like_that_reaches_nobody_is_told_and_can_be_given_again(account, person, author, way):
    post = posted(author)
    open_feed(person)
    way.go_down()
    like_of(person, "kind").click()
    is_said(person.page, "does not answer", failure=True)
    is_pressed(like_of(person, "kind"), False)
    way.come_back()
    with person.page.expect_response("**/act"):
        like_of(person, "kind").click()
    is_pressed(like_of(person, "kind"), True)
    assert read(account, post)["likeCount"] == 1


def test_what_was_written_outlives_a_connection_that_goes(account, person, way):
    person.page.goto("/feed/new")
    person.page.get_by_label("What would you like to say?").click()
    person.page.keyboard.type("**kept**")
    way.go_down()
    publish(person).click()
    is_said(person.page, "does not answer", failure=True)
    assert person.page.get_by_label("What would you like to say?").locator("strong").inner_text() == "kept"
    way.come_back()
    publish(person).click()
    person.page.wait_for_url("**/feed")
    assert texts(account) == ["<p><strong>kept</strong></p>"]


def test_a_double_click_posts_once(account, person):
    write(person, "once")
    publish(person).dblclick()
    person.page.wait_for_url("**/feed")
    article(person, "once").wait_for()
    assert texts(account) == ["<p>once</p>"]


def test_a_form_that_is_changed_after_it_was_posted_is_posted_after_a_question(account, person):
    """Whoever goes back to it finds it as it was."""
    write(person, "once")
    form = person.page.evaluate("() => Object.fromEntries(new FormData(document.querySelector('form#content')))")
    form["text"] = "once"
    del form["html"]  # as a browser without scripts sends it

    def sent(**changed):
        return person.page.request.post(
            "/feed/new", form={**form, "act": "publish", **changed}, headers={"Origin": person.url})

    assert sent().ok and sent().ok and texts(account) == ["<p>once</p>"]
    asked = sent(text="twice")
    assert asked.status == 422 and "posted an earlier version" in asked.text() and ">twice</textarea>" in asked.text()
    other = re.search(r'name="request" value="([^"]+)"', asked.text())[1]
    assert other != form["request"] and texts(account) == ["<p>once</p>"]
    assert sent(text="twice", request=other).ok and texts(account) == ["<p>twice</p>", "<p>once</p>"]


def test_what_is_too_long_is_refused_and_stays_as_it_was_typed(account, person):
    text = "word " * 14_000
    write(person, text)
    publish(person).click()
    person.page.get_by_role("alert").filter(has_text="64 KiB").wait_for()
    assert person.page.get_by_label("What would you like to say?").inner_text().strip() == text.strip()
    assert texts(account) == []


def test_names_and_captions_are_words_whatever_they_are(account, person, shared_server):
    hostile = Api(shared_server.url).register(f"{new_id()}@example.org", displayName=f"{HOSTILE}{new_id()}")
    post = posted(hostile, attachments=[attached(uploaded(hostile), caption=HOSTILE)])
    follow(account, hostile)
    for place in ("/feed", f"/posts/{post}", f"/people/{hostile.user['id']}"):
        person.page.goto(place)
        person.page.get_by_text("<img src=x onerror=alert(1)>").first.wait_for()
        assert person.page.locator("img[src=x], main :not(button) > b").count() == 0, place
    person.page.get_by_role("button", name=re.compile(f"Stop following: .*{hostile.user['displayName'][-12:]}")).click()
    is_said(person.page, "You no longer follow")


def test_a_picture_that_is_a_page_does_not_act(account, person, author):
    page = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg><script>alert(2)</script>"
    for mime in ("image/svg+xml", "image/bmp"):
        post = posted(author, attachments=[attached(uploaded(author, page + mime.encode(), mime))])
        answer = person.page.request.get(f"/posts/{post}/media")
        assert answer.status == 422 and b"<script>" not in answer.body(), "what nobody can draw is not sent as it is"
        with contextlib.suppress(Exception):  # it is saved instead
            person.page.goto(f"/posts/{post}/media")
    open_feed(person)  # whatever had run would be among the complaints


def test_a_video_is_served_in_parts(account, person, author):
    film = bytes(range(256)) * 400
    post = posted(author, attachments=[attached(uploaded(author, film, "video/ogg"), "video", caption="Waves")])
    person.page.goto(f"/posts/{post}")
    place = person.page.locator("video[aria-label=Waves]").get_attribute("src")
    part = person.page.request.get(place, headers={"Range": "bytes=1000-1999"})
    assert part.status == 206 and part.body() == film[1000:2000] and part.headers["content-type"] == "video/ogg"


def test_a_post_and_its_picture_are_for_who_is_signed_in(browser, account, author):
    post = posted(author, attachments=[attached(uploaded(author))])
    stranger = Person(browser, account.url)
    for place in ("/feed", "/feed/new", "/people", f"/posts/{post}", f"/posts/{post}/media"):
        stranger.page.goto(place)
        stranger.page.get_by_role("heading", name="Welcome back").wait_for()
    stranger.close()


def token(person):
    return person.page.locator("[name=token]").first.input_value()


def test_a_form_that_nobody_filled_in_does_nothing(account, person, author):
    post = posted(author)
    open_feed(person)
    good = {"token": token(person), "act": "LIKED", "from": "/feed", "text": "forged", "id": str(author.user["id"])}
    for form, origin in (({**good, "token": "made-up"}, person.url), ({**good, "token": ""}, person.url),
                         (good, "https://evil.example")):
        for place in (f"/posts/{post}/act", "/feed/new", "/people", "/feed"):
            answer = person.page.request.post(place, form=form, headers={"Origin": origin}, max_redirects=0)
            assert answer.status in (303, 403), answer.status
    assert not read(account, post)["liked"] and texts(account) == ["<p>kind</p>"]


def test_a_form_of_somebody_else_does_nothing_though_its_token_is_good(account, person, author):
    """A page gets a new token for what it sends by itself. By then somebody else may be signed in to the same browser."""
    post = posted(author)
    open_feed(person)
    forms = {f"/posts/{post}/act": {"act": "LIKED"}, f"/posts/{post}/comments": {"text": "not mine"},
             "/feed/new": {"act": "publish", "text": "not mine", "request": "4711"}}
    for place, form in forms.items():
        for who, status in ((author, 409), (account, 200)):
            answer = person.page.request.post(
                place, form={"token": token(person), "person": str(who.user["id"]), **form},
                headers={"Origin": person.url, "Accept": "application/json"})
            assert answer.status == status, (place, answer.status, answer.text())
            assert (status == 200) == answer.json().get("isDone", False)
    assert read(account, post)["commentCount"] == 1 and texts(account) == ["<p>not mine</p>", "<p>kind</p>"]
    sent = person.page.request.post("/uploads/batch", data=b"x", headers={
        "Origin": person.url, "Accept": "application/json", "Content-Type": "application/octet-stream",
        "Bothy-Form-Token": token(person), "Bothy-Person": str(author.user["id"])})
    assert sent.status == 409, "what is uploaded is not put among the files of somebody else"


def test_what_is_made_up_is_refused_and_leads_nowhere_else(account, person, author):
    post = posted(author)
    open_feed(person)

    def sent(place, **form):
        return person.page.request.post(
            place, form={"token": token(person), **form}, headers={"Origin": person.url}, max_redirects=0)

    for back in ("https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "",
                 "/feed\r\nX: y"):
        answer = sent(f"/posts/{post}/act", act="BOOKMARKED", **{"from": back})
        assert answer.status == 303 and answer.headers["location"].split("?")[0] == "/feed", (back, answer.headers)
    for act in ("", "liked", "DROP"):
        assert 400 <= sent(f"/posts/{post}/act", act=act).status < 500
    sent(f"/posts/{post}", act="delete")
    assert texts(account) == ["<p>kind</p>"], "only who wrote a post deletes it"


@pytest.mark.parametrize("place", [
    "/posts/385283640130535424", "/posts/x", "/posts/-1", "/posts/99999999999999999999",
    "/posts/385283640130535424/media", "/people/385283640130535424", "/people/x"])
def test_what_is_not_there_is_not_found(person, place):
    assert person.page.goto(place).status == 404
    person.page.get_by_role("heading", level=1).wait_for()


@pytest.mark.parametrize("place", ["/feed?after=made-up", "/feed?after=9223372036854775807.x", "/people?after=made-up"])
def test_a_made_up_place_in_a_list_is_told(person, place):
    assert person.page.goto(place).status == 400
    person.page.get_by_role("heading", name="Something went wrong").wait_for()
    person.page.get_by_text("This address is not a valid page of the list.").wait_for()


def test_a_post_of_somebody_else_is_not_offered_for_deletion_and_one_that_goes_is_told(person, author):
    post = posted(author)
    person.page.goto(f"/posts/{post}")
    assert person.page.get_by_role("button", name="Delete").count() == 0
    author.call("DELETE", f"/v1/posts/{post}", expect=204)
    person.page.get_by_role("button", name=re.compile("^Like")).click()
    is_said(person.page, "There is no such post", failure=True)
    assert person.page.reload().status == 404
    person.page.get_by_text("This post no longer exists.").wait_for()


def test_a_share_is_told_and_comes_to_who_follows(account, person, author, new_account):
    distant, post = new_account(), posted(author)
    follow(distant, account)
    open_feed(person)
    buttons(person, "kind", "Share").click()
    is_said(person.page, "Shared with your followers.")
    assert texts(distant) == ["<p>kind</p>"] and read(account, post)["shareCount"] == 1
    open_feed(person)
    assert buttons(person, "kind", "Share").inner_text().strip().endswith("1")


def test_whoever_likes_by_keyboard_stays_where_they_are(person, author):
    posted(author)
    open_feed(person)
    with person.page.expect_response("**/act"):
        like_of(person, "kind").press("Enter")
    is_pressed(like_of(person, "kind"), True)
    expect(like_of(person, "kind")).to_be_focused()


def test_a_long_post_is_cut_in_the_list_and_whole_on_its_page(person, author):
    posted(author, f"<p>{'word ' * 200}end</p>")
    open_feed(person)
    assert "end" not in article(person, "word").locator(".said").inner_text()
    article(person, "word").get_by_role("link", name="Read on").click()
    person.page.wait_for_url("**/posts/*")
    assert person.page.locator("article .said").first.inner_text().endswith("end")


def test_what_has_no_place_to_break_does_not_widen_a_small_screen(browser, account, author):
    long = "x" * 2_000
    link = f"<a href='https://example.org/{long}'>{long}</a>"
    post = posted(author, f"<p>{long}</p><h1>{long}</h1><pre>{long}</pre><p>{link}</p>")
    someone = Person(browser, account.url, width=390).sign_in(account.email)
    someone.page.wait_for_url(account.url + "/")
    for place in ("/feed", f"/posts/{post}"):
        someone.page.goto(place)
        someone.page.locator("article.post").wait_for()
        wide = someone.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, place
    someone.close()


def test_without_scripts_older_posts_are_a_page_away_and_a_post_is_deleted_after_a_question(browser, account):
    for number in range(35):
        posted(account, f"<p>number {number:02}</p>")
    someone = Person(browser, account.url, scripts=False).sign_in(account.email)
    someone.page.wait_for_url(account.url + "/")
    for place in ("/feed", f"/people/{account.user['id']}"):
        someone.page.goto(place)
        assert someone.page.locator("article.post").count() == 30
        someone.page.get_by_role("link", name="Show more").click()
        article(someone, "number 04").wait_for()
        expect(someone.page.get_by_role("link", name="Show more")).to_have_count(0)
        assert someone.page.locator("article.post").count() == 5
    open_feed(someone)
    article(someone, "number 34").locator(".when").click()
    someone.page.locator(".menu-of summary").click()
    for _ in range(2):
        someone.page.get_by_role("button", name="Delete").click()
    someone.page.get_by_text("The post was deleted.").wait_for()
    assert texts(account)[0] == "<p>number 33</p>"
    someone.close()
