"""A server restored from an old backup: whoever knows more than it does is told so, and nothing is deleted anywhere."""

import datetime
import time

import pytest

from api import Api, new_id, problem
from device import Device
from server import Server


@pytest.fixture
def days(tmp_path):
    """Monday, backed up; Tuesday, lost; and a server made from Monday's backup at Tuesday's address."""
    server = Server(tmp_path / "data").start()
    email = f"{new_id()}@example.org"
    laptop = Device(tmp_path / "laptop", "laptop").register(server.url, email)
    phone = Device(tmp_path / "phone", "phone").login(server.url, email)
    witness = Api(server.url).login(email, name="witness")
    world = World(tmp_path, server, email, laptop, phone, witness)
    yield world
    world.server.kill()


class World:
    def __init__(self, folder, server, email, laptop, phone, witness):
        self.folder, self.server, self.email = folder, server, email
        self.laptop, self.phone, self.witness = laptop, phone, witness

    def write(self, device, remote, text):
        device.put("-", remote, stdin=text.encode())

    def back_up(self):
        self.server.admin("backup", self.folder / "backup")

    def go_back(self):
        """The disk died; the backup takes its place at the same address."""
        address = self.server.listen
        self.server.kill()
        self.witness.close()
        self.server = Server(self.folder / "restored", listen=address)
        self.server.admin("restore", self.folder / "backup")
        self.server.start()
        self.witness = Api(self.server.url).login(self.email, name="witness")


def test_what_devices_hold_of_the_lost_days_is_refused_and_never_guessed_at(days):
    days.write(days.laptop, "/kept.txt", "monday")
    days.back_up()
    days.write(days.laptop, "/kept.txt", "tuesday")
    days.write(days.phone, "/tuesday.txt", "only tuesday knew")
    kept = days.witness.by_path("/kept.txt").json()
    etag = days.witness.call("GET", f"/v1/files/{kept['id']}").headers["ETag"]
    tuesday = days.witness.by_path("/tuesday.txt").json()
    cursor = days.witness.cursor()
    days.go_back()
    api = days.witness
    for path in ("/v1/changes", "/v1/changes/wait", "/v1/events"):
        problem(api.call("GET", path, params={"cursor": cursor}), 410, "cursor_expired")
    problem(api.call("POST", "/v1/restore", json={"cursor": cursor}), 410, "cursor_expired")
    problem(api.call("DELETE", f"/v1/files/{kept['id']}", headers={"If-Match": etag}), 412, "version_mismatch")
    problem(api.call("PATCH", f"/v1/files/{kept['id']}", json={"name": "x"}, headers={"If-Match": etag}), 412,
            "version_mismatch")
    problem(api.call("DELETE", f"/v1/files/{kept['id']}", params={"baseRevisionId": kept["headRevisionId"]}), 409,
            "revision_conflict")
    problem(api.call("GET", f"/v1/files/{tuesday['id']}"), 404, "not_found")
    assert api.names() == ["kept.txt"]
    assert api.read(api.by_path("/kept.txt").json()) == b"monday", "as the backup has it"
    changes, _ = api.changes()
    assert not any(change["removed"] for change in changes), "what the backup lacks is absent, and not deleted"
    assert api.call("GET", "/v1/changes/deletions", expect=200).json()["deletions"] == []


def test_devices_go_on_and_what_the_backup_lacks_can_be_sent_again(days):
    days.write(days.laptop, "/kept.txt", "monday")
    days.back_up()
    (days.folder / "tuesday.txt").write_text("only tuesday knew")
    days.phone.put(days.folder / "tuesday.txt", "/tuesday.txt")
    days.go_back()
    assert days.laptop.cat("/kept.txt") == b"monday"
    assert days.phone.run("cat", "/tuesday.txt", check=False).code == 4
    days.phone.put(days.folder / "tuesday.txt", "/tuesday.txt")
    assert days.laptop.cat("/tuesday.txt") == b"only tuesday knew"
    assert (days.folder / "tuesday.txt").read_text() == "only tuesday knew"


def test_moments_of_before_the_backup_are_still_remembered(days):
    days.write(days.laptop, "/kept.txt", "sunday")
    sunday = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds")
    time.sleep(0.005)
    days.write(days.laptop, "/kept.txt", "monday")
    days.back_up()
    days.write(days.laptop, "/kept.txt", "tuesday")
    days.go_back()
    days.laptop.run("restore", "/", "--at", sunday)
    assert days.phone.cat("/kept.txt") == b"sunday"
