"""The words that scripts lean on: commands, exit codes, pipes, JSON, names that bite."""

import os
import subprocess

import pytest

from api import Api, content, new_id, sha256
from device import PASSWORD
from preconditions import machine_cannot
from server import BINARY, clean_environment

COMMANDS = ["register", "login", "logout", "whoami", "devices", "ls", "mkdir", "put", "get", "cat", "mv", "cp", "rm", "trash",
            "star", "stat", "history", "restore", "transfers", "watch", "verify", "doctor", "server", "up", "completion"]


@pytest.fixture
def api(device, shared_server):
    """The account of `device`, past the command line."""
    made = Api(shared_server.url).login(device.json("whoami")["user"]["email"], PASSWORD, name="witness")
    yield made
    made.close()


def test_help_names_every_command(new_device):
    said = new_device().run("--help").stdout
    for command in COMMANDS:
        assert command in said


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(new_device, command):
    said = new_device().run(command, "--help").stdout
    assert "USAGE" in said.upper() and f"bothy {command}" in said


def test_wrong_usage_exits_with_2(new_device):
    device = new_device()
    for words in (["put"], ["nonsense"], ["ls", "--no-such-flag"], ["transfers", "nonsense"], ["get"]):
        said = device.run(*words, check=False)
        assert said.code == 2, said


def test_help_of_what_is_no_command_says_so(device):
    said = device.run("help", "putt", check=False)
    assert said.code == 2 and "There is no command “putt”. Did you mean “put”?" in said.text
    assert device.run("help", "put").code == 0


def test_a_place_that_cannot_be_leaves_no_transfer(device, api):
    api.put("a.txt", b"a")
    said = device.get("/a.txt", "/no/such/folder/x", check=False)
    assert said.code == 4 and "The folder “/no/such/folder” does not exist" in said.text
    assert device.run("transfers", "--json").stdout == ""


def test_a_plan_that_is_not_there_says_how_another_is_made(device):
    said = device.run("restore", "--plan", "019aa1c8-e910-7d3d-a983-f3225e53ebe0", check=False)
    assert said.code == 4 and "--at MOMENT --dry-run" in said.text


def test_a_session_that_cannot_be_read_gives_way_to_the_next(server, new_device):
    """Each command said to sign in, and signing in said the same."""
    device = new_device()
    email = f"{new_id()}@example.org"
    device.register(server.url, email)
    (device.home / "bothy/secrets/session.json").write_text("{")
    said = device.run("ls", check=False)
    assert said.code == 3 and "bothy login" in said.text
    device.login(server.url, email)
    assert device.run("ls").code == 0


def test_sign_in_needed_exits_with_3_and_says_how(new_device):
    said = new_device().run("ls", check=False)
    assert said.code == 3 and "bothy login" in said.text
    said = new_device().run("doctor", check=False)
    assert said.code == 3 and "bothy login" in said.text


def test_what_cannot_be_done_is_wrong_usage_and_named_by_its_path(device, new_device, shared_server):
    folder = f"/{new_id()}"
    device.run("mkdir", folder)
    for words, named in ((["rm", "/"], "/"), (["star", "/"], "/"), (["mv", folder, f"{folder}/e"], folder),
                         (["cp", folder, f"{folder}/e"], folder)):
        said = device.run(*words, check=False)
        assert said.code == 2 and f"“{named}”" in said.text, said
    said = new_device().run("register", "--server", shared_server.url, "--email", "nonsense", "--password-stdin",
                            check=False)
    assert said.code == 2 and "“nonsense”" in said.text, said


def test_a_name_that_is_not_utf8_is_told_of(device, tmp_path):
    path = tmp_path / os.fsdecode(b"bad\xff")
    path.write_bytes(b"x")
    said = device.run("put", path, check=False)
    assert said.code == 4 and "UTF-8" in said.text, said


def test_what_is_not_there_exits_with_4(device, tmp_path):
    for words in (["stat", "/nothing"], ["get", "/nothing", tmp_path / "x"], ["cat", "/nothing"], ["ls", "/nothing"],
                  ["rm", "/nothing"], ["mv", "/nothing", "/b"], ["history", "/nothing"]):
        said = device.run(*words, check=False)
        assert said.code == 4 and "/nothing" in said.text, said


