"""What the server's owner does beside it while it runs: accounts, backups, checks, plain files in and out."""

import json
import os
import stat
import subprocess
import threading

import pytest

from api import PASSWORD, Api, content, new_id, problem, sha256
from content import file_sha256
from server import BINARY, Server


def emails(server):
    return server.admin("user", "list").stdout


def test_user_list_disable_reset_quota_delete(server, new_account):
    api, other = new_account(server), new_account(server)
    email = api.user["email"]
    assert email in emails(server) and other.user["email"] in emails(server)

    server.admin("user", "quota", email, "5 MiB")
    assert api.call("GET", "/v1/about").json()["quota"]["limit"] == 5 << 20

    address = api.put_small("held.txt", b"held\n")["downloadUrl"]
    elsewhere = other.put_small("open.txt", b"open\n")["downloadUrl"]
    server.admin("user", "disable", email)
    problem(api.call("GET", "/v1/about"), 403, "account_disabled")
    problem(api.call("GET", address), 403, "account_disabled")
    other.call("GET", "/v1/about", expect=200)
    assert other.call("GET", elsewhere, expect=200).content == b"open\n"

    server.admin("user", "delete", other.user["email"], "--yes")
    assert other.call("GET", "/v1/about").status_code in (401, 403)
    assert other.user["email"] not in emails(server)


def test_resetting_a_password_ends_the_sessions(server, new_account):
    api = new_account(server)
    said = server.admin("user", "reset-password", api.user["email"]).stdout
    assert api.call("GET", "/v1/about").status_code == 401
    new = max(said.replace("\n", " ").split(), key=lambda word: (any(c.isdigit() for c in word), len(word)))
    answers = [Api(server.url).call("POST", "/v1/auth/login", json={
        "email": api.user["email"], "password": word.strip(".:"), "device": {"name": "x", "platform": "linux"}})
        for word in (new, PASSWORD)]
    assert [answer.status_code for answer in answers] == [200, 401]


def test_the_socket_is_its_owners_alone(server):
    sockets = [path for path in server.data.rglob("*") if stat.S_ISSOCK(path.lstat().st_mode)]
    assert sockets and all(stat.S_IMODE(path.lstat().st_mode) & 0o177 == 0 for path in sockets)


def test_administration_without_a_server_says_so(tmp_path, server):
    server.stop()
    result = server.admin("user", "list", check=False)
    assert result.returncode != 0 and "running" in result.stdout + result.stderr


