"""What happened in the drive, in commit order, and how to hear of it."""

import threading

import pytest

from api import Api, new_id, problem
from documented import refused


def test_a_first_link_is_everything_there_is_parents_first(api):
    top = api.folder("top")
    inner = api.folder("inner", top["id"])
    file = api.put_small("f", b"1", inner["id"])
    changes, cursor = api.changes(limit=1)
    order = [change["id"] for change in changes if change["kind"] == "file"]
    assert order.index(top["id"]) < order.index(inner["id"]) < order.index(file["id"])
    assert api.changes(cursor) == ([], cursor)


def test_each_entity_once_at_its_newest_state(api):
    cursor = api.cursor()
    folder = api.folder("a")
    for name in "bcd":
        api.patch(folder["id"], name=name)
    changes, _ = api.changes(cursor)
    files = [change for change in changes if change["kind"] == "file"]
    assert len(files) == 1 and files[0]["file"]["name"] == "d" and files[0]["removed"] is False


def test_pages_in_commit_order_lose_nothing(api):
    cursor = api.cursor()
    made = [api.folder(f"f{number}")["id"] for number in range(12)]
    changes, _ = api.changes(cursor, limit=5)
    assert [change["id"] for change in changes if change["kind"] == "file"] == made


def test_a_link_stays_correct_while_the_drive_changes(api):
    made = [api.folder(f"f{number}")["id"] for number in range(10)]
    page = api.call("GET", "/v1/changes", params={"limit": 3}, expect=200).json()
    late = api.folder("late")["id"]
    api.delete(made[9], permanent="true")
    seen, gone = set(), set()
    while True:
        for change in page["changes"]:
            if change["kind"] == "file":
                (gone if change["removed"] else seen).add(change["id"])
        if not page["hasMore"]:
            break
        page = api.call("GET", "/v1/changes", params={"cursor": page["cursor"], "limit": 3}, expect=200).json()
    rest, _ = api.changes(page["cursor"])
    for change in rest:
        if change["kind"] == "file":
            (gone if change["removed"] else seen).add(change["id"])
    assert set(made) | {late} <= seen | gone and late in seen
    assert made[9] in gone or made[9] not in seen


@pytest.mark.parametrize("cursor", ["c1.1.zzzzzz.0", "c1.999.0.0", "c1.1.0.12345"])
def test_a_cursor_of_another_past_is_refused(api, cursor):
    api.folder("a")
    problem(api.call("GET", "/v1/changes", params={"cursor": cursor}), 410, "cursor_expired")


@pytest.mark.parametrize("cursor", ["nonsense", "c1", "c1.-1.0.0", "c2.1.0.0", "c1.1.0.0.0", "'; drop table files; --", "💾"])
def test_a_made_up_cursor_is_refused(untouched, cursor):
    response = untouched.call("GET", "/v1/changes", params={"cursor": cursor})
    refused(response, 400, 410)


def test_long_poll_answers_when_something_is_new(api):
    cursor = api.cursor()
    quiet = api.call("GET", "/v1/changes/wait", params={"cursor": cursor, "timeoutSeconds": 1}, expect=200).json()
    assert quiet["changed"] is False
    answers = []
    other = Api(api.url)
    other.access = api.access
    waiter = threading.Thread(target=lambda: answers.append(other.call(
        "GET", "/v1/changes/wait", params={"cursor": cursor, "timeoutSeconds": 20}).json()))
    waiter.start()
    api.folder("new")
    waiter.join(60)
    assert answers and answers[0]["changed"] is True
    at_once = api.call("GET", "/v1/changes/wait", params={"cursor": cursor, "timeoutSeconds": 20}, expect=200).json()
    assert at_once["changed"] is True


class Events:
    """A reader of an event stream, in a thread."""

    def __init__(self, api, **headers):
        self.lines, self.ended = [], threading.Event()
        self.api = Api(api.url, timeout=60)
        self.api.access = api.access
        self.opened = threading.Event()
        self.thread = threading.Thread(target=self._read, args=(headers,), daemon=True)
        self.thread.start()
        assert self.opened.wait(60), "the stream did not open"

    def _read(self, headers):
        try:
            with self.api.http.stream("GET", "/v1/events", headers={
                    "Authorization": f"Bearer {self.api.access}", **headers}) as stream:
                self.status = stream.status_code
                self.type = stream.headers["content-type"]
                self.opened.set()
                for line in stream.iter_lines():
                    self.lines.append(line)
        except Exception as error:  # the stream was cut: the test looks at `ended`
            self.lines.append(f"! {error!r}")
        self.opened.set()
        self.ended.set()

    def ids(self):
        return [line.removeprefix("id:").strip() for line in self.lines if line.startswith("id:")]


def test_server_sent_events_tell_the_accounts_other_devices(api, shared_server):
    from waiting import wait_until
    cursor = api.cursor()
    events = Events(api, **{"Last-Event-ID": cursor})
    assert events.status == 200 and events.type.startswith("text/event-stream")
    api.folder("heard")
    wait_until(events.ids, what="an event")
    assert any(line.replace(" ", "") == "event:changes" for line in events.lines)
    changes, after = api.changes(cursor)
    assert changes and events.ids()[-1] == after
    late = Events(api, **{"Last-Event-ID": cursor})
    wait_until(late.ids, what="the event that was missed")


def test_signing_a_device_out_ends_its_streams_at_once(api):
    email = api.user["email"]
    other = Api(api.url).login(email, name="phone")
    events = Events(other)
    api.call("DELETE", f"/v1/auth/devices/{other.device['id']}", expect=204)
    assert events.ended.wait(30), "the stream still runs"
    problem(other.call("GET", "/v1/about"), 401, "device_signed_out")


def test_another_accounts_changes_are_not_heard(api, new_account):
    cursor = api.cursor()
    new_account().folder("private")
    assert api.changes(cursor)[0] == []
    assert api.call("GET", "/v1/changes/wait", params={"cursor": cursor, "timeoutSeconds": 1}).json()["changed"] is False


def test_deletions_say_path_checksum_when_and_by_which_device(api):
    folder = api.folder("docs")
    file = api.put_small("a.txt", b"a", folder["id"])
    api.delete(file["id"], permanent="true")
    deletion = api.call("GET", "/v1/changes/deletions", expect=200).json()["deletions"][-1]
    assert (deletion["path"], deletion["checksum"], deletion["deviceId"]) == ("/docs/a.txt", file["checksum"], api.device["id"])
    assert deletion["deletedAt"] and deletion["isFolder"] is False
    later = api.call("GET", "/v1/changes/deletions", params={"since": "2099-01-01T00:00:00.000Z"}, expect=200).json()
    assert later["deletions"] == [] and new_id()
