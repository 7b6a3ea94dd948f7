"""A post that was deleted is brought back, at once or within thirty days; and whoever is too much is muted or blocked from a post."""

import pytest

from browser import Person, expect, is_said
from test_feed import act, follow, ids, posted, read
from test_web_feed import article, author, open_feed  # noqa: F401


def delete(person, text):
    open_feed(person)
    menu(person, text).get_by_role("button", name="Delete").click()
    person.page.get_by_text("stays in “Deleted posts”").wait_for()
    person.page.get_by_role("button", name="Delete").click()
    is_said(person.page, "The post was deleted.")


def menu(person, text):
    article(person, text).locator(".menu-of summary").click()
    return article(person, text).locator(".menu-of")


def entry(person, text):
    return person.page.locator(".entry", has_text=text)


def test_a_deletion_is_taken_back_where_it_is_told(account, person, author):
    follow(author, account)
    post = posted(account, "<p>my hut</p>")
    act(author, post, "LIKED")
    delete(person, "my hut")
    assert ids(author) == []
    person.page.get_by_role("button", name="Undo").click()
    is_said(person.page, "The post was restored.")
    article(person, "my hut").wait_for()
    assert read(account, post)["likeCount"] == 1 and ids(author) == [post]


def test_a_deleted_post_is_restored_later_and_lies_where_it_lay(account, person):
    posted(account, "<p>older</p>")
    post = posted(account, "<p>my hut</p>")
    posted(account, "<p>newer</p>")
    delete(person, "my hut")
    expect(article(person, "my hut")).to_have_count(0)
    person.page.goto("/feed/drafts")
    person.page.get_by_role("link", name="Deleted posts").click()
    entry(person, "my hut").get_by_text("Deleted ").wait_for()
    person.page.get_by_role("button", name="Restore: my hut").click()
    is_said(person.page, "The post was restored.")
    assert person.page.locator("article.post .said").all_inner_texts() == ["newer", "my hut", "older"]
    assert person.page.url.endswith(f"#post-{post}")
    person.page.goto("/feed/trash")
    person.page.get_by_role("heading", name="No deleted posts").wait_for()


def test_what_is_deleted_for_good_is_asked_about_and_gone(account, person):
    post = posted(account, "<p>my hut</p>")
    delete(person, "my hut")
    person.page.goto("/feed/trash")
    person.page.get_by_role("button", name="Delete for good: my hut").click()
    person.page.get_by_role("heading", name="Delete this post for good?").wait_for()
    person.page.get_by_role("link", name="Cancel").click()
    entry(person, "my hut").wait_for()
    person.page.get_by_role("button", name="Delete for good: my hut").click()
    person.page.get_by_role("button", name="Delete for good").click()
    is_said(person.page, "The post was deleted for good.")
    expect(entry(person, "my hut")).to_have_count(0)
    assert account.call("POST", f"/v1/posts/{post}/restore").status_code == 404


def test_an_undo_that_comes_too_late_says_so(account, person):
    post = posted(account, "<p>my hut</p>")
    delete(person, "my hut")
    account.call("DELETE", f"/v1/posts/{post}", params={"permanent": "true"}, expect=204)
    person.page.get_by_role("button", name="Undo").click()
    is_said(person.page, "This post no longer exists: it was deleted for good.", failure=True)


def test_without_scripts_a_deletion_is_taken_back_too(browser, account):
    posted(account, "<p>plain</p>")
    someone = Person(browser, account.url, scripts=False)
    someone.sign_in(account.email)
    someone.page.wait_for_url(account.url + "/")
    delete(someone, "plain")
    someone.page.get_by_role("button", name="Undo").click()
    article(someone, "plain").wait_for()
    someone.close()


def test_an_author_is_muted_from_a_post(account, person, author):
    posted(author, "<p>too much</p>")
    open_feed(person)
    name = author.user["displayName"]
    menu(person, "too much").get_by_role("button", name=f"Mute {name}").click()
    is_said(person.page, f"{name} is muted. Their posts do not appear in your feed.")
    expect(article(person, "too much")).to_have_count(0)


def test_an_author_is_blocked_from_a_post_after_a_question(account, person, author):
    post = posted(author, "<p>too much</p>")
    open_feed(person)
    name = author.user["displayName"]
    menu(person, "too much").get_by_role("button", name=f"Block {name}…").click()
    person.page.get_by_role("heading", name=f"Block {name}?").wait_for()
    person.page.get_by_role("button", name="Block").click()
    is_said(person.page, f"{name} is blocked. You no longer see each other.")
    assert account.call("GET", f"/v1/posts/{post}").status_code == 404


@pytest.mark.parametrize("id", ["", "x", "9" * 30, "-1"])
def test_what_is_no_post_is_not_restored(account, person, id):
    person.page.goto("/feed/trash")
    token = person.page.locator("input[name=token]").first.get_attribute("value")
    answer = person.page.request.post("/feed/trash", form={"token": token, "act": "restore", "id": id}, max_redirects=0,
                                       headers={"Origin": person.url})
    assert answer.status in (303, 404)