def test_cat_goes_on_past_what_is_missing(device, tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).write_text(name)
        device.put(tmp_path / name, f"/{name}")
    said = device.run("cat", "/a", "/nothing", "/b", check=False)
    assert (said.stdout, said.code) == ("ab", 5) and "/nothing" in said.stderr and "2 of 3 were done" in said.stderr, said


@pytest.mark.parametrize("names", [[], ["x"], ["x", "y"]])
def test_of_a_folder_it_is_said_how_much_of_it_went(device, tmp_path, names):
    (tmp_path / "some").mkdir()
    for name in names:
        (tmp_path / "some" / name).write_text(name)
    remote = f"/some-{len(names)}"
    for command in (("put", tmp_path / "some", remote), ("get", remote, tmp_path / "back")):
        said = device.run(*command).stdout
        assert f"{len(names)} file{'' if len(names) == 1 else 's'}, {len(names)} B in" in said, said
    assert sorted(path.name for path in (tmp_path / "back").iterdir()) == names


def test_a_file_of_the_system_is_not_put_as_an_empty_one(device):
    said = device.run("put", "/proc/version", "/version", check=False)
    assert said.code == 4 and "more content than its size says" in said.text, said
    assert device.run("ls", "/version", check=False).code == 4
    device.run("put", "-", "/version", stdin=b"as it is told to\n")
    assert device.cat("/version") == b"as it is told to\n"


def test_files_of_one_size_and_time_are_two_where_they_are_named(device, tmp_path):
    """Two that were written in one tick of the clock, or by who copies times along."""
    (tmp_path / "there").mkdir()
    for name, words in (("one", "aaa"), ("two", "bbb"), ("there/h", "ccc")):
        (tmp_path / name).write_text(words)
        os.utime(tmp_path / name, ns=(1_700_000_000_000_000_000, 1_700_000_000_000_000_000))
    device.put(tmp_path / "one", "/h")
    device.put("--replace", tmp_path / "two", "/h")
    assert device.cat("/h") == b"bbb"
    device.get("--replace", "/h", tmp_path / "there")
    assert (tmp_path / "there/h").read_text() == "bbb"
    assert "has the content" in device.put(tmp_path / "two", "/h").text


def test_get_replaces_an_older_version_and_never_what_is_nowhere_else(device, api, tmp_path):
    local = tmp_path / "ideas.txt"
    for words in ("first", "second"):
        local.write_text(words)
        device.put(local, "/ideas.txt")
    local.write_text("first")
    assert device.get("/ideas.txt", tmp_path).code == 0 and local.read_text() == "second"
    local.write_text("what only this machine has")
    refused = device.get("/ideas.txt", tmp_path, check=False)
    assert refused.code == 4 and "not a version" in refused.text and "--replace" in refused.text
    assert local.read_text() == "what only this machine has"
    device.get("--keep-both", "/ideas.txt", tmp_path)
    assert (tmp_path / "ideas (1).txt").read_text() == "second"
    device.get("--replace", "/ideas.txt", tmp_path)
    assert local.read_text() == "second"
    # Who names the very file means it, as with cp.
    local.write_text("what may go")
    device.get("/ideas.txt", local)
    assert local.read_text() == "second"


def test_the_end_of_a_name_says_what_kind_of_file_it_is(device, api, tmp_path):
    for name in ("a.txt", "b.PDF", "c"):
        (tmp_path / name).write_text(name)
    device.put(tmp_path / "a.txt", tmp_path / "b.PDF", tmp_path / "c", "/")
    assert [api.by_path(f"/{name}").json()["mimeType"] for name in ("a.txt", "b.PDF", "c")] == [
        "text/plain", "application/pdf", "application/octet-stream"]


