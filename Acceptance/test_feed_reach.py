"""What a post tells of its author's files, and whose feed it is in, whatever becomes of people."""

import pytest

from api import new_id, problem
from test_feed import act, attached, follow, house, ids, posted, read, try_post, uploaded  # noqa: F401 (a fixture)


def test_a_picture_tells_no_name_and_its_address_can_be_made_to_tell_none(api):
    file = uploaded(api, name="how-she-looked.png")
    post = posted(api, attachments=[attached(file)])
    api.patch(file["id"], name="secret-name.png")
    address = read(api, post)["attachments"][0]["contentUrl"]
    answer = api.http.get(address)
    assert answer.status_code == 200 and answer.headers["content-type"] == "image/png"
    assert "secret" not in answer.headers["content-disposition"] and "looked" not in answer.headers["content-disposition"]
    problem(api.http.get(address.replace(f"&post={post}", "")), 403, "url_invalid")
    problem(api.http.get(address.replace(f"&post={post}", "&post=x")), 403, "url_invalid")
    named = api.call("GET", f"/v1/files/{file['id']}", expect=200).json()["downloadUrl"]
    assert "secret-name.png" in api.http.get(named).headers["content-disposition"]
    problem(api.http.get(f"{named}&post={post}"), 403, "url_invalid")


@pytest.mark.parametrize("caption", ["", "x" * 1001, "e" + "\u0301" * 1000], ids=["none", "long", "one letter"])
def test_a_caption_has_1_to_1000_scalars(api, caption):
    problem(try_post(api, attachments=[attached(uploaded(api), caption=caption)]), 400, "invalid_parameter")


def test_what_acts_in_a_caption_is_taken_out(api):
    post = posted(api, attachments=[attached(uploaded(api), caption="a\r\n\x1b[31m\u202eb" + "x" * 900)])
    assert read(api, post)["attachments"][0]["caption"] == "a[31mb" + "x" * 900


def test_a_post_of_whom_one_follows_stays_whoever_else_has_shared_it(house, server):  # noqa: F811
    """It came by somebody else first."""
    anna, berta, clara = house
    follow(anna, berta)
    post = posted(clara)
    act(berta, post, "SHARED")
    assert ids(anna) == [post]
    follow(anna, clara)
    server.admin("user", "disable", berta.user["email"])
    assert ids(anna) == [post]
    server.admin("user", "delete", berta.user["email"], "--yes")
    assert ids(anna) == [post]


def test_who_is_disabled_can_be_followed_no_more(house, server):  # noqa: F811
    anna, berta, _ = house
    follow(anna, berta)
    posted(berta)
    server.admin("user", "disable", berta.user["email"])
    follow(anna, berta, "DELETE")
    server.admin("user", "enable", berta.user["email"])
    assert ids(anna) == []
    problem(anna.call("DELETE", "/v1/users/1/follow"), 404, "not_found")


def test_a_deletion_that_comes_again_is_answered_again_and_another_one_is_not(api):
    post, key = posted(api), {"Idempotency-Key": new_id()}
    for _ in range(2):
        assert api.call("DELETE", f"/v1/posts/{post}", headers=key, expect=204).headers["bothy-cursor"]
    problem(api.call("DELETE", f"/v1/posts/{post}", headers={"Idempotency-Key": new_id()}), 404, "not_found")
    other = posted(api)
    problem(api.call("DELETE", f"/v1/posts/{other}", headers=key), 422, "idempotency_mismatch")


def test_the_order_of_the_fields_of_a_post_makes_no_other_post(api):
    key = new_id()
    for body in (f'{{"requestId": "{key}", "content": "<p>a</p>"}}', f'{{"content":"<p>a</p>","requestId":"{key}"}}'):
        api.call("POST", "/v1/posts", content=body, headers={"Content-Type": "application/json"}, expect=201)
    assert len(ids(api)) == 1
