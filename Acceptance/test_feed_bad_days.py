"""The feed on a bad day: a clock that goes back, thousands of follows at once, towers of marks, cursors that nobody gave, and people who are gone."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor

import pytest
import yaml

from api import new_id, problem
from clocks import DAY, clock  # noqa: F401
from server import ROOT, Server
from test_feed import follow, ids, page, pages, posted, posts_of, read, shown, try_post
from test_feed_device import LATER, feed, two
from waiting import wait_until

DOCUMENT = yaml.safe_load((ROOT / "Sources/BothyServer/Resources/openapi.yaml").read_text())


@pytest.fixture
def dated(tmp_path, clock):
    """A server by that clock."""
    server = Server(tmp_path / "dated", environment=clock.environment).start()
    yield server
    server.kill()


@pytest.mark.parametrize("restart", [False, True], ids=["while-it-runs", "over-a-restart"])
def test_a_clock_that_goes_back_by_a_day_keeps_the_order_of_posts_and_comments(dated, clock, new_account, restart):
    server = dated
    author, reader = new_account(server), new_account(server)
    follow(reader, author)
    made = [posted(author), posted(author)]
    since = page(reader)["arrival"]
    said = [comment(reader, made[0])]
    for seconds in (-DAY, 0):
        if restart:
            server.stop()
        clock.jump(seconds)
        if restart:
            server.start()
        for api in (author, reader):
            api.login(api.user["email"])
        made += [posted(author), posted(author)]
        said.append(comment(reader, made[0]))
        assert made == sorted(made) and ids(reader) == made[::-1], "each is newer than all before it"
        assert pages(reader) == pages(reader, posts_of(author)) == made[::-1]
        assert [one["commentId"] for one in comments(reader, made[0])] == said == sorted(said)
    assert {entry["postId"] for entry in page(reader, since=since)["feed"]} == set(made[2:]), "all that came since is told"


def comment(api, post, **more):
    body = {"requestId": new_id(), "content": "<p>kind</p>", **more}
    return api.call("POST", f"/v1/posts/{post}/comments", json=body, expect=201).json()["commentId"]


def comments(api, post):
    return api.call("GET", f"/v1/posts/{post}/comments", expect=200).json()["comments"]


def test_nobody_replies_to_a_comment_that_is_deleted_and_its_replies_stay(new_account):
    author, reader = new_account(), new_account()
    post = posted(author)
    first = comment(reader, post)
    reply = comment(author, post, parentCommentId=first)
    reader.call("DELETE", f"/v1/posts/{post}/comments/{first}", expect=204)
    refused = author.call("POST", f"/v1/posts/{post}/comments", json={"content": "late", "parentCommentId": first})
    problem(refused, 404, "not_found")
    deeper = comment(reader, post, parentCommentId=reply)
    assert [(one["commentId"], one.get("parentDeleted")) for one in comments(reader, post)] == [(reply, True), (deeper, None)]
    assert read(author, post)["commentCount"] == 2


def paged():
    """Routes that go on from where a page ended, as the document has them."""
    known = DOCUMENT["components"]["parameters"]
    for path, item in DOCUMENT["paths"].items():
        for parameter in item.get("get", {}).get("parameters", []):
            name = (known[parameter["$ref"].rsplit("/", 1)[1]] if "$ref" in parameter else parameter)["name"]
            if name in ("after", "since") or name == "page" and path == "/v1/users":
                yield path, name


MADE_UP = ("made-up", "", "0", "-1", "1.5", "9223372036854775808", "AAAA", "AAAAAAAAAAAAAAAAAAAAAAAA", "%00", "'; DROP TABLE posts; --",
           "💾", "\u202e", "x" * 5_000, "c1.1.0.0", "385283640130535424", "385283640130535424.385283640130535424")


@pytest.mark.parametrize("path, name", paged(), ids=[f"{path} {name}" for path, name in paged()])
def test_a_cursor_that_nobody_gave_is_refused_or_leads_to_a_page(new_account, path, name):
    """Whatever it is: no failure, nothing of others, and the next page is there as before."""
    api, stranger = new_account(), new_account()
    mine, secret = posted(api, "<p>walk #walk</p>"), posted(stranger, "<p>secret walk</p>", audience={"kind": "followers"})
    comment(api, mine)
    conversation = read(api, posted(api, audience={"kind": "people", "people": [stranger.user["id"]]}))["audience"]["conversationId"]
    place = path.format(postId=mine, userId=api.user["id"], tag="walk", conversationId=conversation)
    query = {"q": "walk"} if path.endswith("/search") else {}
    whole = api.call("GET", place, params=query, expect=200).json()
    for cursor in MADE_UP:
        answer = api.call("GET", place, params={**query, name: cursor})
        assert answer.status_code in (200, 400, 410), f"{cursor!r}: {answer.status_code} {answer.text}"
        assert "secret" not in answer.text and str(secret) not in answer.text
        if answer.status_code != 200:
            problem(answer, answer.status_code, ("page_invalid", "invalid_parameter", "cursor_expired"))
    assert api.call("GET", place, params=query, expect=200).json() == whole


def test_a_cursor_of_one_list_and_person_shows_nothing_of_anothers(new_account):
    ann, ben = new_account(), new_account()
    for api in (ann, ben):
        for _ in range(3):
            posted(api)
    after = page(ben, posts_of(ben), limit=1)["paging"]["next"]
    for path in ("/v1/feed", posts_of(ann), "/v1/feed/bookmarks", "/v1/conversations", "/v1/notifications"):
        answer = ann.call("GET", path, params={"after": after})
        assert answer.status_code in (200, 400), answer.text
        if answer.status_code == 200:
            assert set(entry["postId"] for entry in answer.json().get("feed", [])) <= set(ids(ann, limit=100))


TOWERS = {
    "one tower": "a" + "\u0301" * 32_000, "marks alone": "\u0301" * 32_700, "towers with spaces": ("a" + "\u0301" * 1_000 + " ") * 32,
    "a tag of marks": "#a" + "\u0301" * 32_000, "a name of marks": "@a" + "\u0301" * 32_000, "joiners": "\u200d" * 21_000,
    "selectors": "a" + "\ufe0f" * 21_000, "enclosing": "a\u20dd" * 8_000, "families": "👨" + "\u200d👩" * 9_000,
    "flags": "🇩" * 9_999, "jamo": "\u1100" * 9_999, "marks in every word": "".join(f"a{chr(0x300 + n % 0x70)}" for n in range(9_999)),
}


@pytest.mark.parametrize("text", TOWERS.values(), ids=TOWERS)
def test_a_post_of_64_kib_of_combining_marks_is_a_post_or_is_refused(new_account, text):
    author, reader = new_account(), new_account()
    follow(reader, author)
    answer = try_post(author, text)
    if answer.status_code == 400:
        problem(answer, 400, "invalid_parameter")
        assert ids(reader) == []
        return
    post = int(answer.headers["location"].rsplit("/", 1)[1])
    assert shown(read(reader, post)["content"]) == text.strip()
    [entry] = page(reader)["feed"]
    assert entry["postId"] == post and len(entry["contentSummary"].encode()) < 64 << 10
    comment(reader, post, content=text[:4_000])
    assert len(author.call("GET", "/v1/notifications", expect=200).content) < 64 << 10
    for words in (text[:60], "a"):
        assert author.call("GET", "/v1/posts/search", params={"q": words}).status_code in (200, 400)


MANY = 5_000


@pytest.mark.long
def test_5000_follows_at_once_are_all_there(server, new_account):
    """One person follows thousands from many threads, each of them twice: nothing is lost, and each is there once."""
    reader = new_account(server)
    server.stop()
    crowd = populate(server.data / "bothy.sqlite", MANY)
    server.start()
    reader.login(reader.user["email"])
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda one: reader.call("PUT", f"/v1/users/{one}/follow").status_code, crowd * 2))
    assert set(answers) == {204}, "again is as good as once"
    seen, after = [], {}
    while True:
        answer = page(reader, "/v1/users", relation="following", limit=100, **after)
        seen += [person["id"] for person in answer["users"]]
        if not (rest := answer["pagination"].get("next")):
            break
        after = {"page": rest}
    assert len(seen) == len(set(seen)) and set(seen) == set(crowd)
    you = reader.call("GET", f"/v1/users/{reader.user['id']}", expect=200).json()
    assert you["counts"]["following"] == MANY
    mine = posted(reader)
    assert ids(reader) == [mine]
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda one: reader.call("DELETE", f"/v1/users/{one}/follow").status_code, crowd))
    assert set(answers) == {204} and page(reader, "/v1/users", relation="following")["users"] == []


def populate(database, count):
    """So many more accounts: their passwords, which cost the most, are that of the first. Returns their ids."""
    with sqlite3.connect(database) as store:
        known = store.execute("SELECT max(user_id) FROM accounts").fetchone()[0]
        columns = [row[1] for row in store.execute("PRAGMA table_info(accounts)")]
        own = {"user_id": "?1", "email": "?2", "email_key": "?2", "handle": "?3", "display_name": "?3"}
        copied = f"INSERT INTO accounts ({', '.join(columns)}) SELECT {', '.join(own.get(name, name) for name in columns)} FROM accounts WHERE user_id = ?4"
        crowd = list(range(known + 1, known + 1 + count))
        store.executemany(copied, [(one, f"{one}@crowd.example", f"crowd_{one}", known) for one in crowd])
    store.close()
    return crowd


def test_what_waits_for_somebody_who_is_deleted_meanwhile_keeps_nothing_back(server, new_device):
    reader, author = two(server, new_device)
    author.run("feed", "post", "soon gone")
    reader.run("feed", "post", "mine")
    own, post = [one["postId"] for one in feed(reader)[0]]
    server.stop()
    for words in (("like", str(post)), ("like", str(own)), ("comment", str(post), "hello"), ("comment", str(own), "to myself")):
        assert LATER in reader.run("feed", *words).stderr
    server.start()
    assert server.admin("user", "delete", author.json("whoami")["user"]["email"], "--yes").returncode == 0
    reader.run("feed")
    wait_until(lambda: len(reader.json_lines("feed", "outbox")) <= 1, what="all but what is refused is sent")
    [left] = feed(reader)[0]
    assert left["postId"] == own and left["liked"] and left["commentCount"] == 1
    [kept] = reader.json_lines("feed", "outbox")
    assert kept["content"] == "<p>hello</p>" and kept["refusal"]