def test_put_fail_and_keep_both_and_a_new_revision(device, api, tmp_path):
    (tmp_path / "report.pdf").write_bytes(b"one")
    device.put(tmp_path / "report.pdf", "/report.pdf")
    (tmp_path / "report.pdf").write_bytes(b"two")
    said = device.put("--fail", tmp_path / "report.pdf", "/report.pdf", check=False)
    assert said.code == 4
    device.put("--keep-both", tmp_path / "report.pdf", "/report.pdf")
    assert sorted(api.names()) == ["report (1).pdf", "report.pdf"]
    device.put(tmp_path / "report.pdf", "/report.pdf")
    assert [api.read(r) for r in api.revisions(api.by_path("/report.pdf").json()["id"])] == [b"two", b"one"]


def test_history_and_restore(device, tmp_path):
    for text in (b"one", b"two", b"three"):
        (tmp_path / "a").write_bytes(text)
        device.put(tmp_path / "a", "/a")
    revisions = device.run("history", "/a", "--json").json_lines()
    assert len(revisions) == 3
    device.run("restore", "/a", revisions[-1]["revisionId"])
    assert device.cat("/a") == b"one"
    assert len(device.run("history", "/a", "--json").json_lines()) == 4


def test_standard_input_and_output(device):
    data = content(5 << 20, seed="pipe")
    device.run("put", "-", "/from-stdin", stdin=data)
    assert device.cat("/from-stdin") == data
    assert device.run("get", "/from-stdin", "-").stdout_bytes == data
    device.run("put", "-", "/empty", stdin=b"")
    assert device.cat("/empty") == b""


def test_many_files_and_folders(device, api, tmp_path):
    tree = tmp_path / "tree"
    (tree / "a" / "b").mkdir(parents=True)
    (tree / "empty").mkdir()
    files = {"one": b"1", "a/two": content(300_000), "a/b/three ü": b"3", "a/b/-dash": b"4", "empty file": b""}
    for name, data in files.items():
        (tree / name).write_bytes(data)
    (tree / "link").symlink_to("/etc/passwd")
    said = device.run("put", tree, "/", seconds=180, check=False)
    assert said.code == 5 and "link" in said.text, said
    for name, data in files.items():
        assert api.read(api.by_path(f"/tree/{name}").json()) == data if data else api.by_path(f"/tree/{name}").json()["size"] == 0
    assert api.by_path("/tree/link").status_code == 404
    device.run("get", "/tree", tmp_path / "back", seconds=180)
    base = tmp_path / "back" / "tree" if (tmp_path / "back" / "tree").exists() else tmp_path / "back"
    for name, data in files.items():
        assert (base / name).read_bytes() == data
    assert (base / "empty").is_dir()
    (tmp_path / "x").write_text("x"), (tmp_path / "y").write_text("y")
    device.run("mkdir", "/many")
    device.run("put", tmp_path / "x", tmp_path / "y", "/many/")
    assert sorted(api.names(api.by_path("/many").json()["id"])) == ["x", "y"]


def test_a_name_that_begins_with_a_mark_is_a_name_like_any_other(device, api, tmp_path):
    """With the slash before it, such a mark makes one letter for whoever counts letters, and then there is no slash."""
    names = ["\u0301accent.txt", "🏽.png", "\u200djoiner", "\ufe0fvariation"]
    (tmp_path / "tree").mkdir()
    for name in names:
        (tmp_path / "tree" / name).write_text(name)
    device.put(tmp_path / "tree", "/")
    device.get("/tree", tmp_path / "back")
    assert {path.name: path.read_text() for path in (tmp_path / "back").iterdir()} == {name: name for name in names}
    for name in names:
        assert api.by_path(f"/tree/{name}").json()["name"] == name
        assert device.cat(f"/tree/{name}").decode() == name
        device.run("mv", f"/tree/{name}", f"/{name}")
        device.put(tmp_path / "tree" / name, "/")
        device.get(f"/{name}", tmp_path)
        assert (tmp_path / name).read_text() == name


def test_partly_done_exits_with_5(device, tmp_path):
    (tmp_path / "here").write_text("here")
    said = device.run("put", tmp_path / "here", tmp_path / "missing", "/", check=False)
    assert said.code == 5 and "missing" in said.text
    assert device.cat("/here") == b"here"


