"""The feed on the command line: how people and posts are named, what is said in JSON, and what a terminal shows."""

import pytest

import fault_proxy
from api import Api, new_id
from device import PASSWORD, Device
from screen import Screen
from test_feed import act, attached, follow, posted, uploaded
from test_feed_device import email, feed
from test_names_on_screen import REFUSED, TAKEN

POST = {"attachmentCount", "audience", "author", "bookmarked", "commentCount", "content", "contentSummary", "createdAt", "entryId",
        "likeCount", "liked", "postId", "shareCount", "state"}
READ = {"attachments", "audience", "author", "bookmarked", "commentCount", "content", "createdAt", "likeCount", "liked", "postId", "shareCount",
        "shared", "version"}
PERSON = {"following", "followsYou", "handle", "id", "isYou", "name", "profileImageThumbnailUrl"}
#: What some say of themselves, or are to the reader.
TOLD = {"approvesFollowers", "bio", "blocked", "muted", "requested"}
WAITING = {"attachmentCount", "content", "number", "writtenAt"}


@pytest.fixture(scope="module")
def reader(shared_server, tmp_path_factory):
    """A device for all tests that only read; whom it follows is another person in each."""
    return Device(tmp_path_factory.mktemp("reader"), "laptop").register(shared_server.url, email())


@pytest.fixture
def author(shared_server, reader):
    """Somebody whom the reader follows, with a name that acts on a terminal."""
    author = Api(shared_server.url).register(email(), displayName=f"{new_id()}{TAKEN}")
    reader.run("feed", "follow", author.user["id"])
    yield author
    author.close()


def person(reader, author):
    return next(one for one in reader.json_lines("feed", "people") if one["id"] == author.user["id"])


def test_people_are_followed_by_name_in_any_case_and_by_number(reader, new_account):
    one, other = new_account(email=email().replace("@", "grace@")), new_account()
    said = reader.run("feed", "follow", one.user["displayName"].upper(), other.user["id"]).stdout
    assert one.user["displayName"] in said and other.user["displayName"] in said
    assert person(reader, one)["following"] and person(reader, other)["following"]
    for _ in range(2):
        reader.run("feed", "unfollow", one.user["displayName"])
        assert not person(reader, one)["following"]
    assert one.call("GET", f"/v1/users/{other.user['id']}").json()["following"] is False, "that is the reader's"


def test_who_has_the_name_of_somebody_else_is_named_by_number(reader, shared_server):
    name = f"Grace {new_id()}"
    both = [str(Api(shared_server.url).register(email(), displayName=name).user["id"]) for _ in range(2)]
    for words in (["feed", "follow", name], ["feed", "list", "--of", name]):
        said = reader.run(*words, check=False)
        assert said.code == 4 and "2 people are called" in said.stderr and all(one in said.stderr for one in both), said
    assert reader.json("feed", "follow", both[1])["following"]
    followed = {str(one["id"]) for one in reader.json_lines("feed", "people") if one["following"]}
    assert both[1] in followed and both[0] not in followed


def test_nobody_of_that_name_and_oneself_are_not_followed(reader):
    own = reader.json("whoami")["user"]
    for name in (new_id(), "1", "-", "💾"):
        said = reader.run("feed", "follow", name, check=False)
        assert said.code == 4 and "Nobody here is called" in said.stderr, said
    said = reader.run("feed", "follow", own["id"], check=False)
    assert said.code == 1 and "You cannot follow yourself" in said.stderr, said


def test_a_post_is_named_by_as_many_of_its_last_digits_as_tell_it_from_others(reader, author):
    posts = [posted(author) for _ in range(20)]
    last = [str(post)[-1] for post in posts]
    digit = next(digit for digit in last if digit != "0" and last.count(digit) > 1)
    alike = [str(post) for post in posts if str(post).endswith(digit)]
    reader.run("feed", "-n", "100")
    said = reader.run("feed", "show", digit, check=False)
    assert said.code == 4 and "at least 4 of the last digits" in said.stderr, "a number of the outbox is meant"
    for post in alike:
        assert reader.json("feed", "show", post[-9:])["post"]["postId"] == int(post)


