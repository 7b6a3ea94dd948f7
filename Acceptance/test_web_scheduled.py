"""A post is written now and posted later, in a browser."""

import datetime

from browser import is_said
from test_feed_scheduled import at, schedule, waiting
from test_web_drafts import drafts
from test_web_feed import article, open_feed
from waiting import wait_until


def field(**delta):
    """A time as the browser's field has it, by the clock of the person's zone."""
    now = datetime.datetime.now(datetime.timezone(datetime.timedelta(hours=1)))
    return (now + datetime.timedelta(**delta)).strftime("%Y-%m-%dT%H:%M")


def write(person, text, time=None):
    open_feed(person).get_by_role("link", name="New post").click()
    person.page.get_by_label("What would you like to say?").click()
    person.page.keyboard.type(text)
    if time is not None:
        person.page.get_by_label("Post later").check()
        person.page.get_by_label("When").fill(time)
    person.page.get_by_role("button", name="Post", exact=True).click()


def test_a_post_is_scheduled_moved_and_posted(account, person):
    write(person, "for **later**", field(days=3))
    person.page.wait_for_url("**/feed")
    is_said(person.page, "Your post is scheduled for ")
    assert article(person, "for later").count() == 0
    [post] = waiting(account)
    assert post["content"] == "<p>for <strong>later</strong></p>"
    person.page.goto("/feed/drafts")
    person.page.get_by_role("link", name="Scheduled").click()
    row = person.page.locator(".entry", has_text="for later")
    row.get_by_text("Scheduled for").wait_for()
    row.locator("summary").click()
    row.get_by_label("When").fill(field(days=5))
    row.get_by_role("button", name="Change").click()
    is_said(person.page, "It is scheduled for ")
    assert waiting(account)[0]["publishAt"] > post["publishAt"]
    person.page.get_by_role("button", name="Post now: for later").click()
    is_said(person.page, "Posted.")
    person.page.get_by_role("heading", name="Nothing is scheduled").wait_for()
    open_feed(person)
    article(person, "for later").wait_for()


def test_a_draft_keeps_its_time(account, person):
    open_feed(person).get_by_role("link", name="New post").click()
    person.page.get_by_label("What would you like to say?").click()
    person.page.keyboard.type("some day")
    person.page.get_by_label("Post later").check()
    time = field(days=4)
    person.page.get_by_label("When").fill(time)
    person.page.get_by_text("Draft saved").wait_for()
    wait_until(lambda: [one for one in drafts(account) if "publishAt" in account.call("GET", f"/v1/drafts/{one['draftId']}").json()],
               what="its time is saved")
    person.page.goto("/feed/drafts")
    person.page.get_by_role("link", name="Open: some day").click()
    assert person.page.get_by_label("When").input_value() == time
    person.page.get_by_role("button", name="Post", exact=True).click()
    person.page.wait_for_url("**/feed")
    [post] = waiting(account)
    assert post["content"] == "<p>some day</p>" and drafts(account) == []


def test_a_time_that_is_over_keeps_what_was_written(account, person):
    write(person, "too late", field(days=-1))
    person.page.get_by_text("That time is in the past. Choose a later one.").first.wait_for()
    assert person.page.get_by_label("What would you like to say?").inner_text().strip() == "too late"
    assert person.page.get_by_label("When").is_visible() and waiting(account) == []


def test_later_without_a_time_is_not_at_once(account, person):
    write(person, "some day")
    person.page.wait_for_url("**/feed")
    write(person, "not now", "")
    person.page.get_by_text("Choose a date and a time.").first.wait_for()
    assert person.page.get_by_label("Post later").is_checked()
    person.page.get_by_label("When").fill(field(days=2))
    person.page.get_by_label("Post later").uncheck()
    person.page.get_by_role("button", name="Post", exact=True).click()
    person.page.wait_for_url("**/feed")
    is_said(person.page, "Posted.")
    assert waiting(account) == [] and article(person, "not now").count() == 1


def test_a_scheduled_post_is_deleted_after_a_question(account, person):
    schedule(account, at(days=1), content="<p>never &lt;b&gt;</p>")
    person.page.goto("/feed/scheduled")
    person.page.get_by_role("button", name="Delete: never <b>").click()
    person.page.get_by_role("heading", name="Delete this post?").wait_for()
    person.page.get_by_role("button", name="Delete", exact=True).click()
    is_said(person.page, "will not be posted")
    assert waiting(account) == []
