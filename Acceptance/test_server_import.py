"""`bothy server import` of trees that cannot be read whole."""

import os

import pytest

from api import content
from server import Server

# Root reads every folder, unless it has laid that right down.
WITHOUT_RIGHTS = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--"] if os.geteuid() == 0 else []


@pytest.fixture
def plain_server(tmp_path):
    """A server that reads what the permissions say, and no more."""
    server = Server(tmp_path / "data", prefix=WITHOUT_RIGHTS).start()
    yield server
    if server.running():
        server.kill()


def test_an_import_goes_on_past_a_folder_that_cannot_be_read_and_says_so(plain_server, new_account, tmp_path):
    api = new_account(plain_server)
    tree = tmp_path / "tree"
    for name in ("before", "locked", "locked/inner", "then"):
        (tree / name).mkdir(parents=True)
        (tree / name / "file").write_bytes(content(1000))
    (tree / "secret").write_bytes(b"nobody's")
    (tree / "last").write_bytes(b"last")
    for name in ("locked", "secret"):
        (tree / name).chmod(0)
    try:
        said = plain_server.admin("import", tree, "--user", api.user["email"], check=False)
    finally:
        (tree / "locked").chmod(0o700)
    assert said.returncode == 5 and "2 files or folders could not be imported" in said.stderr, said
    for name in ("locked", "secret"):
        assert f"left out  {tree / name}: Permission denied" in said.stdout, said
    assert "3 files" in said.stdout, said
    for name in ("before/file", "then/file", "last"):
        assert api.by_path(f"/{name}").status_code == 200, name
    assert api.by_path("/locked/file").status_code == 404

    # What could not be read is taken in when it can be, and nothing twice.
    (tree / "secret").chmod(0o600)
    again = plain_server.admin("import", tree, "--user", api.user["email"])
    assert "3 files were already there" in again.stdout, again
    for name in ("locked/file", "locked/inner/file", "secret"):
        assert api.by_path(f"/{name}").status_code == 200, name
