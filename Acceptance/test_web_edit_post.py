"""A post that is there is written anew in a browser: what it said stays readable, and nothing that was typed is lost."""

import re

from playwright.sync_api import expect

from browser import Person, is_said
from test_feed import posted, read
from test_web_feed import article, open_feed, post
from web_screens import picture

COMPLAINTS = ("status of 4", "ERR_")
HOSTILE = "<img src=x onerror=alert(1)> [x](javascript:alert(2)) <script>alert(3)</script>"


def field(page):
    return page.get_by_label("What would you like to say?")


def save(page):
    page.get_by_role("button", name="Save", exact=True).click()


def version(api, post):
    return api.call("GET", f"/v1/posts/{post}", expect=200).json()["post"]["version"]


def edited(api, post, content):
    api.call("PATCH", f"/v1/posts/{post}", expect=200, json={"baseVersion": version(api, post), "content": content})


def test_a_post_is_edited_from_its_menu_and_says_so(account, person):
    mine = posted(account, "<p>We went <strong>up</strong>.</p>")
    open_feed(person)
    assert article(person, "We went").get_by_role("link", name="edited").count() == 0
    article(person, "We went").locator(".menu-of summary").click()
    article(person, "We went").get_by_role("link", name="Edit").click()
    person.page.wait_for_url(f"**/posts/{mine}/edit")
    assert field(person.page).locator("strong").inner_text() == "up"
    field(person.page).click()
    person.page.keyboard.press("Control+End")
    person.page.keyboard.type(" And **down**.")
    save(person.page)
    person.page.wait_for_url(f"**/posts/{mine}")
    is_said(person.page, "Your changes were saved.")
    assert read(account, mine)["content"] == "<p>We went <strong>up</strong>. And <strong>down</strong>.</p>"
    person.page.get_by_role("link", name="edited").click()
    said = person.page.locator("article.version .said")
    expect(said).to_have_count(2)
    assert said.all_inner_texts() == ["We went up. And down.", "We went up."]
    open_feed(person)
    expect(article(person, "And down").get_by_role("link", name="edited")).to_have_count(1)


def test_a_post_that_is_saved_as_it_was_is_not_edited(account, person):
    mine = posted(account, "<p>same <u>as</u> #before</p>")
    person.page.goto(f"/posts/{mine}/edit")
    field(person.page).wait_for()
    save(person.page)
    person.page.wait_for_url(f"**/posts/{mine}")
    assert version(account, mine) == 1


def test_captions_are_edited_and_a_picture_is_left_out(account, person):
    post(account, "<p>a hill</p>", ("hill.png", picture(0.4)), ("lake.png", picture(0.8)))
    open_feed(person)
    article(person, "a hill").locator("a.when").click()
    person.page.wait_for_url(re.compile(r"/posts/\d+$"))
    person.page.locator(".menu-of summary").click()
    person.page.get_by_role("link", name="Edit").click()
    rows = person.page.locator("#attached .attachment")
    expect(rows).to_have_count(2)
    rows.first.locator("img").evaluate("image => image.decode()")
    captions = person.page.get_by_label("Description")
    assert [caption.input_value() for caption in captions.all()] == ["hill.png", "lake.png"]
    captions.first.fill("the hill, from below")
    rows.last.get_by_role("button", name=re.compile("^Remove")).click()
    save(person.page)
    person.page.wait_for_url(re.compile(r"/posts/\d+$"))
    assert person.page.locator("figcaption").all_inner_texts() == ["the hill, from below"]
    person.page.locator("figure img").evaluate("image => image.decode()")


def test_what_was_typed_stays_where_the_post_was_edited_elsewhere(account, person):
    mine = posted(account, "<p>first</p>")
    person.page.goto(f"/posts/{mine}/edit")
    field(person.page).fill("from here")
    edited(account, mine, "<p>from elsewhere</p>")
    save(person.page)
    alert = person.page.get_by_role("alert").filter(has_text="edited elsewhere in the meantime")
    alert.wait_for()
    expect(alert).to_contain_text("from elsewhere")
    expect(field(person.page)).to_have_text("from here")
    assert read(account, mine)["content"] == "<p>from elsewhere</p>"
    save(person.page)
    is_said(person.page, "Your changes were saved.")
    assert read(account, mine)["content"] == "<p>from here</p>"
    history = account.call("GET", f"/v1/posts/{mine}/history", expect=200).json()["versions"]
    assert [one["content"] for one in history] == ["<p>from here</p>", "<p>from elsewhere</p>", "<p>first</p>"]
    person.page.goto(f"/posts/{mine}/history")
    expect(person.page.locator(".said")).to_have_text(["from here", "from elsewhere", "first"])
    expect(person.page.locator(".said a")).to_have_count(0)