def test_a_post_whose_last_digits_are_zeros_is_named_by_them(device, author):
    """“0 is no post”, it said."""
    device.run("feed", "follow", author.user["id"])
    while not str(posted(author)).endswith("0"):
        pass
    device.run("feed", "-n", "100")
    said = device.run("feed", "show", "0", check=False)
    assert said.code in (0, 4) and "is no post" not in said.stderr, said


def test_a_post_that_has_just_come_is_found_by_its_digits(reader, author):
    reader.run("feed")
    post = posted(author)
    reader.run("feed", "like", str(post)[-8:])
    assert reader.json("feed", "show", post)["post"]["liked"]


def test_a_post_that_is_in_no_feed_here_is_read_by_its_whole_number(reader, new_account):
    stranger = new_account()
    post = posted(stranger, "<p>far away</p>")
    assert "far away" in reader.run("feed", "show", post).stdout
    shown = reader.run("feed", "list", "--of", stranger.user["displayName"]).stdout
    assert "far away" in shown and "far away" not in reader.run("feed", "-n", "100").stdout
    reader.run("feed", "like", str(post)[-9:])
    assert reader.json("feed", "list", "--of", stranger.user["id"])["feed"][0]["liked"]


@pytest.mark.parametrize("words, code", [
    (["feed", "show", "385283640130535424"], 4), (["feed", "like", "385283640130535424"], 4),
    (["feed", "show", "x"], 2), (["feed", "show", "٣"], 2), (["feed", "show", "9" * 20], 2), (["feed", "show"], 2),
    (["feed", "like"], 2), (["feed", "follow"], 2), (["feed", "comment", "1"], 2), (["feed", "comment", "385283640130535424", "a"], 4),
    (["feed", "-n", "0"], 2), (["feed", "-n", "101"], 2), (["feed", "discard"], 2), (["feed", "discard", "x"], 2),
    (["feed", "delete"], 2), (["feed", "post", "a", *["--attach", "/a.png"] * 21], 2)])
def test_what_is_no_post_and_no_command_is_told(reader, words, code):
    said = reader.run(*words, check=False)
    assert said.code == code and said.stdout == "" and said.stderr, said


def test_what_is_typed_is_posted_from_arguments_and_from_a_pipe(device):
    device.run("feed", "post", "two", "words")
    device.run("feed", "post", "-", stdin="# Grüße\n\n1. one\n2. two\n".encode())
    assert [post["contentSummary"] for post in feed(device)[0]] == [
        "<h1>Grüße</h1><ol><li>one</li><li>two</li></ol>", "<p>two words</p>"]
    for typed in (b"", b" \n", b"a" * 65_537, b"\xff\xfe"):
        said = device.run("feed", "post", "-", stdin=typed, check=False)
        assert said.code == 2 and said.stderr, said
    assert len(feed(device)[0]) == 2


def test_marks_are_shown_as_lines_and_a_link_by_where_it_leads(reader, author):
    text = ("<h2>Head</h2><p>one<br>two <a href='https://example.org/x'>there</a></p><ul><li>bread</li></ul>"
            "<ol><li>first</li><li>second</li></ol><blockquote>said</blockquote><pre>a\n  b</pre>")
    said = reader.run("feed", "show", posted(author, text)).stdout
    wanted = ("## Head", "one", "two there (https://example.org/x)", "- bread", "1. first", "2. second", "> said", "a",
              "  b")
    assert "".join(f"  {line}\n" for line in wanted) in said, said


def test_a_long_post_is_shown_by_its_beginning_and_read_whole(reader, author):
    post = posted(author, f"<p>{'word ' * 200}end</p>")
    short, whole = reader.run("feed", "-n", "1").stdout, reader.run("feed", "show", post).stdout
    assert "end" not in short and f"“bothy feed show {str(post)[-6:]}” shows the rest" in short and "word end" in whole


