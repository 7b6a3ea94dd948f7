"""Stored bytes that went wrong: a person is told which file, and what to do, and gets nothing wrong."""

import json

import pytest

from api import Api, content, new_id, problem, sha256

MIB = 1 << 20


@pytest.fixture
def device(server, new_device):
    return new_device().register(server.url, f"{new_id()}@example.org")


def put(device, folder, name, size):
    source = folder / name
    source.write_bytes(content(size, seed=name))
    device.put(source, f"/{name}")
    return source


@pytest.mark.parametrize("size, at", [(100_000, 2000), (9 * MIB, 2000), (9 * MIB, 3 * MIB), (9 * MIB, 8 * MIB)],
                         ids=["small", "at its beginning", "inside a chunk", "further on"])
def test_getting_a_damaged_file_names_it_and_ends(server, device, tmp_path, size, at):
    source = put(device, tmp_path, "film", size)
    data = source.read_bytes()
    server.flip_a_bit_of(data[at:at + 100])
    said = device.get("/film", tmp_path / "back", check=False)
    assert said.code == 1, said
    assert "The server's copy of “film” is damaged" in said.text, said
    assert "bothy history" in said.text and "upload the file again" in said.text, said
    assert "busy" not in said.text and not (tmp_path / "back").exists(), said
    as_json = device.run("get", "/film", tmp_path / "back", "--json", check=False)
    assert "content_damaged" in as_json.stdout + as_json.stderr, as_json
    assert device.run("cat", "/film", check=False).code == 1
    device.put(source, "/again")
    device.get("/film", tmp_path / "back")
    assert sha256((tmp_path / "back").read_bytes()) == sha256(data)


def test_an_earlier_version_of_a_damaged_file_is_still_there(server, device, tmp_path):
    source = put(device, tmp_path, "letter", 50_000)
    old = source.read_bytes()
    source.write_bytes(content(50_000, seed="newer"))
    device.put(source, "/letter")
    server.flip_a_bit_of(source.read_bytes()[100:200])
    assert device.get("/letter", tmp_path / "back", check=False).code == 1
    versions = device.run("history", "/letter", "--json").json_lines()
    device.run("restore", "/letter", versions[-1]["revisionId"])
    device.get("/letter", tmp_path / "back")
    assert (tmp_path / "back").read_bytes() == old


def test_a_pack_that_was_lost_never_shows_anothers_bytes(server, device, tmp_path):
    """Its number is given to no other pack: what is put afterwards lies elsewhere, and what it held is said to be damaged."""
    lost = put(device, tmp_path, "lost", 50_000)
    server.stop()
    (pack,) = server.packs()
    pack.unlink()
    server.start()
    later = put(device, tmp_path, "later", 50_000)
    assert [p.name for p in server.packs()] == ["0000000002.pack"]
    said = device.get("/lost", tmp_path / "back", check=False)
    assert said.code == 1 and "damaged" in said.text, said
    assert sha256(device.cat("/later")) == sha256(later.read_bytes())
    device.put(lost, "/once-more")
    assert sha256(device.cat("/lost")) == sha256(lost.read_bytes())


def test_a_pack_in_anothers_place_never_shows_its_bytes(server, device, tmp_path):
    """As after a disk was put together wrongly: the record fits its place, and is another block's."""
    put(device, tmp_path, "first", 50_000)
    server.stop()
    (pack,) = server.packs()
    kept = pack.read_bytes()
    # The same record, of other bytes, as another server with a pack of the same number would have written it.
    other = type(server)(tmp_path / "other").start()
    stranger = Api(other.url).register(f"{new_id()}@example.org")
    stranger.put_small("second", content(50_000, seed="second"))
    other.stop()
    pack.write_bytes(other.packs()[0].read_bytes())
    assert len(kept) == pack.stat().st_size
    server.start()
    said = device.get("/first", tmp_path / "back", check=False)
    assert said.code == 1 and "damaged" in said.text, said
    damage = server.admin("verify", "--json", check=False)
    assert damage.returncode == 1 and json.loads(damage.stdout.splitlines()[-1])["damaged"] == 1, damage
    server.stop()
    pack.write_bytes(kept)
    server.start()
    assert sha256(device.cat("/first")) == sha256(content(50_000, seed="first"))


def test_a_range_before_the_damage_is_served_and_one_with_it_is_refused(server, new_account):
    api = new_account(server)
    data = content(9 * MIB)
    file = api.put("film", data)
    server.flip_a_bit_of(data[6 * MIB:6 * MIB + 100])
    with pytest.raises(Exception, match="incomplete|peer closed"):  # the first who meets it: the answer breaks off
        api.download(api.file(file["id"]))
    problem(api.download(api.file(file["id"])), 503, "content_corrupt")
    url = api.file(file["id"])["downloadUrl"]
    assert api.http.get(url, headers={"Range": "bytes=0-4194303"}).content == data[:4 * MIB]
    problem(api.http.get(url, headers={"Range": "bytes=4194304-8388607"}), 503, "content_corrupt")