def test_verify_finds_a_flipped_byte_and_it_is_never_served(server, new_account):
    api = new_account(server)
    file = api.put("film", content(5 << 20))
    assert server.admin("verify").returncode == 0
    pack = max((p for p in server.data.rglob("*") if p.is_file() and "pack" in str(p.relative_to(server.data))),
               key=lambda p: p.stat().st_size)
    with open(pack, "r+b") as stored:
        stored.seek(pack.stat().st_size // 2)
        byte = stored.read(1)
        stored.seek(-1, os.SEEK_CUR)
        stored.write(bytes([byte[0] ^ 1]))
    result = server.admin("verify", check=False)
    assert result.returncode != 0 and "film" in result.stdout + result.stderr
    try:
        response = api.download(api.file(file["id"]))
        served = response.content
        assert response.status_code == 503 or sha256(served) != file["checksum"] and len(served) < file["size"]
    except Exception as error:  # the answer breaks off before the damage
        assert "incomplete" in str(error) or "peer closed" in str(error)


def test_gc_and_stats_answer(server, new_account):
    api = new_account(server)
    api.put("a", content(1 << 20))
    assert server.admin("stats").stdout.strip()
    server.admin("gc")
    assert api.read(api.by_path("/a").json()) == content(1 << 20)


def test_stats_tell_where_the_room_goes(server, new_account):
    api, other = new_account(server), new_account(server)
    api.put_small("a", content(300_000, seed="one"))
    api.put_small("a", content(200_000, seed="two"), conflict="overwrite")
    api.put_small("copy", content(200_000, seed="two"))
    other.put_small("theirs", content(200_000, seed="two"))
    everything, *accounts = documents(server, "stats")
    assert everything["event"] == "all" and everything["accounts"] == 2 == len(accounts)
    mine = next(line for line in accounts if line["email"] == api.user["email"])
    assert (mine["files"], mine["revisions"], mine["blocks"]) == (2, 3, 2)
    assert (mine["logicalBytes"], mine["currentBytes"], mine["uniqueBytes"]) == (700_000, 400_000, 500_000)
    assert everything["uniqueBytes"] == 700_000 < everything["storedBytes"] < 701_000
    assert everything["packBytes"] - everything["storedBytes"] == everything["garbageBytes"] < 1 << 20
    said = server.admin("stats").stdout
    assert all(word in said for word in ("logical", "unique", "stored", "garbage", other.user["email"]))


@pytest.mark.long
def test_what_shrinks_is_kept_compressed_after_a_while(server, new_account):
    from waiting import wait_until
    api = new_account(server)
    text = b"".join(b"%d shelters stand open in any weather\n" % number for number in range(60_000))
    api.put("letters", text)
    api.put_small("noise", content(300_000))
    wait_until(lambda: documents(server, "stats")[0]["savedBytes"] > len(text) // 2, seconds=240, what="the job")
    assert api.read(api.by_path("/letters").json()) == text
    assert server.admin("verify").returncode == 0
    everything = documents(server, "stats")[0]
    assert everything["uniqueBytes"] == len(text) + 300_000 > everything["storedBytes"] + len(text) // 2


class Load(threading.Thread):
    """Puts files until told to stop, and remembers each that was acknowledged."""

    def __init__(self, api, prefix):
        super().__init__(daemon=True)
        self.api, self.prefix, self.acknowledged, self.ending = api, prefix, {}, threading.Event()

    def run(self):
        number = 0
        while not self.ending.is_set():
            data = content(50_000 + number * 37, seed=f"{self.prefix}{number}")
            self.api.put_small(f"{self.prefix}{number}", data)
            self.acknowledged[f"{self.prefix}{number}"] = data
            number += 1

    def end(self):
        self.ending.set()
        self.join(60)


def test_backup_under_load_restored_elsewhere_verified(server, new_account, tmp_path):
    from waiting import wait_until
    api = new_account(server)
    old_cursor = api.cursor()
    tag = api.call("GET", f"/v1/files/{api.put_small('first', b'first')['id']}").headers["etag"]
    loads = [Load(api, "x"), Load(Api(server.url).signed_in({
        "accessToken": api.access, "refreshToken": "", "user": api.user, "device": api.device}), "y")]
    for load in loads:
        load.start()
    wait_until(lambda: all(len(load.acknowledged) >= 5 for load in loads), what="some load")
    before = [dict(load.acknowledged) for load in loads]
    server.admin("backup", tmp_path / "backup")
    wait_until(lambda: all(len(load.acknowledged) >= 10 for load in loads), what="more load")
    for load in loads:
        load.end()
    server.admin("backup", tmp_path / "backup")  # incremental
    after = [dict(load.acknowledged) for load in loads]

    restored = Server(tmp_path / "restored")
    restored.admin("restore", tmp_path / "backup")
    restored.start()
    try:
        again = Api(restored.url).login(api.user["email"])
        for taken in (*before, *after):
            for name, data in taken.items():
                file = again.by_path(f"/{name}")
                assert file.status_code == 200, name
                assert again.read(file.json()) == data
        assert restored.admin("verify").returncode == 0
        problem(again.call("GET", "/v1/changes", params={"cursor": old_cursor}), 410, "cursor_expired")
        first = again.by_path("/first").json()
        response = again.call("PATCH", f"/v1/files/{first['id']}", headers={"If-Match": tag},
                              json={"requestId": new_id(), "starred": True})
        problem(response, 412, "version_mismatch")
    finally:
        restored.kill()


@pytest.mark.parametrize("left", [None, 3000])
def test_a_backup_that_lacks_blocks_is_restored_and_says_so(server, tmp_path, new_account, left):
    api = new_account(server)
    api.put_small("film", content(100_000, seed="film"))
    server.admin("backup", tmp_path / "backup")
    pack = max((tmp_path / "backup/packs").iterdir(), key=lambda path: path.stat().st_size)
    os.truncate(pack, left) if left else pack.unlink()
    restored = Server(tmp_path / "restored")
    said = restored.admin("restore", tmp_path / "backup", check=False)
    assert said.returncode != 0 and "The backup was restored to" in said.stdout, said
    assert f"lacks all or the end of “packs/{pack.name}”" in said.stderr and "verify" in said.stderr, said


def test_restore_refuses_a_folder_that_holds_data(server, tmp_path, new_account):
    new_account(server).put_small("kept", b"kept")
    server.admin("backup", tmp_path / "backup")
    server.stop()
    result = server.admin("restore", tmp_path / "backup", check=False)
    assert result.returncode == 4 and "replaces nothing" in result.stderr


def tree(folder):
    return {str(path.relative_to(folder)): file_sha256(path) if path.is_file() else None for path in folder.rglob("*")}


def test_export_equals_what_was_put(server, new_account, tmp_path):
    api = new_account(server)
    folder = api.folder("Übung", api.folder("docs")["id"])
    api.put("film.bin", content(9 << 20), parentId=folder["id"])
    api.put_small("empty", b"", folder["id"])
    api.put_small("-rf", b"a name", folder["id"])
    trashed = api.put_small("trashed", b"x")
    api.delete(trashed["id"])
    server.admin("export", tmp_path / "out")
    found = tree(tmp_path / "out")
    by_end = {path.split("/docs")[-1]: digest for path, digest in found.items() if "/docs" in "/" + path and digest}
    by_end = {path.split("docs/")[-1]: digest for path, digest in found.items() if "docs/" in path and digest}
    assert by_end == {"Übung/film.bin": sha256(content(9 << 20)), "Übung/empty": sha256(b""), "Übung/-rf": sha256(b"a name")}
    assert not any(path.endswith("/trashed") or path == "trashed" for path in found)


def test_import_takes_plain_files_in(server, new_account, tmp_path):
    api = new_account(server)
    source = tmp_path / "photos"
    (source / "2026").mkdir(parents=True)
    (source / "2026" / "a.jpg").write_bytes(content(700_000))
    (source / "b.txt").write_text("b")
    (source / "link").symlink_to("/etc/passwd")
    # Of a folder that is in step on a device of this machine.
    (source / "2026" / ".bothy" / "trash").mkdir(parents=True)
    (source / "2026" / ".bothy" / "folder").write_text("mark\n")
    (source / "2026" / ".bothy" / "trash" / "old.jpg").write_bytes(b"old")
    # A person's own.
    (source / ".bothy").mkdir()
    (source / ".bothy" / "mine").write_bytes(b"mine")
    said = server.admin("import", source, "--user", api.user["email"], check=False)
    assert "link" in said.stdout + said.stderr, "what was left out is named"
    assert said.returncode == 5
    paths = {name for name in api.names()}
    base = "" if "2026" in paths else "/photos"
    assert api.read(api.by_path(f"{base}/2026/a.jpg").json()) == content(700_000)
    assert api.read(api.by_path(f"{base}/b.txt").json()) == b"b"
    assert api.by_path(f"{base}/link").status_code == 404
    assert api.by_path(f"{base}/2026/.bothy").status_code == 404
    assert api.read(api.by_path(f"{base}/.bothy/mine").json()) == b"mine"


def test_an_import_that_does_not_fit_says_what_gives_room(server, new_account, tmp_path):
    api = new_account(server)
    server.admin("user", "quota", api.user["email"], "1 MiB")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "film.bin").write_bytes(os.urandom(3 << 20))
    said = server.admin("import", tmp_path / "in", "--user", api.user["email"], check=False)
    assert said.returncode == 1 and "of this account's quota of 1 MiB." in said.stderr, said
    assert "“bothy server user quota” raises it." in said.stderr, said


def test_help_names_every_command():
    said = subprocess.run([BINARY, "server", "--help"], capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout
    for command in ("init", "user", "gc", "verify", "stats", "backup", "restore", "import", "export"):
        assert command in said


@pytest.mark.parametrize("command", ["list", "invite", "reset-password", "disable", "delete", "quota"])
def test_user_commands_have_help(command):
    said = subprocess.run([BINARY, "server", "user", command, "--help"], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)
    assert said.returncode == 0 and "USAGE" in said.stdout.upper()


@pytest.mark.parametrize("size", [100_000, 9 << 20], ids=["small", "in a session"])
@pytest.mark.parametrize("found", ["by verify", "by reading"])
def test_putting_a_damaged_file_again_repairs_it(server, new_device, tmp_path, size, found):
    email = f"{new_id()}@example.org"
    device = new_device().register(server.url, email)
    data = content(size, seed=found)
    (tmp_path / "film").write_bytes(data)
    device.put(tmp_path / "film", "/film")
    device.run("cp", "/film", "/copy")
    server.flip_a_bit_of(data[2000:2100])
    if found == "by verify":
        said = server.admin("verify", check=False)
        assert said.returncode == 1 and "/film" in said.stdout and "again" in said.stderr, said
    else:
        api = Api(server.url).login(email)
        problem(api.download(api.by_path("/film").json()), 503, "content_corrupt")
    device.put(tmp_path / "film", "/again")
    for name in ("/film", "/copy", "/again"):
        assert sha256(device.cat(name)) == sha256(data), name
    assert server.admin("verify").returncode == 0


def test_no_name_acts_on_the_owners_terminal(server, new_account, tmp_path):
    """Names that the server takes and a terminal would obey: what verify says of a damaged file, and export of one."""
    api = new_account(server)
    data = content(100_000)
    api.put_small("\u202egpj.exe\u2028", data)
    server.flip_a_bit_of(data[50_000:50_100])
    for said in (server.admin("verify", check=False), server.admin("export", tmp_path / "out", check=False)):
        shown = said.stdout + said.stderr
        assert "gpj.exe" in shown and "\\u{202E}" in shown, shown
        assert "\u202e" not in shown and "\u2028" not in shown, shown
    (tmp_path / "in").mkdir()
    (tmp_path / "in/two\nlines\there").symlink_to("/etc/passwd")
    said = server.admin("import", tmp_path / "in", "--user", api.user["email"], check=False)
    assert "two\\u{A}lines\\u{9}here" in said.stdout and "1 file or folder could not be imported" in said.stderr, said


def test_what_is_not_there_or_in_the_way_has_a_status_of_its_own(server, new_account, tmp_path):
    email = new_account(server).user["email"]
    (tmp_path / "full").mkdir()
    (tmp_path / "full/file").touch()
    nobody = "nobody@example.org"
    for command in (
        ("user", "quota", nobody, "none"), ("user", "reset-password", nobody), ("export", tmp_path / "out", "--user", nobody),
        ("import", tmp_path / "nowhere", "--user", email), ("export", tmp_path / "full"), ("backup", tmp_path / "full"),
        ("restore", tmp_path / "nowhere"), ("init",),
    ):
        assert server.admin(*command, check=False).returncode == 4, command
    elsewhere = Server(tmp_path / "elsewhere")
    assert elsewhere.admin("stats", check=False).returncode == 4


def documents(server, *arguments, **options):
    return [json.loads(line) for line in server.admin(*arguments, "--json", **options).stdout.splitlines()]


def test_every_command_of_the_owner_speaks_json(server, new_account, tmp_path):
    api = new_account(server)
    email = api.user["email"]
    api.put("film", content(5 << 20))
    (user,) = documents(server, "user", "list")
    assert user["email"] == email and user["used"] == 5 << 20 and user["disabled"] is False and "quota" not in user
    assert documents(server, "user", "quota", email, "1GiB") == [{"email": email, "quota": 1 << 30}]
    assert documents(server, "user", "list")[0]["quota"] == 1 << 30
    assert len(documents(server, "user", "invite")[0]["invite"]) > 8
    assert documents(server, "stats")[0]["blocks"] == 2
    assert documents(server, "gc")[0]["freedBlocks"] == 0
    (verified,) = documents(server, "verify")
    assert verified["damaged"] == 0 and verified["blocks"] == 2 and verified["database"] == []
    assert documents(server, "backup", tmp_path / "backup")[0]["copiedBytes"] > 5 << 20
    assert documents(server, "export", tmp_path / "out")[0]["files"] == 1
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a").write_text("a")
    (tmp_path / "in/link").symlink_to("/etc/passwd")
    said = server.admin("import", tmp_path / "in", "--user", email, "--json", check=False)
    left_out, summary = [json.loads(line) for line in said.stdout.splitlines()]
    assert left_out["event"] == "left_out" and summary["event"] == "summary" and summary["leftOut"] == 1
    assert json.loads(said.stderr)["error"]["code"] == "partly_done" and said.returncode == 5
    assert documents(server, "user", "disable", email) == [{"email": email, "disabled": True}]
    assert documents(server, "user", "enable", email) == [{"email": email, "disabled": False}]
    assert documents(server, "user", "reset-password", email)[0]["password"]
    refused = server.admin("user", "delete", email, "--json", check=False)
    assert json.loads(refused.stderr)["error"]["exitStatus"] == 2 == refused.returncode
    assert documents(server, "user", "delete", email, "--yes") == [{"email": email, "deleted": True}]
    unknown = server.admin("user", "disable", email, "--json", check=False)
    assert email in json.loads(unknown.stderr)["error"]["message"] and unknown.stdout == ""
    assert json.loads(unknown.stderr)["error"]["exitStatus"] == 4 == unknown.returncode
    restored = Server(tmp_path / "restored")
    assert documents(restored, "restore", tmp_path / "backup")[0]["data"] == str(tmp_path / "restored")


def test_a_server_says_where_it_listens_as_json(tmp_path):
    process = subprocess.Popen(
        [BINARY, "server", "--data", tmp_path / "data", "--listen", "127.0.0.1:0", "--json"], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    try:
        said = json.loads(process.stdout.readline())
        assert said["listening"].startswith("http://127.0.0.1:") and said["setupCode"]
    finally:
        process.kill()
        process.wait()
