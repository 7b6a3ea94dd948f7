"""Drafts of posts are kept with the account: two devices that write one lose nothing, and post it once."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from api import Api, new_id, problem
from documented import assert_documented
from test_feed import PIXEL, attached, fetched, follow, ids, page, read, uploaded
from waiting import wait_until

LARGEST = 2 ** 53 - 1


@pytest.fixture
def other(api, shared_server):
    other = Api(shared_server.url).login(api.user["email"])
    yield other
    other.close()


def new_draft():
    return random.randint(1, LARGEST)


def put(api, draft, text="<p>kind</p>", headers=None, **more):
    path = f"/v1/drafts/{draft}"
    response = api.call("PUT", path, json={"content": text, **more}, headers=headers)
    assert_documented(response, "PUT", "/v1/drafts/{draftId}")
    return response


def saved(api, draft, text="<p>kind</p>", **more):
    response = put(api, draft, text, **more)
    assert response.status_code in (200, 201), response.text
    return response.json()


def drafts(api):
    response = api.call("GET", "/v1/drafts", expect=200)
    assert_documented(response, "GET", "/v1/drafts")
    return response.json()["drafts"]


def draft(api, id):
    return api.call("GET", f"/v1/drafts/{id}", expect=200).json()


def texts(api):
    return sorted(draft(api, one["draftId"])["content"] for one in drafts(api))


def post(api, draft, text="<p>kind</p>", **more):
    response = api.call("POST", "/v1/posts", json={"content": text, "draftId": draft, **more})
    assert_documented(response, "POST", "/v1/posts")
    return response


def test_a_draft_is_there_on_every_device_of_its_author_alone(api, other, new_account):
    id, stranger = new_draft(), new_account()
    response = put(api, id, "<p>The <b>hut</b><script>evil()</script></p>", publishAt="2030-01-01T08:00:00.000Z")
    assert response.status_code == 201 and response.headers["location"] == f"/v1/drafts/{id}"
    assert response.headers["etag"] == '"1"' and response.json() == draft(other, id)
    kept = draft(other, id)
    assert kept["content"] == "<p>The <strong>hut</strong></p>" and kept["publishAt"] == "2030-01-01T08:00:00.000Z"
    [listed] = drafts(other)
    assert listed == {"draftId": id, "version": 1, "contentSummary": kept["content"], "isCut": False,
                      "attachmentCount": 0, "publishAt": kept["publishAt"], "updatedAt": kept["updatedAt"]}
    assert drafts(stranger) == []
    for method in ("GET", "DELETE"):
        problem(stranger.call(method, f"/v1/drafts/{id}"), 404, "not_found")
    assert saved(stranger, id, "<p>mine</p>")["version"] == 1 and draft(api, id) == kept, "ids are one's own"
    assert ids(api) == [], "nothing is posted"


def test_whom_a_draft_is_to_is_kept_with_it(api, other, new_account):
    id, grace, ben = new_draft(), new_account(), new_account()
    people = {"kind": "people", "people": [grace.user["id"], ben.user["id"]]}
    assert "audience" not in saved(api, id) and "audience" not in draft(other, id)
    kept = saved(api, id, baseVersion=1, audience=people)
    assert kept["version"] == 2 and kept == draft(other, id)
    assert (kept["audience"]["kind"], {one["id"] for one in kept["audience"]["people"]}) == (
        "people", set(people["people"]))
    again = saved(other, id, baseVersion=2, audience={"kind": "people", "people": people["people"][::-1]})
    assert again["version"] == 2, "in another order they are the same people"
    assert saved(other, id, "<p>more</p>", baseVersion=2)["audience"] == kept["audience"], "who does not say changes nothing"
    copy = saved(api, id, "<p>else</p>", baseVersion=2)
    assert copy["copiedFrom"] == id and copy["audience"] == kept["audience"]
    assert saved(api, id, baseVersion=3, audience={"kind": "followers"})["audience"] == {"kind": "followers"}


def test_a_draft_to_people_may_name_nobody_yet_and_those_who_left_are_named_no_more(api, new_account):
    id, ben = new_draft(), new_account()
    assert saved(api, id, audience={"kind": "people"})["audience"] == {"kind": "people", "people": []}
    named = {"kind": "people", "people": [ben.user["id"], api.user["id"]]}
    kept = saved(api, id, baseVersion=1, audience=named)
    assert [one["id"] for one in kept["audience"]["people"]] == [ben.user["id"]], "the author reads it anyway"
    ben.call("PUT", f"/v1/users/{api.user['id']}/block", expect=204)
    assert draft(api, id)["audience"] == {"kind": "people", "people": []}
    assert saved(api, id, "<p>more</p>", baseVersion=2)["version"] == 3, "it can be written on"


@pytest.mark.parametrize("audience", [
    {"kind": "friends"}, {"people": [1]}, {"kind": "everyone", "people": [1]},
    {"kind": "people", "people": list(range(1, 102))}, {"kind": "people", "people": ["a"]}, "everyone",
])
def test_a_draft_to_whoever_cannot_be_read_is_refused(api, audience):
    id = new_draft()
    saved(api, id, audience={"kind": "followers"})
    problem(put(api, id, "<p>more</p>", baseVersion=1, audience=audience), 400, ("invalid_parameter", "malformed_request"))
    assert draft(api, id)["version"] == 1


def test_a_draft_may_be_empty_and_grows_as_one_types(api):
    id, text = new_draft(), ""
    for version in range(1, 5):
        assert saved(api, id, text, baseVersion=version - 1)["version"] == version
        text += "<p>more</p>"
    assert draft(api, id)["content"] == "<p>more</p>" * 3
    assert saved(api, id, "<p>more</p>" * 3, baseVersion=1)["version"] == 4, "the same text is no change"


def test_a_draft_that_two_devices_change_becomes_two(api, other):
    id = new_draft()
    saved(api, id, "<p>first</p>")
    assert saved(other, id, "<p>there</p>", baseVersion=1)["version"] == 2
    response = put(api, id, "<p>here</p>", baseVersion=1)
    copy = response.json()
    assert response.status_code == 201 and copy["copiedFrom"] == id != copy["draftId"]
    assert response.headers["location"] == f"/v1/drafts/{copy['draftId']}"
    assert draft(api, id)["content"] == "<p>there</p>" and draft(other, copy["draftId"])["content"] == "<p>here</p>"
    again = put(api, id, "<p>here</p>", baseVersion=1)
    assert again.status_code == 200 and again.json() == copy and len(drafts(api)) == 2, "a repetition makes no third"
    assert saved(api, copy["draftId"], "<p>here too</p>", baseVersion=1)["version"] == 2


def test_an_editor_that_did_not_hear_the_answer_goes_on_in_the_same_draft(api, other):
    id = new_draft()
    for text in ("<p>a</p>", "<p>a b</p>", "<p>a b c</p>"):
        kept = saved(api, id, text, editorId="here")
    assert kept["version"] == 3 and texts(api) == ["<p>a b c</p>"]
    saved(other, id, "<p>z</p>", editorId="there")
    assert texts(api) == ["<p>a b c</p>", "<p>z</p>"]


def test_many_who_save_at_once_lose_nothing(api):
    id, said = new_draft(), [f"<p>{number}</p>" for number in range(12)]
    saved(api, id, "<p>first</p>")
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda text: saved(api, id, text, baseVersion=1, editorId=text), said))
    assert texts(api) == sorted(said)


def test_if_match_saves_and_deletes_only_what_was_seen(api):
    id = new_draft()
    problem(put(api, id, headers={"If-Match": '"1"'}), 412, "version_mismatch")
    problem(put(api, id, headers={"If-Match": "*"}), 412, "version_mismatch")
    saved(api, id)
    refused = put(api, id, "<p>other</p>", headers={"If-Match": '"2"'}, baseVersion=2)
    assert problem(refused, 412, "version_mismatch")["currentVersion"] == 1
    problem(api.call("DELETE", f"/v1/drafts/{id}", headers={"If-Match": '"7"'}), 412, "version_mismatch")
    assert saved(api, id, "<p>other</p>", headers={"If-Match": '"1"'}, baseVersion=1)["version"] == 2
    api.call("DELETE", f"/v1/drafts/{id}", headers={"If-Match": '"1", "2"'}, expect=204)
    problem(api.call("DELETE", f"/v1/drafts/{id}"), 404, "not_found")
    assert drafts(api) == []


def test_what_was_typed_elsewhere_outlives_a_deletion(api, other):
    id = new_draft()
    saved(api, id)
    other.call("DELETE", f"/v1/drafts/{id}", expect=204)
    kept = saved(api, id, "<p>more</p>", baseVersion=1)
    assert (kept["draftId"], kept["version"], "copiedFrom" in kept) == (id, 2, False)


def test_a_draft_that_two_devices_post_is_one_post(api, other, new_account):
    id, reader = new_draft(), new_account()
    follow(reader, api)
    saved(api, id)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda device: post(device, id), (api, other) * 4))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.headers["location"] for answer in answers}) == 1 == len(ids(api)) == len(ids(reader))
    assert drafts(other) == []


def test_a_second_device_is_told_that_a_draft_was_posted(api, other):
    id = new_draft()
    saved(api, id)
    made = int(post(api, id, "<p>first</p>").headers["location"].removeprefix("/v1/posts/"))
    assert problem(post(other, id, "<p>second</p>"), 409, "draft_posted")["postId"] == made
    assert problem(put(other, id, "<p>second</p>", baseVersion=1), 409, "draft_posted")["postId"] == made
    assert ids(api) == [made] and read(api, made)["content"] == "<p>first</p>" and drafts(api) == []
    api.call("DELETE", f"/v1/posts/{made}", expect=204)
    problem(post(other, id, "<p>second</p>"), 409, "draft_posted")
    problem(put(other, id, "<p>second</p>"), 409, "draft_posted")
    assert ids(api) == [], "a post that was deleted does not come back by its draft"


def test_what_was_typed_after_the_version_that_is_posted_stays(api, other):
    id = new_draft()
    saved(api, id, attachments=[attached(uploaded(api))])
    saved(other, id, "<p>more</p>", baseVersion=1, attachments=[attached(uploaded(api), caption="A dot")])
    assert post(api, id, draftVersion=1).status_code == 201
    [rest] = drafts(api)
    kept = draft(api, rest["draftId"])
    assert kept["copiedFrom"] == id != kept["draftId"] and kept["content"] == "<p>more</p>"
    assert [one["caption"] for one in kept["attachments"]] == ["A dot"]


def test_a_later_version_that_says_what_is_posted_leaves_no_copy(api):
    """A save that came just before the post left a draft of what was posted."""
    id, file = new_draft(), uploaded(api)
    saved(api, id)
    saved(api, id, "<p>more</p>", baseVersion=1, attachments=[attached(file, caption="A dot")])
    assert post(api, id, "<p>more</p>", draftVersion=1, attachments=[attached(file, caption="A dot")]).status_code == 201
    assert drafts(api) == []
    saved(api, other := new_draft())
    saved(api, other, "<p>more</p>", baseVersion=1, attachments=[attached(file, caption="Another dot")])
    assert post(api, other, "<p>more</p>", draftVersion=1, attachments=[attached(file, caption="A dot")]).status_code == 201
    assert texts(api) == ["<p>more</p>"], "a caption is something that was written, too"


@pytest.mark.parametrize("more, status, code", [
    ({"draftId": 0}, 400, "invalid_parameter"), ({"draftId": LARGEST + 1}, 400, "invalid_parameter"),
    ({"draftId": "x"}, 400, "malformed_request"), ({"draftId": 7, "requestId": "8"}, 400, "invalid_parameter")])
def test_a_post_of_no_draft_is_refused(untouched, more, status, code):
    problem(untouched.call("POST", "/v1/posts", json={"content": "a", **more}), status, code)


@pytest.mark.parametrize("id, status, code", [
    *[(id, 404, "not_found") for id in ("0", "-1", "x", "1.5", "9223372036854775808")],
    (str(LARGEST + 1), 400, "invalid_parameter")])
def test_a_draft_under_another_id_than_a_number_is_refused(untouched, id, status, code):
    problem(untouched.call("PUT", f"/v1/drafts/{id}", json={"content": "a"}), status, code)


@pytest.mark.parametrize("more, code", [
    ({"baseVersion": -1}, "invalid_parameter"), ({"baseVersion": LARGEST + 1}, "invalid_parameter"),
    ({"baseVersion": "x"}, "malformed_request"), ({"editorId": ""}, "invalid_parameter"),
    ({"editorId": "é" * 33}, "invalid_parameter"), ({"publishAt": "tomorrow"}, "malformed_request"),
    ({"content": "a" * (64 * 1024 + 1)}, "invalid_parameter"), ({"content": None}, "malformed_request"),
    ({"attachments": [{"type": "image", "contentUrl": "nonsense"}]}, "invalid_parameter"),
    ({"attachments": [{"type": "image", "contentUrl": "/v1/content/019acb1e-7a3f-7000-8000-000000000000"}]}, "invalid_parameter"),
    ({"attachments": [{"type": "smell", "contentUrl": "/v1/content/x"}]}, "malformed_request")])
def test_a_draft_that_is_none_is_refused_and_nothing_is_saved(untouched, more, code):
    id = new_draft()
    problem(untouched.call("PUT", f"/v1/drafts/{id}", json={"content": "a", **more}), 400, code)
    problem(untouched.call("GET", f"/v1/drafts/{id}"), 404, "not_found")


def test_an_account_has_at_most_500_drafts(new_account):
    api, made = new_account(), [new_draft() for _ in range(500)]
    with ThreadPoolExecutor(8) as pool:
        told = pool.map(lambda id: api.call("PUT", f"/v1/drafts/{id}", json={"content": str(id)}).status_code, made)
    assert set(told) == {201}
    assert problem(put(api, new_draft()), 422, "too_many_drafts")["limit"] == 500
    problem(put(api, made[0], "conflict"), 422, "too_many_drafts")
    assert draft(api, made[0])["content"] == f"<p>{made[0]}</p>"
    saved(api, made[0], "<p>changed</p>", baseVersion=1)
    assert drafts(api)[0]["draftId"] == made[0] and len(drafts(api)) == 500
    api.call("DELETE", f"/v1/drafts/{made[1]}", expect=204)
    saved(api, new_draft())


def test_what_is_attached_to_a_draft_stays_readable(api):
    file, gone, id = uploaded(api, name="a.png"), uploaded(api, PIXEL + b"2"), new_draft()
    saved(api, id, "", attachments=[attached(file, caption="A dot"), attached(gone)])
    kept = draft(api, id)
    assert [one["fileId"] for one in kept["attachments"]] == [file["id"], gone["id"]] and kept["goneAttachments"] == 0
    assert kept["attachments"][0]["name"] == "a.png" and kept["attachments"][0]["caption"] == "A dot"
    assert fetched(api, kept["attachments"][0]["contentUrl"]) == ("image/png", PIXEL)
    assert fetched(api, kept["attachments"][0]["previewImageUrl"])[0] == "image/webp"
    api.delete(gone["id"], permanent="true")
    wait_until(lambda: draft(api, id)["goneAttachments"] == 1)
    assert [one["name"] for one in draft(api, id)["attachments"]] == ["a.png"]


def test_drafts_go_with_their_account(server, new_account):
    anna = new_account(server, "anna@example.org")
    saved(anna, new_draft())
    assert server.admin("user", "delete", anna.user["email"], "--yes").returncode == 0
