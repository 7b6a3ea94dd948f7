"""People find each other by name and handle, and say of themselves what they like; nobody sees another's email."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from api import new_id, problem
from documented import assert_documented
from server import Server


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A server whose people all know each other."""
    server = Server(tmp_path_factory.mktemp("house") / "data").start()
    yield server
    server.stop()


@pytest.fixture
def join(house, new_account):
    return lambda name: new_account(house, f"{name}.{new_id()}@example.org")


def profile(api, who=None):
    answer = api.call("GET", f"/v1/users/{who.user['id'] if who else 'me'}", expect=200)
    assert_documented(answer, "GET", "/v1/users/{userId}")
    return answer.json()


def update(api, **fields):
    return api.call("PATCH", "/v1/users/me", json=fields)


def updated(api, **fields):
    answer = update(api, **fields)
    assert answer.status_code == 200, answer.text
    assert_documented(answer, "PATCH", "/v1/users/me")
    return answer.json()


def found(api, **query):
    answer = api.call("GET", "/v1/users", expect=200, params=query)
    assert_documented(answer, "GET", "/v1/users")
    return [one["id"] for one in answer.json()["users"]]


def test_everybody_has_a_handle_of_the_name_from_the_beginning(join):
    names = [updated(join("x"), name="Zoë d'Arc")["handle"] for _ in range(2)]
    assert len(set(names)) == 2, "a new name changes no handle"
    first, second = [join("gustav") for _ in range(2)]
    handles = [profile(who)["handle"] for who in (first, second)]
    assert all(handle.startswith("gustav_") for handle in handles) and len(set(handles)) == 2


def test_a_handle_is_changed_and_nobody_else_can_have_it(join):
    ada, ben = join("ada"), join("ben")
    handle = f"ada_{new_id()[:8]}"
    assert updated(ada, handle="@" + handle.upper())["handle"] == handle
    problem(update(ben, handle=handle), 409, "handle_taken")
    assert updated(ada, handle=handle)["handle"] == handle, "one's own is nobody else's"
    other = updated(ada, handle=handle + "x")["handle"]
    assert updated(ben, handle=handle)["handle"] == handle, "what is given up is free"
    assert found(ben, handle="@" + other) == [ada.user["id"]]
    assert found(ben, handle=handle.upper()) == [ben.user["id"]]
    assert found(ben, handle="nobody_" + new_id()[:8]) == found(ben, handle="%") == []


@pytest.mark.parametrize("handle", ["", "a", "a b", "ä_ö", "x" * 31, "admin", "ME", "@everyone", "a\u0000b"])
def test_what_cannot_be_a_handle_is_refused_and_nothing_changes(join, handle):
    api = join("carl")
    before = profile(api)
    problem(update(api, handle=handle, name="Other"), 400, "invalid_parameter")
    assert profile(api) == before


def test_one_of_many_gets_a_handle_that_all_want(join):
    people = [join("dora") for _ in range(6)]
    wanted = f"dora_{new_id()[:8]}"
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda api: update(api, handle=wanted).status_code, people))
    assert sorted(answers) == [200] + [409] * 5


def test_what_somebody_says_of_herself_is_seen_by_all_and_her_email_by_nobody(join):
    ada, ben = join("ada"), join("ben")
    bio = "I walk.\nOn <b>Sundays</b> & \u202eholidays\u0007. 🏔"
    assert updated(ada, name="  Ada L. ", bio=f"\r\n {bio} \n")["name"] == "Ada L."
    seen = profile(ben, ada)
    assert seen["bio"] == "I walk.\nOn <b>Sundays</b> & holidays. 🏔" and seen["counts"] == {"posts": 0, "followers": 0, "following": 0}
    assert "example.org" not in str(seen) and not seen["isYou"]
    assert ada.call("GET", "/v1/about", expect=200).json()["user"]["displayName"] == "Ada L."
    assert updated(ada, bio="")["name"] == "Ada L." and "bio" not in profile(ben, ada)
    problem(update(ada, bio="x" * 501), 400, "invalid_parameter")
    problem(update(ada, name=""), 400, "invalid_parameter")
    problem(update(ada, name="x" * 101), 400, "invalid_parameter")
    assert updated(ada)["name"] == "Ada L.", "nothing is asked for, nothing changes"


