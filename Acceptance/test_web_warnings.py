"""A post behind a content warning is folded until its reader asks for it: by mouse, by keyboard, without scripts, and on a phone."""

import pytest
from playwright.sync_api import expect

from api import new_id
from browser import HAND, Person
from test_feed import act, attached, follow, posted, read, uploaded
from test_feed_drafts import draft, drafts
from test_web_drafts import field, is_saved, publish, write
from test_web_edit_post import save
from test_web_feed import open_feed
from test_web_narrow import TOO_WIDE
from waiting import wait_until

COMPLAINTS = ("status of 4",)
WARNING = "Tells the end of the film"
BEHIND = "She leaves"


@pytest.fixture
def author(account, new_account):
    author = new_account()
    follow(account, author)
    return author


def warned(api, **more):
    return posted(api, f"<p>{BEHIND} <strong>him</strong>.</p>", contentWarning=WARNING, attachments=[attached(uploaded(api))], **more)


def summary(article):
    return article.locator(".warned > summary")


def is_folded(article):
    expect(summary(article)).to_contain_text(f"Content warning: {WARNING}")
    expect(article.locator(".said").get_by_text(BEHIND)).to_be_hidden()
    for picture in article.locator(".cells, .gallery").all():
        expect(picture).to_be_hidden()


def test_every_list_and_the_post_show_the_warning_and_the_rest_on_demand(account, person, author):
    word = f"w{new_id()[:8]}"
    post = posted(author, f"<p>{BEHIND} {word}</p>", contentWarning=WARNING, attachments=[attached(uploaded(author))])
    act(account, post, "BOOKMARKED")
    for place in ("/feed", "/feed/bookmarks", f"/people/{author.user['id']}", f"/feed/search?q={word}", f"/posts/{post}"):
        person.page.goto(place)
        article = person.page.locator("article.post")
        expect(article).to_have_count(1)
        is_folded(article)
        expect(summary(article)).to_contain_text("Show")
        summary(article).click()
        expect(article.get_by_text(BEHIND)).to_be_visible()
        expect(article.locator(".cells, .gallery")).to_be_visible()
        expect(summary(article).get_by_text("Hide", exact=True)).to_be_visible()
        summary(article).click()
        is_folded(article)


def test_a_post_without_a_warning_is_shown_as_before(person, author):
    posted(author, f"<p>{BEHIND}</p>")
    open_feed(person)
    expect(person.page.get_by_text(BEHIND)).to_be_visible()
    expect(person.page.locator(".warned")).to_have_count(0)


def test_it_unfolds_by_the_keyboard(person, author):
    warned(author)
    open_feed(person)
    article = person.page.locator("article.post")
    summary(article).focus()
    person.page.keyboard.press("Enter")
    expect(article.get_by_text(BEHIND)).to_be_visible()
    person.page.keyboard.press("Space")
    is_folded(article)


def test_it_unfolds_without_scripts(account, browser, author):
    warned(author)
    someone = Person(browser, account.url, scripts=False).sign_in(account.email)
    someone.page.goto("/feed")
    article = someone.page.locator("article.post")
    is_folded(article)
    summary(article).click()
    expect(article.get_by_text(BEHIND)).to_be_visible()
    someone.close()


def test_it_has_its_room_on_a_phone(account, browser, author):
    posted(author, f"<p>{BEHIND}</p>", contentWarning="w" * 200)
    someone = Person(browser, account.url, width=320, height=568, **HAND).sign_in(account.email)
    someone.page.goto("/feed")
    article = someone.page.locator("article.post")
    for _ in range(2):
        assert someone.page.evaluate(TOO_WIDE) == [0, []]
        assert summary(article).bounding_box()["height"] >= 44
        summary(article).tap()
    someone.page.goto("/feed/new")
    someone.page.locator(".later.warn > summary").tap()
    expect(someone.page.get_by_label("Content warning")).to_be_visible()
    # The toolbar of the editor scrolls within itself.
    assert someone.page.evaluate(TOO_WIDE)[0] == 0
    someone.close()


def test_what_is_written_behind_a_warning_is_saved_and_posted_with_it(account, person):
    write(person.page, BEHIND)
    expect(person.page.get_by_label("Content warning")).to_be_hidden()
    person.page.locator(".later.warn > summary").click()
    person.page.get_by_label("Content warning").fill(WARNING)
    wait_until(lambda: [draft(account, one["draftId"]).get("contentWarning") for one in drafts(account)] == [WARNING],
               what="it is saved with its warning")
    # The page knows it, too: its address names the draft.
    is_saved(person.page)
    person.page.reload()
    expect(person.page.get_by_label("Content warning")).to_have_value(WARNING)
    expect(field(person.page)).to_contain_text(BEHIND)
    publish(person.page)
    person.page.wait_for_url("**/feed")
    [entry] = account.call("GET", "/v1/feed", expect=200).json()["feed"]
    assert entry["contentWarning"] == WARNING and entry["contentSummary"] == f"<p>{BEHIND}</p>"
    is_folded(person.page.locator("article.post"))


def test_a_warning_is_changed_and_taken_away_in_the_form_that_edits(account, person):
    post = warned(account)
    for now, then in ((WARNING, "Sad"), ("Sad", "")):
        person.page.goto(f"/posts/{post}/edit")
        expect(person.page.get_by_label("Content warning")).to_have_value(now)
        person.page.get_by_label("Content warning").fill(then)
        save(person.page)
        person.page.wait_for_url(f"**/posts/{post}")
        assert read(account, post).get("contentWarning", "") == then
    person.page.goto(f"/posts/{post}/history")
    expect(person.page.locator(".warned > summary")).to_have_count(2)


def test_an_edit_that_met_another_one_shows_the_warning_of_the_post_as_it_is_now(account, person):
    post = posted(account, "<p>first</p>")
    person.page.goto(f"/posts/{post}/edit")
    person.page.get_by_label("What would you like to say?").fill("from here")
    account.call("PATCH", f"/v1/posts/{post}", expect=200,
                 json={"baseVersion": 1, "content": "<p>from elsewhere</p>", "contentWarning": WARNING})
    save(person.page)
    now = person.page.locator(".elsewhere")
    expect(now).to_contain_text(f"Content warning: {WARNING}")
    expect(now).to_contain_text("from elsewhere")


def test_notifications_show_the_warning_and_nothing_behind_it(account, person, author):
    act(author, warned(account), "LIKED")
    person.page.goto("/feed/notifications")
    expect(person.page.get_by_text(f"Content warning: {WARNING}")).to_be_visible()
    assert BEHIND not in person.page.content()