def test_hostile_words_are_words_while_they_are_edited_and_after(account, person):
    mine = posted(account, f"<p>{HOSTILE.replace('<', '&lt;')}</p>")
    for place in (f"/posts/{mine}/edit", f"/posts/{mine}", f"/posts/{mine}/history"):
        person.page.goto(place)
        person.page.get_by_text("<script>alert(3)</script>").first.wait_for()
        assert person.page.locator("img[src=x], main a[href^=javascript]").count() == 0
    person.page.goto(f"/posts/{mine}/edit")
    field(person.page).click()
    person.page.keyboard.press("Control+End")
    person.page.keyboard.type(" <b>x</b>")
    save(person.page)
    is_said(person.page, "Your changes were saved.")
    expect(person.page.locator("article .said").first).to_have_text(HOSTILE + " <b>x</b>")


def test_only_who_wrote_a_post_is_offered_to_edit_it(account, person, new_account):
    other = new_account()
    account.call("PUT", f"/v1/users/{other.user['id']}/follow", expect=204)
    theirs = posted(other, "<p>theirs</p>")
    open_feed(person)
    article(person, "theirs").locator(".menu-of summary").click()
    assert article(person, "theirs").get_by_role("link", name="Edit").count() == 0
    assert person.page.goto(f"/posts/{theirs}/edit").status == 404
    assert person.page.goto("/posts/385283640130535424/edit").status == 404


def test_what_was_typed_outlives_a_connection_that_goes(account, person, way):
    mine = posted(account, "<p>first</p>")
    person.page.goto(f"/posts/{mine}/edit")
    field(person.page).fill("second")
    way.go_down()
    save(person.page)
    is_said(person.page, "does not answer", failure=True)
    expect(field(person.page)).to_have_text("second")
    way.come_back()
    save(person.page)
    person.page.wait_for_url(f"**/posts/{mine}")
    assert read(account, mine)["content"] == "<p>second</p>"


def test_what_was_changed_and_not_saved_is_not_left_unasked(account, person):
    mine = posted(account, "<p>first</p>")
    page = person.page
    page.goto(f"/posts/{mine}/edit")
    field(page).click()
    page.locator(".crumbs a").click()
    page.wait_for_url("**/feed")
    page.goto(f"/posts/{mine}/edit")
    field(page).click()
    page.keyboard.type("second ")
    with page.expect_event("dialog") as asked:
        page.locator(".crumbs a").click(no_wait_after=True)
    assert asked.value.type == "beforeunload"
    person.complaints.remove("a dialog: ")
    expect(field(page)).to_contain_text("second")
    save(page)
    page.wait_for_url(f"**/posts/{mine}")
    assert "second" in read(account, mine)["content"]


def test_words_for_a_post_that_was_deleted_meanwhile_stay(account, person):
    mine = posted(account, "<p>first</p>")
    person.page.goto(f"/posts/{mine}/edit")
    field(person.page).fill("second")
    account.call("DELETE", f"/v1/posts/{mine}", expect=204)
    save(person.page)
    person.page.get_by_role("alert").filter(has_text="no longer exists").wait_for()
    expect(field(person.page)).to_have_text("second")


def test_without_scripts_a_post_is_edited_as_markdown(browser, account):
    mine = posted(account, "<h1>Walk</h1><p>We <strong>went</strong> *up* <u>there</u>.</p><ul><li>bread</li></ul>")
    someone = Person(browser, account.url, scripts=False).sign_in(account.email)
    someone.page.goto(f"/posts/{mine}/edit")
    typed = field(someone.page)
    assert typed.input_value() == "# Walk\n\nWe **went** \\*up\\* there.\n\n- bread"
    save(someone.page)
    someone.page.wait_for_url(f"**/posts/{mine}")
    assert version(account, mine) == 1, "what was not touched is as it was"
    someone.page.goto(f"/posts/{mine}/edit")
    typed.fill(typed.input_value() + "\n- cheese")
    save(someone.page)
    someone.page.get_by_text("Your changes were saved.").wait_for()
    assert read(account, mine)["content"] == (
        "<h1>Walk</h1><p>We <strong>went</strong> *up* there.</p><ul><li>bread</li><li>cheese</li></ul>")
    someone.close()
