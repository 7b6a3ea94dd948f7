"""People in a browser: found, looked at, followed, muted, blocked and reported; and a profile of one's own."""

import re

import pytest

from api import new_id
from browser import HAND, Person, is_said
from pictures import picture
from test_media import put
from waiting import wait_until

#: What is refused on purpose.
COMPLAINTS = ("status of 4",)


@pytest.fixture
def other(new_account):
    """Somebody with a name that nobody else has."""
    api = new_account()
    api.mark = "q" + new_id()[:8].translate(str.maketrans("0123456789", "ghijklmnop"))
    api.name = f"Zoë {api.mark}"
    api.call("PATCH", "/v1/users/me", json={"name": api.name, "handle": api.mark, "bio": "Walks.\n<b>Reads</b> & rests."}, expect=200)
    return api


def post(api, text):
    place = api.call("POST", "/v1/posts", json={"requestId": new_id(), "content": f"<p>{text}</p>"}, expect=201).headers["location"]
    return int(place.rsplit("/", 1)[1])


def seen(api, who):
    return api.call("GET", f"/v1/users/{who.user['id']}", expect=200).json()


def menu(person, what):
    person.page.locator("details.personal summary").click()
    person.page.locator(".offers").get_by_role("button", name=what, exact=True).click()


def test_somebody_is_found_and_looked_at(account, person, other):
    for number in range(40):
        post(other, f"number {number:02}")
    person.page.goto("/people")
    search = person.page.get_by_role("searchbox", name="Search people")
    search.fill(other.mark[:6])
    search.press("Enter")
    row = person.page.locator("li.person", has_text=other.name)
    assert row.locator(".face").inner_text() == "Z" + other.mark[0].upper() and f"@{other.mark}" in row.inner_text()
    row.get_by_role("link").click()
    person.page.get_by_role("heading", name=other.name).wait_for()
    header = person.page.locator("header.profile").inner_text()
    assert "40 posts" in header and "0 followers" in header and "Walks.\n<b>Reads</b> & rests." in header
    while person.page.locator(".next").count():
        person.page.mouse.wheel(0, 20_000)
        person.page.wait_for_timeout(50)
    shown = [re.search(r"number (\d+)", text)[1] for text in person.page.locator("article.post").all_text_contents()]
    assert shown == [f"{number:02}" for number in reversed(range(40))]
    person.page.goto(f"/people?handle=@{other.mark.upper()}")
    person.page.get_by_role("heading", name=other.name).wait_for()
    assert person.page.goto(f"/people?handle=nobody{other.mark}").status == 404


def test_a_profile_is_changed_and_what_is_refused_stays_typed(account, person, other):
    person.page.goto("/people")
    person.page.get_by_role("link", name="Edit profile").click()
    person.page.get_by_label("Handle").fill(other.mark)
    person.page.get_by_label("Name", exact=True).fill("Ben B.")
    person.page.get_by_role("button", name="Save").click()
    person.page.get_by_role("alert").get_by_text("already").wait_for()
    assert person.page.get_by_label("Name", exact=True).input_value() == "Ben B."
    own = other.mark[::-1]
    person.page.get_by_label("Handle").fill("@" + own.upper())
    person.page.get_by_label("About you").fill("Two\nlines")
    person.page.get_by_label("Approve followers").check()
    person.page.get_by_role("button", name="Save").click()
    is_said(person.page, "Your profile was saved.")
    person.page.get_by_role("heading", name="Ben B.").wait_for()
    you = account.call("GET", "/v1/users/me", expect=200).json()
    assert (you["handle"], you["bio"], you["approvesFollowers"]) == (own, "Two\nlines", True)
    person.page.get_by_role("link", name="Edit profile").click()
    assert person.page.get_by_label("Approve followers").is_checked()


def test_followers_are_let_in_and_removed(account, person, other):
    account.call("PATCH", "/v1/users/me", json={"approvesFollowers": True}, expect=200)
    other.call("PUT", f"/v1/users/{account.user['id']}/follow", expect=202)
    person.page.goto("/people")
    person.page.get_by_role("link", name="Requests").click()
    person.page.get_by_role("button", name=f"Accept: {other.name}").click()
    is_said(person.page, "follows you now")
    assert seen(other, account)["following"]
    person.page.goto(f"/people/{other.user['id']}")
    menu(person, "Remove as a follower")
    is_said(person.page, "no longer follows you")
    assert not seen(other, account)["following"]


