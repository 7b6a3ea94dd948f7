"""Whoever comments goes on where they commented: on whatever page of the comments, and where it was refused, too."""

from api import new_id
from browser import Person, expect, is_said
from test_feed import act, posted
from test_web_feed import author  # noqa: F401

#: What is refused is refused on purpose.
COMPLAINTS = ("status of 4",)


def commented(api, post, text):
    body = {"requestId": new_id(), "content": f"<p>{text}</p>"}
    return api.call("POST", f"/v1/posts/{post}/comments", json=body, expect=201).json()["commentId"]


def open_reply(page, comment):
    part = page.locator(f"#comment-{comment}")
    part.get_by_text("Reply", exact=True).click()
    part.get_by_role("textbox").click()
    return part


def reply(page, comment, text):
    part = open_reply(page, comment)
    page.keyboard.type(text)
    part.get_by_role("button", name="Send").click()


def in_view(page, selector):
    part = page.locator(selector)
    part.wait_for()
    expect(part).to_be_in_viewport()


def test_a_reply_beyond_the_first_page_is_seen_where_it_was_written(account, person, author):
    post = posted(author, "<p>long talk</p>")
    last = [commented(author, post, f"number {number}") for number in range(35)][-1]
    person.page.goto(f"/posts/{post}")
    person.page.get_by_role("link", name="Show more comments").click()
    person.page.wait_for_url("**after=*")
    reply(person.page, last, "I agree")
    is_said(person.page, "Your comment was sent.")
    in_view(person.page, f"#comment-{last}")
    person.page.locator("article.comment.reply", has_text="I agree").wait_for()
    assert "after=" in person.page.url


def test_a_reply_that_is_refused_is_told_where_it_was_typed(browser, account, author):
    post = posted(author, "<p>long talk</p>")
    first, *_ = [commented(author, post, f"number {number}") for number in range(25)]
    someone = Person(browser, account.url, scripts=False)
    someone.sign_in(account.email)
    someone.page.wait_for_url(account.url + "/")
    someone.page.goto(f"/posts/{post}")
    part = someone.page.locator(f"#comment-{first}")
    part.get_by_text("Reply", exact=True).click()
    part.get_by_role("textbox").fill("x" * (17 << 10))
    part.get_by_role("button", name="Send").click()
    notice = part.get_by_text("A comment has at most 16 KiB of text.")
    notice.wait_for()
    expect(notice).to_be_in_viewport()
    assert part.get_by_role("textbox").input_value().startswith("xxx"), "nothing that was typed is lost"
    someone.close()


def test_a_reply_to_what_is_gone_comes_back_below_the_comments(account, person, author):
    post = posted(author, "<p>long talk</p>")
    first, second, *_ = [commented(author, post, f"number {number}") for number in range(25)]
    person.page.goto(f"/posts/{post}")
    part = open_reply(person.page, first)
    for gone in (first, second):
        author.call("DELETE", f"/v1/posts/{post}/comments/{gone}", expect=204)
    expect(person.page.locator(f"#comment-{second}")).to_have_count(0)  # the page has heard; what is answered stays all the same
    person.page.keyboard.type("too late")
    part.get_by_role("button", name="Send").click()
    notice = person.page.locator("#comments > [role=alert]")
    notice.wait_for()
    expect(notice).to_be_in_viewport()
    assert person.page.locator("#write").get_by_role("textbox").inner_text().strip() == "too late"


def test_an_address_in_a_form_leads_nowhere_else(account, person, author):
    post = posted(author, "<p>short talk</p>")
    person.page.goto(f"/posts/{post}")
    token = person.page.locator("#write [name=token]").get_attribute("value")
    answer = person.page.request.post(
        f"/posts/{post}/comments", max_redirects=0, headers={"Origin": person.url},
        form={"token": token, "act": "comment", "text": "hello", "after": "x&y=//elsewhere.example/#z\r\nSet-Cookie: a=b"})
    assert answer.status == 303
    assert answer.headers["location"].startswith(f"/posts/{post}?after=x%26y%3D%2F%2Felsewhere")
    assert answer.headers["location"].endswith("#write") and "a=b" not in answer.headers.get("set-cookie", "")


def test_an_open_post_moves_as_others_answer_it(account, person, author):
    post = posted(author, "<p>live talk</p>")
    page = person.page
    page.goto(f"/posts/{post}")
    page.get_by_text("No comments yet").wait_for()
    typed = page.locator("#write").get_by_role("textbox")
    typed.click()
    page.keyboard.type("half a")
    first = commented(author, post, "the first")
    page.locator(f"#comment-{first}").wait_for()
    expect(page.get_by_text("No comments yet")).to_have_count(0)
    page.keyboard.type(" thought")
    expect(typed).to_have_text("half a thought")
    expect(page.locator(".post.whole a.reaction .number")).to_have_text("1")
    act(author, post, "LIKED")
    page.get_by_text("1 person likes it").wait_for()
    second = commented(author, post, "the second")
    page.locator(f"#comment-{second}").wait_for()
    assert page.locator("article.comment").evaluate_all("all => all.map(one => one.id)") == [f"comment-{first}", f"comment-{second}"]
    # What came by itself can be replied to like any other.
    reply(page, second, "so it is")
    is_said(page, "Your comment was sent.")
    author.call("DELETE", f"/v1/posts/{post}/comments/{first}", expect=204)
    expect(page.locator(f"#comment-{first} .said")).to_have_count(0)


def test_an_open_post_moves_as_it_is_edited_deleted_and_put_back(account, person, author):
    post = posted(author, "<p>the hut is closed</p>")
    page = person.page
    page.goto(f"/posts/{post}")
    typed = page.locator("#write").get_by_role("textbox")
    typed.click()
    page.keyboard.type("half a thought")
    said = page.locator(".post.whole .said")
    author.call("PATCH", f"/v1/posts/{post}", json={"requestId": new_id(), "baseVersion": 1, "content": "<p>the hut is open</p>"}, expect=200)
    expect(said).to_have_text("the hut is open")
    page.locator(".post.whole").get_by_text("Edited").wait_for()
    author.call("DELETE", f"/v1/posts/{post}", expect=204)
    gone = page.get_by_role("alert").get_by_text("This post no longer exists.")
    gone.wait_for()
    expect(said).to_have_text("the hut is open")
    expect(typed).to_have_text("half a thought")
    author.call("POST", f"/v1/posts/{post}/restore", json={"requestId": new_id()}, expect=200)
    expect(gone).to_have_count(0)
    expect(typed).to_have_text("half a thought")


def test_who_may_not_read_a_post_hears_nothing_of_it(new_account, person, author):
    stranger = new_account()
    post = posted(stranger, "<p>not for all</p>", audience={"kind": "followers"})
    page = person.page
    page.goto("/feed")
    page.evaluate("""post => {
        globalThis.heard = [];
        const stream = new EventSource(`/feed/events?post=${post}`);
        stream.addEventListener("piece", ({ data }) => globalThis.heard.push(data)); }""", str(post))
    page.wait_for_function("() => globalThis.heard.length > 0")
    commented(stranger, post, "to myself")
    # What is told of later comes later.
    posted(author, "<p>for all</p>")
    page.wait_for_function("() => globalThis.heard.length > 1")
    assert not any("data-heard" in data for data in page.evaluate("globalThis.heard"))
