"""Bad days of what a device knows and of what waits on it: nothing that a person did is thrown away unasked."""

import sqlite3

import pytest

from api import Api, new_id


@pytest.fixture
def away(new_device, proxy, shared_server):
    """A laptop without a connection, on which a folder, a file and an edit wait."""
    email = f"{new_id()}@example.org"
    laptop = new_device("laptop").register(proxy.url, email)
    home = Api(shared_server.url).login(email)
    home.put_small("a.txt", b"first")
    laptop.run("ls")
    proxy.go_down()
    laptop.run("mkdir", "/trip")
    (laptop.home / "b.txt").write_text("made in a train")
    laptop.put("b.txt", "/trip/")
    (laptop.home / "a.txt").write_text("second")
    laptop.put("--replace", "a.txt", "/")
    laptop.email = email
    yield laptop, home, proxy
    home.close()


def arrived(laptop):
    assert laptop.run("journal").stdout == ""
    assert laptop.cat("/trip/b.txt") == b"made in a train" and laptop.cat("/a.txt") == b"second"


def waiting(laptop):
    return [w["kind"] for w in laptop.run("journal", "--json").json_lines()]


ALL = ["create_folder", "upload", "new_revision"]


def test_a_newer_bothys_replica_is_set_aside_and_what_waits_is_sent(away):
    laptop, home, proxy = away
    with sqlite3.connect(laptop.home / "bothy/replica.sqlite") as database:
        database.execute("INSERT INTO grdb_migrations (identifier) VALUES ('900 of tomorrow')")
    proxy.come_back()
    said = laptop.run("ls")
    assert "3 unsent changes were kept" in said.stderr and "set-aside" in said.stderr
    laptop.run("ls")
    arrived(laptop)


def test_a_replica_that_is_no_database_is_begun_anew_and_its_files_are_kept(away):
    laptop, home, proxy = away
    for name in ("replica.sqlite-wal", "replica.sqlite-shm"):
        (laptop.home / "bothy" / name).unlink(missing_ok=True)
    (laptop.home / "bothy/replica.sqlite").write_bytes(b"Z" * 100_000)
    proxy.come_back()
    said = laptop.run("ls")
    assert "No unsent change could be read" in said.stderr
    assert said.stdout.split() == ["a.txt"]
    kept = [path.read_bytes() for path in (laptop.home / "bothy/content/pending").iterdir()]
    assert sorted(kept) == [b"made in a train", b"second"]


def test_a_device_that_was_signed_out_elsewhere_keeps_what_waits_until_it_signs_in(away):
    laptop, home, proxy = away
    devices = home.call("GET", "/v1/auth/devices", expect=200).json()["devices"]
    device = next(d for d in devices if d["name"] == "laptop")
    home.call("DELETE", f"/v1/auth/devices/{device['id']}")
    proxy.come_back()
    said = laptop.run("journal", "retry", check=False)
    assert said.code != 0 and "bothy login" in said.text
    assert waiting(laptop) == ALL
    assert laptop.run("ls", check=False).code != 0 or waiting(laptop) == ALL
    laptop.login(proxy.url, laptop.email)
    laptop.run("journal", "retry")
    arrived(laptop)


def test_another_account_is_refused_with_a_way_out_that_throws_nothing_away(away, new_account):
    laptop, home, proxy = away
    other = new_account()
    proxy.come_back()
    said = laptop.run("login", "--server", proxy.url, "--email", other.user["email"], "--password-stdin", check=False,
                      stdin=b"correct horse battery\n")
    assert said.code != 0 and "BOTHY_HOME" in said.text and waiting(laptop) == ALL
    proxy.go_down()
    said = laptop.run("logout", check=False)
    assert said.code != 0 and "journal export" in said.text and waiting(laptop) == ALL
    laptop.run("journal", "export", "saved")
    assert (laptop.home / "saved/trip/b.txt").read_text() == "made in a train"
    assert (laptop.home / "saved/a.txt").read_text() == "second"
    laptop.run("journal", "export", "saved")
    assert (laptop.home / "saved/a (1).txt").read_text() == "second" and waiting(laptop) == ALL


def test_while_paused_what_waits_stays_and_what_is_typed_is_done(away):
    laptop, home, proxy = away
    laptop.run("pause")
    proxy.come_back()
    laptop.run("ls")
    assert waiting(laptop) == ALL, "looking sends nothing along"
    assert "paused" in laptop.run("status").stdout
    laptop.run("journal", "retry")
    arrived(laptop)


def test_status_tells_what_waits_whether_an_agent_runs_or_not(away):
    laptop, _, _ = away
    assert "3 changes to be sent" in laptop.run("status").stdout


def test_a_damaged_database_of_the_device_is_named_with_the_way_back(away):
    laptop, _, proxy = away
    proxy.come_back()
    (laptop.home / "box").mkdir()
    (laptop.home / "box/kept.txt").write_text("kept")
    laptop.run("sync", laptop.home / "box", "/box", "--once")
    database = laptop.home / "bothy/client.sqlite"
    for log in ("-wal", "-shm"):
        database.with_name(database.name + log).unlink(missing_ok=True)
    database.write_bytes(b"no database" * 9000)
    (laptop.home / "box/newer.txt").write_text("newer")
    for command in (["status"], ["sync", laptop.home / "box", "/box", "--once"]):
        said = laptop.run(*command, check=False)
        assert said.code == 1 and f"“{database}” is damaged" in said.stderr, said
        assert "Move it away" in said.stderr and "bothy sync DIR REMOTE --confirm" in said.stderr, said
    database.rename(laptop.home / "set aside")
    laptop.run("sync", laptop.home / "box", "/box", "--confirm", "--once")
    assert laptop.cat("/box/newer.txt") == b"newer" and (laptop.home / "box/kept.txt").read_text() == "kept"
    arrived(laptop)
