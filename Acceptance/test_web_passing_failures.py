"""What passes by itself is told from what is refused, to whoever sends a form again that has waited."""

import pytest

from api import Api, new_id
from browser import Person
from test_feed import posted, read
from test_full_disk import MIB, small_disk, small_server  # noqa: F401
from waiting import wait_until


def sent(person, place, **form):
    """As the worker sends it: the status, and whether it was done."""
    token = person.page.locator("[name=token]").first.input_value()
    answer = person.page.request.post(
        place, form={"token": token, **form}, headers={"Origin": person.url, "Accept": "application/json"})
    return answer.status, answer.json().get("isDone")


@pytest.mark.needs_root
def test_what_a_full_disk_has_no_room_for_is_not_called_refused(small_server, browser):  # noqa: F811
    """A comment that met one was given up by the browser, and a like was taken back."""
    server, disk = small_server("64m", "--min-free", "20MiB")
    email = f"{new_id()}@example.org"
    author = Api(server.url).register(email)
    post = posted(author)
    person = Person(browser, server.url).sign_in(email)
    person.page.goto(f"/posts/{post}")
    forms = {f"/posts/{post}/comments": {"text": "kind", "request": new_id()}, f"/posts/{post}/act": {"act": "LIKED"},
             "/feed/new": {"act": "publish", "text": "later", "request": "4711"}}
    draft = {"act": "draft", "html": "<p>later</p>", "request": "4712"}
    disk.fill(leave=10 * MIB)
    for place, form in forms.items():
        wait_until(lambda: sent(person, place, **form) == (507, False), what=f"{place} says that there is no room")
    assert sent(person, "/feed/new", **draft) == (507, False)
    assert sent(person, f"/posts/{post}/comments", text="") == (422, False), "what nobody can take is refused all the same"
    disk.make_room()
    for place, form in forms.items():
        wait_until(lambda: sent(person, place, **form) == (200, True), what=f"{place} is done")
    seen = read(author, post)
    assert (seen["commentCount"], seen["liked"]) == (1, True)
    person.close()