def test_mkdir_mv_cp_rm_trash_star(device, api):
    device.run("mkdir", "/a")
    device.run("put", "-", "/a/f", stdin=b"f")
    device.run("cp", "/a/f", "/a/g")
    device.run("mv", "/a/g", "/h")
    device.run("star", "/h")
    assert api.by_path("/h").json()["starred"] is True
    device.run("rm", "/a")
    assert api.names() == ["h"]
    assert [found["name"] for found in device.run("trash", "--json").json_lines()] == ["a"]
    assert device.cat("/h") == b"f"


def test_mode_and_time_travel_along(device, tmp_path):
    source = tmp_path / "tool"
    source.write_text("#!/bin/sh\n")
    source.chmod(0o755)
    os.utime(source, ns=(1_000_000_000_123_456_789, 1_000_000_000_123_456_789))
    device.put(source, "/tool")
    device.get("/tool", tmp_path / "back")
    back = (tmp_path / "back").stat()
    assert back.st_mtime_ns == 1_000_000_000_123_456_789 and back.st_mode & 0o100


@pytest.mark.parametrize("words", [["whoami"], ["devices"], ["ls"], ["ls", "/"], ["stat", "/f"], ["history", "/f"],
                                   ["transfers"], ["doctor"], ["trash"]])
def test_json_is_one_object_a_line(device, words):
    device.run("put", "-", "/f", stdin=b"f")
    said = device.run(*words, "--json")
    assert all(isinstance(document, dict) for document in said.json_lines())
    assert said.json_lines() or words[0] in ("transfers", "trash")


def test_an_error_in_json_is_json(device):
    import json
    said = device.run("stat", "/nothing", "--json", check=False)
    assert said.code == 4
    error = json.loads(said.stderr)["error"]
    assert said.stdout == "" and error["exitStatus"] == 4 and "/nothing" in error["message"] and error["remedy"], error


