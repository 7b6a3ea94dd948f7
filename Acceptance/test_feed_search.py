"""Posts are found by their words and hashtags, by those who may read them and by nobody else."""

import pytest

from api import new_id, problem
from test_feed import follow, ids, posted


def word():
    """One that no other test uses, of letters alone."""
    return "w" + new_id().replace("-", "").translate(str.maketrans("0123456789", "ghijklmnop"))[:16]


@pytest.fixture
def people(new_account):
    return [new_account() for _ in range(3)]


def found(api, *words):
    return ids(api, "/v1/posts/search", q=" ".join(words))


def tagged(api, tag):
    return ids(api, f"/v1/tags/{tag}/posts")


def tags(api, prefix):
    answer = api.call("GET", "/v1/tags", params={"prefix": prefix}, expect=200).json()
    return {one["tag"]: one["postCount"] for one in answer["tags"]}


def to(*people):
    return {"kind": "people", "people": [who.user["id"] for who in people]}


def test_posts_are_found_by_the_beginnings_of_their_words(people):
    author, reader, _ = people
    one = word()
    first = posted(author, f"<p>Über <b>{one}</b> Hütten</p>")
    second = posted(author, f"<ul><li>{one}<ul><li>wood</li></ul></li></ul>")
    assert found(reader, one) == found(reader, one[:-3].upper()) == [second, first]
    assert found(reader, one, "hutte") == [first] and found(reader, one, "über") == [first]
    assert found(reader, "woo", one) == [second] and found(reader, one, "none") == [] == found(reader, one[1:])
    assert found(reader, "…") == []
    author.call("DELETE", f"/v1/posts/{first}", expect=204)
    assert found(reader, one) == [second]


def test_pages_of_what_is_found_have_each_once(people):
    author, reader, _ = people
    one = word()
    made = [posted(author, f"<p>{one} #{one}</p>") for _ in range(7)]
    for path in (f"/v1/posts/search?q={one}", f"/v1/tags/{one}/posts"):
        path, _, query = path.partition("?")
        got, after = [], {}
        while True:
            answer = reader.call(
                "GET", path, params={"limit": 3, **dict([query.split("=")] if query else []), **after}, expect=200).json()
            got += [entry["postId"] for entry in answer["feed"]]
            if "next" not in answer["paging"]:
                break
            after = {"after": answer["paging"]["next"]}
        assert got == made[::-1]


def test_neither_words_nor_tags_nor_counts_cross_audiences(people):
    author, reader, stranger = people
    one = word()
    open_post = posted(author, f"<p>{one} #{one}</p>")
    private = posted(author, f"<p>{one} #{one} #{one}private</p>", audience=to(reader))
    follow(stranger, author)
    followers = posted(author, f"<p>{one} #{one} #{one}followers</p>", audience={"kind": "followers"})
    for find in (lambda api: found(api, one), lambda api: tagged(api, one)):
        assert find(author) == [followers, private, open_post]
        assert find(reader) == [private, open_post] and find(stranger) == [followers, open_post]
    assert tags(author, one) == {one: 3, f"{one}private": 1, f"{one}followers": 1}
    assert tags(reader, one) == {one: 2, f"{one}private": 1}
    assert tags(stranger, "#" + one.upper()) == {one: 2, f"{one}followers": 1}
    follow(stranger, author, "DELETE")
    assert found(stranger, one) == tagged(stranger, one) == [open_post] and tags(stranger, one) == {one: 1}


def test_a_tag_is_one_in_any_case_and_form(people):
    author, reader, _ = people
    one = word()
    made = [posted(author, f"<p>{text}</p>") for text in (f"#{one}", f"(#{one.upper()}!)", f"#{one}ü", f"x#{one}", f"#{one} #{one}")]
    assert tagged(reader, one) == tagged(reader, one.upper()) == [made[4], made[1], made[0]]
    assert tagged(reader, one + "%C3%9C") == [made[2]] and tags(reader, one) == {one: 3, one + "ü": 1}
    assert tagged(reader, "a%20b") == [] == tagged(reader, "1")


@pytest.mark.parametrize("path", ["/v1/posts/search", "/v1/posts/search?q=", "/v1/posts/search?q=" + "a" * 513,
                                  "/v1/posts/search?q=a&limit=0", "/v1/tags?limit=101", "/v1/tags/a/posts?limit=x"])
def test_bad_searches_are_refused(untouched, path):
    problem(untouched.call("GET", path), 400, "invalid_parameter")


def test_a_search_costs_the_same_whatever_is_typed(untouched):
    for text in ("a " * 250, "%", "_", "' OR 1=1 --", "\U0010ffff", "a\0b", "*" * 500):
        untouched.call("GET", "/v1/posts/search", params={"q": text}, expect=200)
        untouched.call("GET", "/v1/tags", params={"prefix": text}, expect=200)


def test_the_commands_find_posts_and_tags(device, new_account):
    author, one = new_account(), word()
    post = posted(author, f"<p>Hello {one} #{one}</p>")
    assert f"Hello {one}" in device.run("feed", "search", one[:8]).stdout
    assert [entry["postId"] for entry in device.json("feed", "search", f"#{one}")["feed"]] == [post]
    assert f"#{one} · 1 post\n" in device.run("feed", "tags", one[:10]).stdout
    assert device.json("feed", "tags", one)["tags"] == [{"tag": one, "postCount": 1}]
    device.run("feed", "like", str(post)[-9:])
    assert "Nothing that you can read" in device.run("feed", "search", word()).stderr