def test_people_are_found_by_the_beginnings_of_their_words(join):
    mark = "q" + new_id()[:8].translate(str.maketrans("0123456789", "ghijklmnop"))
    ada, ben = join("ada"), join("ben")
    updated(ada, name=f"Ada {mark} Lóvelace")
    updated(ben, name=f"Ben {mark}", handle=f"{mark}_walks")
    assert found(ada, q=mark) == [ada.user["id"], ben.user["id"]]
    assert found(ada, q=f"{mark[:6]} LOVE") == [ada.user["id"]]
    assert found(ada, q=f"@{mark} walk") == [ben.user["id"]], "the handle is searched, too"
    assert found(ada, q=f"{mark} nobody") == found(ada, q="!!!") == []
    first = ada.call("GET", "/v1/users", expect=200, params={"q": mark, "limit": 1}).json()
    second = ada.call("GET", "/v1/users", expect=200, params={"q": mark, "limit": 1, "page": first["pagination"]["next"]}).json()
    assert [page["users"][0]["id"] for page in (first, second)] == [ada.user["id"], ben.user["id"]]
    assert second["pagination"].get("next") is None
    updated(ada, name="Ada")
    assert found(ada, q=mark) == [ben.user["id"]], "an old name finds nobody"


def test_a_picture_is_drawn_from_the_name(join):
    ada, ben = join("ada"), join("ben")
    updated(ada, name="Ada <Lovelace>")
    address = profile(ben, ada)["profileImageThumbnailUrl"]
    answer = ben.call("GET", address, expect=200)
    assert_documented(answer, "GET", "/v1/users/{userId}/picture")
    assert answer.headers["content-type"] == "image/svg+xml" and "&#65;&#76;" in answer.text and "Lovelace" not in answer.text
    again = ben.call("GET", address, headers={"If-None-Match": answer.headers["etag"]})
    assert again.status_code == 304 and not again.content
    updated(ada, name="Bea")
    other = ben.call("GET", address, headers={"If-None-Match": answer.headers["etag"]}, expect=200)
    assert other.text != answer.text and other.headers["etag"] != answer.headers["etag"]
    problem(ben.call("GET", "/v1/users/1/picture"), 404, "not_found")
    problem(ben.call("GET", address, token=""), 401, "sign_in_required")


def test_the_handle_is_beside_posts_and_comments(join):
    ada, ben = join("ada"), join("ben")
    handle = profile(ada)["handle"]
    place = ada.call("POST", "/v1/posts", json={"requestId": new_id(), "content": "<p>kind</p>"}, expect=201).headers["location"]
    said = ada.call("POST", f"{place}/comments", json={"requestId": new_id(), "content": "<p>too</p>"}, expect=201).json()
    listed = ben.call("GET", f"/v1/users/{ada.user['id']}/posts", expect=200).json()["feed"][0]
    whole = ben.call("GET", place, expect=200).json()["post"]
    comments = ben.call("GET", f"{place}/comments", expect=200).json()["comments"]
    shown = {"id": ada.user["id"], "name": ada.user["displayName"], "handle": handle,
             "profileImageThumbnailUrl": f"/v1/users/{ada.user['id']}/picture"}
    assert all(one["author"] == shown for one in (said, listed, whole, *comments))
    assert profile(ben, ada)["counts"]["posts"] == 1


def test_profiles_at_a_terminal(house, new_device, join):
    mark = "q" + new_id()[:8].translate(str.maketrans("0123456789", "ghijklmnop"))
    ada, device = join("ada"), new_device("laptop")
    updated(ada, name="Ada", handle=mark, bio="Walks.")
    device.register(house.url, f"ben.{new_id()}@example.org")
    said = device.run("feed", "profile", "@" + mark).stdout
    assert said.splitlines()[:2] == [f"Ada · @{mark}", "  Walks."] and "0 posts" in said
    assert device.run("feed", "follow", "@" + mark).stdout == "You follow Ada now.\n"
    assert device.json("feed", "profile", mark)["following"], "a handle does without its @"
    [found] = device.json_lines("feed", "people", mark[:5])
    assert found["id"] == ada.user["id"] and found["handle"] == mark
    assert f"@{mark}" in device.run("feed", "people").stdout
    own = mark[::-1]
    said = device.run("feed", "profile", "--name", "Ben B.", "--handle", own, "--bio", "Reads.").stdout
    assert said == f"You are “Ben B.” now, @{own}.\n"
    you = device.json("feed", "profile")
    assert (you["name"], you["bio"], you["isYou"]) == ("Ben B.", "Reads.", True)
    refused = device.run("feed", "profile", "--handle", mark, check=False)
    assert refused.code and "is already taken" in refused.text and "Choose another handle." in refused.text
    refused = device.run("feed", "profile", "@" + mark, "--name", "x", check=False)
    assert refused.code and "leave PERSON out" in refused.text
    gone = device.run("feed", "profile", "@nobody_" + mark, check=False)
    assert gone.code and "Nobody here is called" in gone.text