def test_nothing_that_anybody_writes_acts_on_a_terminal(reader, author):
    file = uploaded(author)
    text = f"kind{TAKEN}{REFUSED}&#27;[2J&#8238;"
    post = posted(author, f"<p>{text}</p><pre>{text}</pre>", attachments=[attached(file, caption=f"A{TAKEN}")])
    screen = Screen(reader)
    for words in (["feed"], ["feed", "show", post], ["feed", "list", "--of", author.user["id"]]):
        assert "kind" in screen(*words), words
    assert author.user["displayName"][:30] in screen("feed", "people")
    screen("feed", "follow", author.user["id"])
    screen("feed", "unfollow", author.user["displayName"])


def test_every_command_has_its_shape_in_json(device, proxy, author):
    device.run("feed", "follow", author.user["id"])
    file, post = uploaded(author), None
    post = posted(author, "<p>kind</p>", attachments=[attached(file)])
    assert set(device.json("feed", "follow", author.user["id"])) == PERSON | {"counts"}
    assert all(PERSON <= set(one) <= PERSON | TOLD for one in device.json_lines("feed", "people"))
    [entry] = device.json("feed")["feed"]
    assert set(entry) == POST and set(entry["author"]) == {"handle", "id", "name", "profileImageThumbnailUrl"}, "and no signed address"
    assert device.json("feed", "list", "--of", author.user["id"])["feed"] == [entry]
    assert entry["content"] == entry["contentSummary"] == "<p>kind</p>" and entry["state"] == "posted"
    read = device.json("feed", "show", post)
    assert set(read["post"]) == READ and {"id", "type", "contentUrl"} <= set(read["post"]["attachments"][0])
    assert read["comments"] == read["waiting"] == []
    for command, kind in (("like", "LIKED"), ("bookmark", "BOOKMARKED"), ("share", "SHARED")):
        assert device.json_lines("feed", command, post) == [{"post": post, "type": kind}]
    assert device.json("feed", "unlike", post) == {"post": post, "type": "REMOVED_LIKE"}
    assert set(device.json("feed", "post", "mine")) == {"posted", "postId"}
    proxy.go_down()
    assert set(device.json("feed", "post", "later", code=6)) == {"posted", "number"}
    [waiting] = device.json_lines("feed", "outbox")
    assert set(waiting) == WAITING
    shown = device.json("feed")["feed"][0]
    assert shown["state"] == "waiting" and shown["number"] == waiting["number"] and "postId" not in shown
    assert device.json("feed", "discard", waiting["number"]) == waiting
    proxy.come_back()
    mine = device.json("feed")["feed"][0]["postId"]
    assert device.json("feed", "delete", mine) == {"deleted": mine}


def test_what_only_the_server_knows_needs_a_connection(device, proxy):
    own = device.json("whoami")["user"]["displayName"]
    proxy.go_down()
    for words in (["feed", "people"], ["feed", "follow", own], ["feed", "list", "--of", own],
                  ["feed", "show", "385283640130535424"]):
        said = device.run(*words, check=False)
        assert said.code == 1 and "cannot be reached" in said.stderr, said


def test_a_person_comes_with_what_she_posted_before_and_goes_with_it(device, new_account):
    author, other = new_account(), new_account()
    post, others = posted(author), posted(other)
    act(author, others, "SHARED")
    follow(author, other)
    device.run("feed", "follow", author.user["displayName"])
    assert {one["postId"] for one in feed(device)[0]} == {post, others}
    assert all(one.get("sharedBy", {"id": author.user["id"]})["id"] == author.user["id"] for one in feed(device)[0])
    device.run("feed", "unfollow", author.user["displayName"])
    assert feed(device)[0] == []


def test_a_server_that_lists_people_for_ever_is_not_listened_to_for_ever(device, proxy):
    proxy.add(fault_proxy.rewrite(
        lambda answer: answer["pagination"].update(next="again"), lambda request: request.path == "/v1/users", 10_000))
    assert device.run("feed", "follow", new_id(), check=False, seconds=110).code != 0
