"""What a device keeps of the drive: no more than the server says, never less than the person needs."""

import json

import pytest

from api import Api, new_id
from fault_proxy import answer

FOLDERS, FILES, CAP = 8, 50, 400_000


@pytest.fixture
def small_phone(new_device, proxy, shared_server):
    """A device that the server lets keep little, of a drive with 400 files of long names in folders."""
    email = f"{new_id()}@example.org"
    phone = new_device("phone").register(proxy.url, email)
    home = Api(shared_server.url).login(email)
    about = home.call("GET", "/v1/about", expect=200).json()
    about["settings"]["metadataCacheBytes"] = CAP
    proxy.add(answer(200, lambda request: request.path == "/v1/about", times=1000,
                     headers=[("content-type", "application/json")], body=json.dumps(about).encode()))
    first = home.folder("folder-0")
    for number in range(FILES):
        home.put_small(f"{'a long name, ' * 16}{number}.txt", b"x", parent=first["id"])
    for number in range(1, FOLDERS):
        home.call("POST", f"/v1/files/{first['id']}/copy", expect=201,
                  json={"requestId": new_id(), "name": f"folder-{number}", "parentId": "root"})
    yield phone, home, proxy
    home.close()


def known(phone):
    kept = phone.json("status")["kept"]
    return kept["knownFiles"], kept["thinnedFolders"], kept["metadata"]


def test_a_device_keeps_within_the_servers_cap_and_what_it_lets_go_comes_back(small_phone):
    phone, home, proxy = small_phone
    phone.run("pin", "/folder-7")
    for _ in range(3):
        phone.run("ls", "/folder-3")
    files, thinned, metadata = known(phone)
    assert metadata <= CAP and thinned > 0 and files < FOLDERS * FILES
    assert "from the server when you open" in phone.run("status").stdout

    proxy.go_down()
    assert len(phone.run("ls").stdout.split()) == FOLDERS, "every folder is still known"
    assert len(phone.run("ls", "/folder-7").stdout.splitlines()) == FILES, "what is pinned stays"
    assert len(phone.run("ls", "/folder-3").stdout.splitlines()) == FILES, "what was looked at last stays"
    gone = [n for n in range(FOLDERS) if phone.run("ls", f"/folder-{n}", check=False).code != 0]
    assert len(gone) == thinned
    said = phone.run("ls", f"/folder-{gone[0]}", check=False)
    assert f"what is in “folder-{gone[0]}” is not kept on this device" in said.stderr

    proxy.come_back()
    assert len(phone.run("ls", f"/folder-{gone[0]}").stdout.splitlines()) == FILES
    proxy.go_down()
    assert len(phone.run("ls", f"/folder-{gone[0]}").stdout.splitlines()) == FILES


def test_a_folder_that_is_brought_in_step_is_whole_whatever_was_let_go(small_phone):
    phone, home, proxy = small_phone
    for _ in range(3):
        phone.run("ls")
    _, thinned, _ = known(phone)
    assert thinned > 0
    box = phone.home / "box"
    phone.run("sync", box, "/folder-1", "--once")
    assert len([path for path in box.iterdir() if path.suffix == ".txt"]) == FILES
    said = phone.run("sync", box, "/folder-1", "--once", "--json").json_lines()
    assert all("delet" not in json.dumps(line.get("event", "")) for line in said)
    assert len(home.list(next(f for f in home.list() if f["name"] == "folder-1")["id"])) == FILES