def test_whom_one_asks_to_follow_is_asked(account, person, other):
    other.call("PATCH", "/v1/users/me", json={"approvesFollowers": True}, expect=200)
    person.page.goto(f"/people/{other.user['id']}")
    person.page.get_by_role("button", name=f"Follow: {other.name}").click()
    is_said(person.page, "have asked to follow")
    person.page.get_by_role("button", name=f"Asked: {other.name}").click()
    person.page.get_by_role("button", name=f"Follow: {other.name}").wait_for()
    assert "requested" not in seen(account, other)


def test_somebody_is_muted_and_blocked_and_not_any_more(account, person, other):
    person.page.goto(f"/people/{other.user['id']}")
    menu(person, "Mute")
    is_said(person.page, "is muted")
    assert seen(account, other)["muted"]
    menu(person, "Unmute")
    is_said(person.page, "is no longer muted")
    menu(person, "Block…")
    person.page.get_by_text(f"Block {other.name}?").wait_for()
    person.page.get_by_role("button", name="Block").click()
    is_said(person.page, "no longer see each other")
    assert other.call("GET", f"/v1/users/{account.user['id']}").status_code == 404
    person.page.goto("/people?of=blocked")
    person.page.get_by_role("button", name=f"Unblock: {other.name}").click()
    is_said(person.page, "is no longer blocked")
    assert other.call("GET", f"/v1/users/{account.user['id']}").status_code == 200


def test_a_post_is_reported(shared_server, account, person, other):
    place = post(other, "unkind")
    person.page.goto(f"/posts/{place}")
    person.page.locator("details.menu-of summary").first.click()
    person.page.get_by_role("link", name="Report").click()
    person.page.get_by_label("What is wrong with it").fill("It is unkind.")
    person.page.get_by_role("button", name="Report").click()
    is_said(person.page, "Thank you.")
    assert "It is unkind." in shared_server.admin("reports", "list").stdout
    shared_server.admin("reports", "dismiss", place)


def test_somebody_is_invited(account, person):
    person.page.goto("/people")
    person.page.get_by_role("button", name="Invite somebody").click()
    assert len(person.page.get_by_label("Your invite").input_value()) > 8


def test_the_menu_of_a_profile_goes_by_the_keyboard_without_scripts_on_a_phone(browser, account, other):
    someone = Person(browser, account.url, width=390, scripts=False, **HAND)
    someone.sign_in(account.email)
    someone.page.wait_for_url(account.url + "/")
    someone.page.goto(f"/people/{other.user['id']}")
    wide = someone.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0
    someone.page.locator("details.personal summary").focus()
    someone.page.keyboard.press("Enter")
    someone.page.keyboard.press("Tab")
    someone.page.keyboard.press("Enter")
    wait_until(lambda: seen(account, other).get("muted"), what="she is muted")
    someone.close()


def test_a_picture_is_chosen_among_ones_files_and_stands_beside_the_name(account, person):
    file = put(account, "me.png", picture("png", 300, 300), "image/png")
    post(account, "hello")
    person.page.goto(f"/file/{file['id']}")
    person.page.get_by_role("link", name="Use as profile picture").click()
    person.page.get_by_role("heading", name="Edit profile").wait_for()
    person.page.get_by_role("button", name="Save").click()
    person.page.locator("header.profile").wait_for()
    # Looked for by handle: the tests before this one may have left more people than one page shows.
    for place in (f"/people/{account.user['id']}", "/feed", f"/people?q={seen(account, account)['handle']}"):
        person.page.goto(place)
        face = person.page.locator(".face img").first
        assert face.evaluate("node => node.decode().then(() => node.naturalWidth)") == 256, place
    person.page.goto("/profile")
    person.page.get_by_role("checkbox", name="Show my initials instead").check()
    person.page.get_by_role("button", name="Save").click()
    person.page.locator("header.profile").wait_for()
    assert person.page.locator(".face img").count() == 0
