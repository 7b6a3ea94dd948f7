"""Drafts on the command line: listed, and posted as they are."""

import json

from api import Api, new_id
from device import PASSWORD
from test_web_drafts import draft, uploaded


def signed_in(server, new_device):
    email = f"{new_id()}@example.org"
    device = new_device("laptop").register(server.url, email)
    return device, Api(server.url).login(email, PASSWORD, name="outside")


def lines(device):
    return [json.loads(line) for line in device.run("feed", "drafts", "--json").stdout.splitlines()]


def test_drafts_are_listed_and_one_is_posted_as_it_is(server, new_device):
    device, api = signed_in(server, new_device)
    assert device.run("feed", "drafts").stdout == ""
    file = uploaded(api, "hill.png")
    number = draft(api, "<p>We went <strong>up</strong></p>", attachments=[
        {"type": "image", "contentUrl": file["downloadUrl"], "caption": "a hill"}])
    other = draft(api, "<p>not yet \u001b[31m</p>")
    said = device.run("feed", "drafts").stdout
    assert "We went up" in said and str(number)[-6:] in said and "1 picture or video" in said and "\u001b" not in said
    assert [one["number"] for one in lines(device)] == [other, number]
    assert device.run("feed", "post", "--draft", str(number)[-6:]).stdout.startswith("Posted as ")
    [post] = api.call("GET", "/v1/feed", expect=200).json()["feed"]
    assert post["contentSummary"] == "<p>We went <strong>up</strong></p>" and post["attachmentCount"] == 1
    assert post["requestId"] == str(number) and [one["number"] for one in lines(device)] == [other]
    api.close()


def test_a_draft_that_is_not_there_and_words_beside_one_are_refused(server, new_device):
    device, api = signed_in(server, new_device)
    draft(api, "<p>a</p>")
    for wrong in (("--draft", "9" * 19), ("--draft", "x"), ("--draft", "9" * 19, "words")):
        assert device.run("feed", "post", *wrong, check=False).code != 0, wrong
    assert len(lines(device)) == 1
    api.close()


def test_a_draft_is_posted_to_whom_it_says(server, new_device):
    device, api = signed_in(server, new_device)
    name = new_id()
    ben = new_device("phone").register(server.url, f"{name}@example.org")
    other = new_device("desk").register(server.url, f"{new_id()}@example.org")
    number = next(one["id"] for one in device.json_lines("feed", "people") if one["name"] == name)
    draft(api, "<p>for Ben</p>", audience={"kind": "people", "people": [number]})
    nobody = draft(api, "<p>for nobody yet</p>", audience={"kind": "people"})
    said = device.run("feed", "post", "--draft", nobody, check=False)
    assert said.code == 2 and "names nobody" in said.stderr
    assert f" · for {name} only" in device.run("feed", "drafts").stdout
    assert " · for people not chosen yet" in device.run("feed", "drafts").stdout
    assert [one["audience"]["kind"] for one in lines(device)] == ["people", "people"]
    assert [one["id"] for one in lines(device)[1]["audience"]["people"]] == [number]
    said = device.run("feed", "post", "--draft", lines(device)[1]["number"]).stdout
    assert said.startswith("Posted as ") and said.endswith(f", for {name} only.\n"), said
    assert "for Ben" in ben.run("feed").stdout and "for Ben" not in other.run("feed").stdout
    device.run("feed", "post", "--draft", nobody, "--to", "followers")
    [post, _] = api.call("GET", "/v1/feed", expect=200).json()["feed"]
    assert post["audience"] == {"kind": "followers"}, "what is typed comes before what the draft says"
    api.close()
