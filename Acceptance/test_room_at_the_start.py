"""A large file for which the account has no room is refused before a byte of it is sent."""

import os

from api import new_id


def test_a_file_larger_than_the_room_is_refused_before_it_is_sent(server, new_device):
    email = f"{new_id()}@example.org"
    device = new_device().register(server.url, email)
    server.admin("user", "quota", email, "20M")
    (device.home / "film").write_bytes(os.urandom(24 << 20))
    (device.home / "small").write_bytes(os.urandom(1 << 20))
    said = device.put("film", "/", check=False)
    assert said.code == 1 and "it needs 24 MiB, and 20 MiB are left" in said.stderr, said
    assert device.json("whoami")["quota"]["used"] == 0
    assert device.run("transfers", "--json").stdout == ""
    (device.home / "folder").mkdir()
    for name in ("film", "small"):
        (device.home / name).rename(device.home / "folder" / name)
    # The others of a folder go on.
    assert device.put("folder", "/", check=False).code == 5
    assert device.run("ls", "/folder").stdout.split() == ["small"]


def test_content_that_the_drive_has_already_is_not_refused(server, new_device):
    email = f"{new_id()}@example.org"
    device = new_device().register(server.url, email)
    (device.home / "film").write_bytes(os.urandom(20 << 20))
    device.put("film", "/")
    server.admin("user", "quota", email, "21M")
    device.run("ls")
    device.put("film", "/copy")
    assert sorted(device.run("ls").stdout.split()) == ["copy", "film"]
