"""What Bothy keeps in a folder in step, and what looks like it and is a person's."""

import shutil

import pytest

from synced import meet


def test_a_file_that_is_called_like_a_download_under_way_is_told_and_not_deleted_elsewhere(met):
    a, b = met
    part = ".report.txt.0123456789ab.bothy-part"
    (a.path / "report.txt").rename(a.path / part)
    said = a.partly()
    assert part in said.stdout, said
    b.sync()
    assert b.read("report.txt") == b"first\n"
    assert "rename it" in a.why("report.txt")["remedy"]
    (a.path / part).rename(a.path / "again.txt")
    meet(a, b)
    assert b.read("again.txt") == b"first\n"


@pytest.mark.usefixtures("as_a_person")
@pytest.mark.parametrize("way", ["trash empty", "unsync"])
def test_read_only_folders_in_the_local_trash_are_deleted(met, way):
    """`unsync` ended half way, and the folder was neither in step nor let go of."""
    a, b = met
    a.write("proj/pkg/mod/f.go", "go")
    for number in range(30):
        a.write(f"keep{number}", "k")
    meet(a, b)
    for folder in ("proj/pkg/mod", "proj/pkg"):
        (a.path / folder).chmod(0o555)
    shutil.rmtree(b.path / "proj")
    b.sync()
    a.sync()
    assert [item["path"] for item in a.trash()] == ["proj"]
    if way == "trash empty":
        a.device.run("trash", "empty", "--local", "--yes")
        assert a.trash() == [] and list((a.path / ".bothy/trash").iterdir()) == []
    else:
        a.device.run("unsync", a.path, "--yes")
        assert not (a.path / ".bothy").exists()
        a.sync()


def test_a_copy_of_a_folder_in_step_is_synced_with_the_folder_around_it(desks, met):
    """It was taken for one that is in step by itself, and was in step with nothing."""
    a, b = met
    inner = a.path.parent / f"{a.path.name}-inner"
    inner.mkdir()
    (inner / "x").write_text("x")
    a.device.run("sync", inner, f"{a.remote}-inner", "--once")
    shutil.copytree(inner, a.path / "copy")
    (a.path / "copy/only-here").write_text("nowhere else")
    meet_files = a.sync()
    assert "copy/only-here" in meet_files.stdout
    b.sync()
    assert b.read("copy/only-here") == b"nowhere else" and not (b.path / "copy/.bothy").exists()
    beside = a.path.parent / f"{a.path.name}-beside"
    shutil.copytree(inner, beside)
    said = a.device.run("sync", beside, f"{a.remote}-beside", "--once", check=False)
    assert said.code != 0 and f"is a copy of “{inner}”" in said.stderr and "--confirm" in said.stderr, said
    a.device.run("sync", beside, f"{a.remote}-beside", "--once", "--confirm")
    (beside / "x").write_text("edited in the copy")
    a.device.run("sync", beside, "--once")
    a.device.run("sync", inner, "--once")
    assert (inner / "x").read_text() == "x"
    for folder in (inner, beside):
        a.device.run("unsync", folder, "--yes")
        shutil.rmtree(folder)
