"""A picture of one's own drive stands for a person, as a small square that says nothing of where it was taken."""

import pytest

from api import new_id, problem
from documented import assert_documented
from pictures import film, is_webp, lying, picture, size
from test_feed import follow, page, posted, read
from test_media import put
from waiting import wait_until

WORDS = "behind the old mill"


@pytest.fixture
def reader(api, new_account):
    reader = new_account()
    follow(reader, api)
    return reader


def choose(api, address, status=200):
    response = api.call("PATCH", "/v1/users/me", json={"picture": address})
    assert_documented(response, "PATCH", "/v1/users/me")
    assert response.status_code == status, response.text
    return response.json()


def shown(api, path, **headers):
    response = api.call("GET", path, headers=headers)
    assert_documented(response, "GET", "/v1/users/{userId}/picture")
    return response


def used(api):
    return api.call("GET", "/v1/about", expect=200).json()["quota"]["used"]


def test_a_picture_is_a_small_square_for_whoever_sees_the_profile(api, reader):
    before = api.call("GET", "/v1/users/me", expect=200).json()["profileImageThumbnailUrl"]
    assert shown(reader, before).headers["content-type"] == "image/svg+xml"
    file = put(api, "me.jpg", lying(picture("jpg", 900, 600), WORDS), "image/jpeg")
    path = choose(api, file["downloadUrl"])["profileImageThumbnailUrl"]
    assert path.startswith(f"{before}?v=")
    answer = shown(reader, path)
    assert answer.status_code == 200 and is_webp(answer.content) and size(answer.content) == (256, 256)
    assert WORDS.encode() not in answer.content and b"EXIF" not in answer.content
    assert shown(reader, path, **{"If-None-Match": answer.headers["etag"]}).status_code == 304
    small = shown(reader, path, Accept="image/jpeg")
    assert small.headers["content-type"] == "image/jpeg" and "Accept" in small.headers["vary"]


def test_it_is_beside_all_that_its_person_says(api, reader):
    file = put(api, "me.png", picture("png", 300, 300), "image/png")
    path = choose(api, file["downloadUrl"])["profileImageThumbnailUrl"]
    post = posted(api)
    api.call("POST", f"/v1/posts/{post}/comments", json={"requestId": new_id(), "content": "a"}, expect=201)
    comments = reader.call("GET", f"/v1/posts/{post}/comments", expect=200).json()["comments"]
    seen = [page(reader)["feed"][0]["author"], read(reader, post)["author"], comments[0]["author"],
            reader.call("GET", f"/v1/users/{api.user['id']}", expect=200).json()]
    assert {one["profileImageThumbnailUrl"] for one in seen} == {path}


def test_another_picture_has_another_address_and_none_is_the_initials(api, reader):
    first = choose(api, put(api, "a.png", picture("png", 300, 300), "image/png")["downloadUrl"])["profileImageThumbnailUrl"]
    second = choose(api, put(api, "b.png", picture("png", 300, 200), "image/png")["downloadUrl"])["profileImageThumbnailUrl"]
    assert first != second and shown(reader, first).content == shown(reader, second).content, "there is one at a time"
    assert api.call("PATCH", "/v1/users/me", json={"bio": "x"}, expect=200).json()["profileImageThumbnailUrl"] == second
    none = choose(api, "")["profileImageThumbnailUrl"]
    assert "?" not in none and shown(reader, none).headers["content-type"] == "image/svg+xml"
    assert shown(reader, second).headers["content-type"] == "image/svg+xml"


def test_it_stays_when_its_file_is_deleted_and_gives_its_room_back_when_it_goes(api, reader):
    before, data = used(api), picture("png", 320, 240)
    file = put(api, "me.png", data, "image/png")
    path = choose(api, file["downloadUrl"])["profileImageThumbnailUrl"]
    api.delete(file["id"], permanent="true")
    wait_until(lambda: api.call("GET", "/v1/storage", expect=200).json()["posts"]["count"] == 1)
    assert size(shown(reader, path).content) == (256, 256) and used(api) == before + len(data)
    choose(api, "")
    assert used(api) == before


def test_what_is_no_picture_of_ones_own_is_refused_and_changes_nothing(api, reader):
    path = choose(api, put(api, "me.png", picture("png", 300, 300), "image/png")["downloadUrl"])["profileImageThumbnailUrl"]
    theirs = put(reader, "theirs.png", picture("png", 300, 300), "image/png")
    moving, words = put(api, "f.mp4", film(), "video/mp4"), put(api, "a.txt", b"words", "text/plain")
    for address in (theirs["downloadUrl"], moving["downloadUrl"], words["downloadUrl"], "https://example.org/a.png", "x",
                    f"/v1/content/{new_id()}"):
        response = api.call("PATCH", "/v1/users/me", json={"picture": address, "bio": "changed"})
        problem(response, 400, "invalid_parameter")
    you = api.call("GET", "/v1/users/me", expect=200).json()
    assert you["profileImageThumbnailUrl"] == path and "bio" not in you


def test_whom_a_block_hides_shows_no_picture(api, reader):
    path = choose(api, put(api, "me.png", picture("png", 300, 300), "image/png")["downloadUrl"])["profileImageThumbnailUrl"]
    assert shown(reader, path).status_code == 200
    api.call("PUT", f"/v1/users/{reader.user['id']}/block", expect=204)
    problem(shown(reader, path), 404, "not_found")
    assert reader.call("GET", path, token="").status_code == 401


def test_the_command_line_chooses_a_picture_and_takes_it_away(server, new_device):
    device = new_device().register(server.url, f"{new_id()}@example.org")
    (device.home / "me.png").write_bytes(picture("png", 300, 300))
    (device.home / "a.txt").write_text("words")
    device.put("me.png", "/")
    device.put("a.txt", "/")
    assert "?v=" in device.json("feed", "profile", "--picture", "/me.png")["profileImageThumbnailUrl"]
    assert device.run("feed", "profile", "--picture", "/a.txt", check=False).code != 0
    assert "?v=" in device.json("feed", "profile")["profileImageThumbnailUrl"]
    assert "?v=" not in device.json("feed", "profile", "--picture", "none")["profileImageThumbnailUrl"]
