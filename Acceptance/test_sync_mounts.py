"""Folders in step of which not all is one disk to the system: bind mounts, overlays."""

import shutil

import pytest

from inner_mounts import InnerMounts
from synced import meet

pytestmark = pytest.mark.needs_root


@pytest.fixture
def mounts(desks):
    """The laptop sees what is mounted here."""
    inner = InnerMounts()
    desks.laptop.prefix = inner.prefix
    yield inner
    desks.laptop.prefix = []
    inner.close()


@pytest.fixture
def photos(pair, mounts, tmp_path):
    """A part of the disk is mounted in the laptop's folder, and both have what is in it."""
    a, b = pair
    outside = tmp_path / "outside"
    outside.mkdir()
    for number in range(6):
        (outside / f"{number}.jpg").write_text(f"photo {number}")
    for number in range(30):
        a.write(f"{number}.txt", f"text {number}")
    (a.path / "photos").mkdir()
    mounts.bind(outside, a.path / "photos")
    a.sync()
    b.sync()
    assert b.read("photos/3.jpg") == b"photo 3"
    return outside


def test_what_others_do_below_a_bind_mount_arrives(pair, mounts, photos):
    """The system renames nothing into it or out of it: no download ever arrived there."""
    a, b = pair
    b.write("photos/0.jpg", "edited")
    b.write("photos/new.jpg", "new")
    b.write("photos/album/one.jpg", "one")
    (b.path / "photos/1.jpg").unlink()
    (b.path / "photos/2.jpg").rename(b.path / "two.jpg")
    (b.path / "3.txt").rename(b.path / "photos/three.txt")
    b.sync()
    a.sync()
    assert mounts.tree(a.path) == {name: text.decode() for name, text in b.tree().items() if text is not None}
    assert sorted(path.name for path in photos.iterdir()) == [
        "0.jpg", "3.jpg", "4.jpg", "5.jpg", "album", "new.jpg", "three.txt"]
    assert a.events()[0] == [], "and all is in step then"
    replaced = {item["path"]: item["at"] for item in a.trash()}
    assert mounts.run("cat", replaced["photos/0.jpg"]) == "photo 0" and "photos/1.jpg" in replaced
    shutil.rmtree(b.path / "photos/album")
    b.sync()
    a.sync()
    assert not (photos / "album").exists()


def test_a_disk_that_is_unmounted_is_no_deletion(pair, mounts, photos):
    """All that was on it was deleted on every device."""
    a, b = pair
    ids = {file["name"]: file["id"] for file in b.device.json_lines("ls", f"{b.remote}/photos")}
    mounts.unmount(a.path / "photos")
    said = a.sync(check=False)
    assert said.code == 5 and "photos: " in said.stdout and "is not mounted" in said.stdout, said
    b.write("photos/0.jpg", "edited meanwhile")
    b.sync()
    a.sync(check=False)
    assert len(list((b.path / "photos").iterdir())) == 6 and not list((a.path / "photos").iterdir())
    why = a.why("photos")
    assert why["cause"] and "mount it again" in why["remedy"], why
    mounts.bind(photos, a.path / "photos")
    (photos / "1.jpg").write_text("edited on the disk")
    a.sync()
    b.sync()
    assert (photos / "0.jpg").read_text() == "edited meanwhile" and b.read("photos/1.jpg") == b"edited on the disk"
    assert {file["name"]: file["id"] for file in b.device.json_lines("ls", f"{b.remote}/photos")} == ids


def test_folders_of_an_overlays_lower_layer_are_moved_and_deleted(pair, mounts, tmp_path):
    a, b = pair
    lower, upper, work = (tmp_path / name for name in ("lower", "upper", "work"))
    for folder in (lower / "sub", lower / "moved" / "deep", upper, work, a.path):
        folder.mkdir(parents=True)
    (lower / "sub/a.txt").write_text("a")
    (lower / "moved/b.txt").write_text("b")
    (lower / "moved/deep/c.txt").write_text("c")
    mounts.overlay(lower, upper, work, a.path)
    a.sync()
    b.sync()
    assert b.read("moved/deep/c.txt") == b"c"
    (b.path / "moved").rename(b.path / "renamed")
    shutil.rmtree(b.path / "sub")
    b.sync()
    a.sync()
    assert mounts.tree(a.path) == {"renamed/b.txt": "b", "renamed/deep/c.txt": "c"}
    assert a.events()[0] == [] and meet(b) is not None
    mounts.unmount(a.path)
