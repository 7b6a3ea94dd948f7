"""A first start that fails leaves the disk as it was."""

import os
import socket
import subprocess

from server import BINARY, clean_environment


def start(data, *flags):
    return subprocess.run(
        [BINARY, "server", "--data", data, *flags], env=clean_environment(HOME=str(data.parent)),
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)


def test_a_port_that_is_taken_leaves_no_data_folder_behind(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        refused = start(tmp_path / "share" / "bothy-server", "--listen", f"127.0.0.1:{other.getsockname()[1]}")
    assert refused.returncode != 0 and "Another program listens there" in refused.stderr, refused
    assert os.listdir(tmp_path) == [], "neither the folder nor the one above it that was made for it"


def test_a_certificate_that_is_not_there_leaves_no_data_folder_behind(tmp_path):
    refused = start(
        tmp_path / "data", "--listen", "127.0.0.1:0", "--tls-certificate", tmp_path / "none.pem", "--tls-key",
        tmp_path / "none.key")
    assert refused.returncode != 0, refused
    assert os.listdir(tmp_path) == []


def test_a_folder_that_was_there_before_stays(server, tmp_path):
    data = tmp_path / "mine"
    data.mkdir()
    refused = start(data, "--listen", server.url.removeprefix("http://"))
    assert refused.returncode != 0, refused
    assert data.is_dir()


def test_a_server_that_has_run_keeps_its_data_when_its_port_is_taken(server, new_account):
    api = new_account(server)
    kept = api.put_small("kept", b"kept")
    server.stop()
    host, port = server.listen.split(":")
    with socket.create_server((host, int(port))):
        refused = start(server.data, "--listen", server.listen)
        assert refused.returncode != 0, refused
    server.start()
    assert api.file(kept["id"])["name"] == "kept"


def test_a_folder_that_cannot_be_made_leaves_none_of_those_above_it(tmp_path):
    refused = start(tmp_path / "p" / "q" / ("x" * 300), "--listen", "127.0.0.1:0")
    assert refused.returncode != 0, refused
    assert os.listdir(tmp_path) == []