def test_nothing_from_the_server_makes_a_local_path_leave_its_folder(new_device, tmp_path):
    """A server that lies about names: a listing with `..`, slashes and absolute paths in it."""
    import http.server
    import json
    import threading

    escaped = tmp_path / "escaped"
    folder = {"mimeType": "application/vnd.bothy.folder", "size": 0, "version": 1, "createdAt": "2026-01-01T00:00:00.000Z",
              "modifiedAt": "2026-01-01T00:00:00.000Z", "updatedAt": "2026-01-01T00:00:00.000Z", "trashed": False,
              "starred": False, "hidden": False, "executable": False}
    evil = [{**folder, "id": f"e{number}", "name": name, "parentId": "top"} for number, name in enumerate(
        ["..", "../escaped", "/" + str(escaped), "a/../../escaped", "."])]

    class Liar(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self, body, status=200):
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.send_header("ETag", '"1-1"')
            self.end_headers()
            self.wfile.write(data)

        def do_POST(self):
            self.rfile.read(int(self.headers.get("content-length") or 0))
            self.answer({"accessToken": "a.b.c", "refreshToken": "r", "expiresIn": 900, "user": {
                "id": 1, "email": "a@example.org", "displayName": "a"}, "device": {
                "id": "d", "name": "n", "platform": "linux", "createdAt": "2026-01-01T00:00:00.000Z",
                "lastSeenAt": "2026-01-01T00:00:00.000Z", "current": True}}, 201 if "register" in self.path else 200)

        def do_GET(self):
            if "parentId=top" in self.path:
                self.answer({"files": evil, "pagination": {"limit": 100}})
            elif "parentId" in self.path or self.path.startswith("/v1/files?"):
                self.answer({"files": [{**folder, "id": "top", "name": "top", "parentId": "root"}] if "root" in self.path
                             else [], "pagination": {"limit": 100}})
            else:
                self.answer({**folder, "id": "top", "name": "top", "parentId": "root"})

        def log_message(self, *_):
            pass

    liar = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Liar)
    threading.Thread(target=liar.serve_forever, daemon=True).start()
    device = new_device()
    device.login(f"http://127.0.0.1:{liar.server_address[1]}", "a@example.org")
    target = tmp_path / "in" / "here"
    target.mkdir(parents=True)
    said = device.run("get", "/top", target / "top", check=False, seconds=60)
    liar.shutdown()
    assert "Fatal" not in said.text
    assert not escaped.exists() and not (tmp_path / "in" / "escaped").exists()
    assert sorted(path.name for path in (tmp_path / "in").iterdir()) == ["here"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions_are_printed(new_device, shell):
    said = new_device().run("completion", shell).stdout
    assert "bothy" in said and "put" in said
    if shell == "bash":
        assert subprocess.run(["bash", "-n"], input=said, text=True).returncode == 0


def test_no_remote_name_is_ever_evaluated_by_the_shell(device, tmp_path):
    """Completing a path beside a file called `$(touch …)` touches nothing."""
    marker = tmp_path / "touched"
    device.run("put", "-", f"/$(touch {marker.name})", stdin=b"x", cwd=tmp_path)
    device.run("put", "-", f"/`touch {marker.name}`", stdin=b"x", cwd=tmp_path)
    script = device.run("completion", "bash").stdout
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "bothy").symlink_to(BINARY)
    asking = script + """
COMP_WORDS=(bothy cat /); COMP_CWORD=2; COMP_LINE='bothy cat /'; COMP_POINT=11
function=$(complete -p bothy | sed -n 's/.*-F \\([^ ]*\\).*/\\1/p')
"$function" bothy / cat 2>/dev/null
printf '%s\\n' "${COMPREPLY[@]}"
"""
    said = subprocess.run(["bash", "--norc", "-c", asking], capture_output=True, text=True, cwd=tmp_path, timeout=60,
                          env={**device.environment, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"})
    assert not marker.exists(), said.stdout + said.stderr
    assert said.returncode == 0


def test_secrets_are_in_files_that_only_their_owner_can_read(device):
    for path, folders, files in os.walk(device.home / "bothy"):
        for name in files:
            full = os.path.join(path, name)
            if not os.path.islink(full):
                assert os.stat(full).st_mode & 0o077 == 0, full


def test_a_read_only_home_is_said_in_words(device, tmp_path):
    result = subprocess.run(
        ["unshare", "-m", "sh", "-c", f'mount --bind "{device.home}" "{device.home}" && mount -o remount,ro,bind "{device.home}"'
                                      f' && "{BINARY}" put /etc/hostname /x'],
        capture_output=True, text=True, env=device.environment, stdin=subprocess.DEVNULL, timeout=60, cwd=tmp_path)
    if "unshare" in result.stderr or "mount:" in result.stderr:
        machine_cannot("a test cannot have a mount of its own here")
    said = result.stdout + result.stderr
    assert result.returncode == 1, said
    assert f"“{device.home / 'bothy'}” cannot be written to" in said and "Set BOTHY_HOME" in said, said


@pytest.mark.parametrize("sources, folder", [(["one/r", "two/r"], "/docs"), (["both"], "/docs/both")])
def test_two_files_that_would_go_to_one_place_are_told_apart(device, api, tmp_path, sources, folder):
    """Else the second would be a new version of the first, which nobody would find again."""
    api.folder("docs")
    for name in ["one/r", "two/r", "both/caf\u00e9", "both/cafe\u0301"]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content(100, seed=name))
    said = device.put(*sources, "/docs/", check=False, cwd=tmp_path)
    why = "another file in this command is uploaded to" if len(sources) > 1 else "another file's name differs only in its bytes"
    assert said.code == 5 and f"was left out: {why}" in said.text, said
    # It was left out in one line, and had failed in the next.
    assert "1 left out" in said.text and "failed" not in said.text, said
    (file,) = api.list(api.by_path(folder).json()["id"])
    assert len(api.revisions(file["id"])) == 1
    device.put("--keep-both", *sources, "/docs/", cwd=tmp_path)
    contents = {api.read(file) for file in api.list(api.by_path(folder).json()["id"])}
    assert contents == {content(100, seed=name) for name in (sources if len(sources) > 1 else ["both/caf\u00e9", "both/cafe\u0301"])}


def test_limit_rate_holds(device, tmp_path):
    import time
    (tmp_path / "a").write_bytes(content(6 << 20))
    at = time.monotonic()
    device.run("put", "--limit-rate", "2M", tmp_path / "a", "/a")
    assert 1.5 <= time.monotonic() - at <= 60


def test_a_lasting_limit_holds_for_every_command_until_it_is_lifted(device, tmp_path):
    import time
    (tmp_path / "a").write_bytes(content(2 << 20))
    assert "1.0 MiB/s" in device.run("config", "limit-rate", "1M").stdout
    assert device.json("config")["limitRate"] == 1 << 20
    at = time.monotonic()
    device.run("put", tmp_path / "a", "/a")
    assert time.monotonic() - at >= 0.7
    for nonsense in ("fast", "0", "1X"):
        assert device.run("config", "limit-rate", nonsense, check=False).code == 2
    assert device.json("config")["limitRate"] == 1 << 20
    device.run("config", "limit-rate", "off")
    assert "limitRate" not in device.json("config")


def test_how_much_is_kept_here_is_chosen_and_nonsense_changes_nothing(device):
    assert "1 GB" in device.run("config").stdout
    assert "5.0 GiB" in device.run("config", "keep-content", "5G").stdout
    assert "50 MiB" in device.run("config", "keep-metadata", "50M").stdout
    chosen = {"keepContent": 5 << 30, "keepMetadata": 50 << 20}
    assert chosen.items() <= device.json("config").items()
    for words in (("keep-content", "much"), ("keep-content", "-1"), ("keep-metadata", "lots"), ("keep-metadata", "1K")):
        refused = device.run("config", *words, check=False)
        assert refused.code != 0 and refused.stderr, words
    assert chosen.items() <= device.json("config").items()
    device.run("config", "keep-content", "usual")
    device.run("config", "keep-metadata", "server")
    assert device.json("config")["keepContent"] == 1_000_000_000 and "keepMetadata" not in device.json("config")


def test_two_devices_see_each_others_files(device, new_device, shared_server, api, tmp_path):
    other = new_device().login(shared_server.url, api.user["email"])
    (tmp_path / "a").write_bytes(content(5 << 20))
    device.put(tmp_path / "a", "/a")
    assert sha256(other.cat("/a")) == sha256(content(5 << 20))
    names = [found["name"] for found in other.run("devices", "--json").json_lines()]
    assert other.name in names and device.name in names


def test_logging_out_removes_what_was_the_accounts(device):
    device.run("logout")
    assert device.run("ls", check=False).code == 3
    assert device.run("logout").code == 0, "there is nothing to do, and nothing failed"


def test_watch_tells_of_a_change_elsewhere(device, api):
    from waiting import wait_until
    process = device.start("watch", "--json")
    try:
        wait_until(lambda: process.poll() is None, what="watch")

        def told():
            api.folder(f"heard-{new_id()}")
            return "heard" in device.started_log()

        wait_until(told, what="the change in watch", every=0.5)
    finally:
        process.terminate()
        process.wait(60)


def test_doctor_says_what_is_and_what_is_not_well(device, proxy):
    well = device.run("doctor").stdout
    assert "ok  server" in well and "ok  account" in well and "BAD" not in well, well
    proxy.go_down()
    said = device.run("doctor", check=False)
    assert said.code == 1 and "ok  account" in said.stdout and "BAD server" in said.stdout, said
    assert "Check the connection" in said.stdout and said.stdout.count(proxy.url) == 1, said


def test_the_password_is_never_an_argument(new_device, shared_server):
    said = new_device().run("register", "--server", shared_server.url, "--email", "a@example.org", "--device", "x",
                            "--password", "secret", check=False)
    assert said.code == 2


def test_bothy_home_defaults_to_the_xdg_data_folder(tmp_path, shared_server):
    environment = clean_environment(HOME=str(tmp_path), XDG_DATA_HOME=str(tmp_path / "share"))
    subprocess.run([BINARY, "register", "--server", shared_server.url, "--email", f"{new_id()}@example.org", "--device", "x",
                    "--password-stdin"], input=PASSWORD.encode(), env=environment, check=True, capture_output=True)
    assert (tmp_path / "share" / "bothy").is_dir()
    assert not (tmp_path / ".bothy").exists()
