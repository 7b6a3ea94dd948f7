"""Files and folders: names, moves, trash, copies, pages, versions."""

import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest

from api import FOLDER, new_id, problem
from documented import refused


def test_create_list_rename_move_and_delete_a_folder(api):
    work, old = api.folder("Work"), api.folder("Old")
    inner = api.folder("inner", work["id"])
    assert api.names() == ["Old", "Work"] and api.names(work["id"]) == ["inner"]
    moved = api.patch(inner["id"], name="Inner", parentId=old["id"])
    assert (moved["name"], moved["parentId"], moved["version"]) == ("Inner", old["id"], 2)
    assert api.names(work["id"]) == [] and api.names(old["id"]) == ["Inner"]
    api.delete(old["id"])
    assert api.names() == ["Work"]
    assert api.file(inner["id"])["trashed"] is True
    assert api.by_path("/Work").json()["id"] == work["id"]


def test_get_file_details_with_an_etag(api):
    file = api.put_small("a.txt", b"hello")
    response = api.call("GET", f"/v1/files/{file['id']}", expect=200)
    assert response.headers["etag"] and response.json()["size"] == 5
    assert api.call("GET", "/v1/files/root", expect=200).json()["mimeType"] == FOLDER


def test_if_match_that_fails_leaves_the_server_unchanged(api):
    file = api.put_small("a.txt", b"hello")
    tag = api.call("GET", f"/v1/files/{file['id']}").headers["etag"]
    api.patch(file["id"], starred=True, headers={"If-Match": tag})
    response = api.call("PATCH", f"/v1/files/{file['id']}", headers={"If-Match": tag},
                        json={"requestId": new_id(), "name": "b.txt"})
    assert problem(response, 412, "version_mismatch")["currentVersion"] == 2
    assert api.file(file["id"])["name"] == "a.txt"
    response = api.call("DELETE", f"/v1/files/{file['id']}", headers={"If-Match": tag, "Idempotency-Key": new_id()})
    problem(response, 412, "version_mismatch")


def test_every_mutation_says_its_place_in_the_log(api):
    cursor = api.cursor()
    response = api.call("POST", "/v1/files", json={"requestId": new_id(), "name": "f", "mimeType": FOLDER})
    assert response.headers["bothy-cursor"]
    changes, after = api.changes(cursor)
    assert [change["id"] for change in changes if change["kind"] == "file"] == [response.json()["id"]]
    assert after == response.headers["bothy-cursor"]


def test_the_same_request_id_acts_once_and_answers_the_same(api):
    body = {"requestId": new_id(), "name": "once", "mimeType": FOLDER, "parentId": "root"}
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: api.call("POST", "/v1/files", json=body), range(8)))
    assert {a.status_code for a in answers} == {201} and len({a.json()["id"] for a in answers}) == 1
    problem(api.call("POST", "/v1/files", json={**body, "name": "other"}), 422, "idempotency_mismatch")
    assert api.names() == ["once"]


def test_a_refusal_is_not_kept(api):
    taken = api.folder("name")
    body = {"requestId": new_id(), "name": "name", "mimeType": FOLDER, "parentId": "root"}
    problem(api.call("POST", "/v1/files", json=body), 409, "name_conflict")
    api.patch(taken["id"], name="another")
    api.call("POST", "/v1/files", json=body, expect=201)


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "nul\0", "line\nbreak", "tab\t", "\x7f", "a" * 256, "é" * 128])
def test_names_that_cannot_be(untouched, name):
    response = untouched.call("POST", "/v1/files", json={"requestId": new_id(), "name": name, "mimeType": FOLDER})
    problem(response, 400, ("invalid_name", "malformed_request"))
    assert untouched.names() == []


@pytest.mark.parametrize("name", ["a" * 255, "é" * 127, "...", " ", "-rf", "CON", "a:b", "\u202egpj.exe", "💾", "\\", "%2e%2e"])
def test_names_that_can_be(api, name):
    assert api.folder(name)["name"] == name
    assert api.names() == [name]


def test_names_equal_after_nfc_are_the_same_name(api):
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    made = api.folder(decomposed)
    assert made["name"] == unicodedata.normalize("NFC", decomposed)
    response = api.call("POST", "/v1/files", json={"requestId": new_id(), "name": composed, "mimeType": FOLDER})
    assert problem(response, 409, "name_conflict")["conflictingFileId"] == made["id"]
    api.folder("CAF\u00c9"), api.folder("Caf\u00e9")


def test_a_move_under_itself_is_a_cycle(api):
    top = api.folder("top")
    below = api.folder("below", api.folder("middle", top["id"])["id"])
    for target in (top["id"], below["id"]):
        response = api.call("PATCH", f"/v1/files/{top['id']}", json={"requestId": new_id(), "parentId": target})
        problem(response, 422, "cycle")


@pytest.mark.parametrize("change", [{"name": "x"}, {"trashed": True}, {"parentId": "root"}])
def test_the_root_does_not_change(untouched, change):
    problem(untouched.call("PATCH", "/v1/files/root", json={"requestId": new_id(), **change}), 422, ("root_immutable", "cycle"))
    problem(untouched.call("DELETE", "/v1/files/root", headers={"Idempotency-Key": new_id()}), 422, "root_immutable")


def test_moving_into_a_file_or_onto_a_taken_name_is_refused(api):
    file, folder = api.put_small("file", b"1"), api.folder("folder")
    api.folder("file", folder["id"])
    response = api.call("PATCH", f"/v1/files/{folder['id']}", json={"requestId": new_id(), "parentId": file["id"]})
    problem(response, 422, "not_a_folder")
    response = api.call("PATCH", f"/v1/files/{file['id']}", json={"requestId": new_id(), "parentId": folder["id"]})
    problem(response, 409, "name_conflict")


def test_trash_takes_the_subtree_and_frees_the_name(api):
    top = api.folder("album")
    inner = api.put_small("photo.jpg", b"bytes", api.folder("2026", top["id"])["id"])
    api.delete(top["id"])
    assert api.names() == [] and api.file(inner["id"])["trashed"] is True
    assert [file["id"] for file in api.list(trashed="true")] == [top["id"]]
    api.folder("album")
    back = api.patch(top["id"], trashed=False)
    assert back["name"] == "album (1)" and back["trashed"] is False
    assert api.file(inner["id"])["trashed"] is False and api.read(api.file(inner["id"])) == b"bytes"


def test_untrashing_brings_missing_parents_back(api):
    top = api.folder("top")
    middle = api.folder("middle", top["id"])
    file = api.put_small("deep.txt", b"deep", middle["id"])
    api.delete(file["id"])
    api.delete(top["id"])
    back = api.patch(file["id"], trashed=False)
    assert back["trashed"] is False and back["parentId"] == middle["id"]
    assert api.names() == ["top"] and api.names(middle["id"]) == ["deep.txt"]


def test_deleting_for_good_removes_it_and_remembers_the_deletion(api):
    top = api.folder("gone")
    file = api.put_small("a.txt", b"a", top["id"])
    cursor = api.cursor()
    api.delete(top["id"], permanent="true")
    problem(api.call("GET", f"/v1/files/{top['id']}"), 404, "not_found")
    problem(api.call("GET", f"/v1/files/{file['id']}"), 404, "not_found")
    changes, _ = api.changes(cursor)
    assert {"kind": "file", "id": top["id"], "removed": True}.items() <= [c for c in changes if c["kind"] == "file"][0].items()
    deletions = api.call("GET", "/v1/changes/deletions", expect=200).json()["deletions"]
    assert "/gone" in [deletion["path"] for deletion in deletions]


def test_as_of_keeps_what_the_deleter_had_not_seen(api):
    folder = api.folder("shared")
    seen = api.cursor()
    late = api.put_small("late.txt", b"new", folder["id"])
    problem(api.delete(folder["id"], expect=409, asOf=seen), 409, "subtree_changed")
    assert api.file(late["id"])["trashed"] is False
    api.delete(folder["id"], asOf=api.cursor())


def test_base_revision_keeps_a_newer_edit(api):
    file = api.put_small("doc", b"one")
    session = api.start_upload("doc", 3, fileId=file["id"], conflict="overwrite")
    api.put_chunk(session["uploadId"], 0, b"two")
    api.finalize(session["uploadId"], expect=201)
    response = api.delete(file["id"], expect=409, baseRevisionId=file["headRevisionId"])
    problem(response, 409, ("revision_conflict", "subtree_changed"))
    assert api.read(api.file(file["id"])) == b"two"


def test_copy_moves_no_bytes(api):
    file = api.put_small("a.bin", b"content")
    used = api.call("GET", "/v1/about").json()["quota"]["used"]
    copy = api.call("POST", f"/v1/files/{file['id']}/copy", expect=201,
                    json={"requestId": new_id(), "name": "b.bin", "parentId": "root"}).json()
    assert copy["id"] != file["id"] and api.read(copy) == b"content"
    assert api.call("GET", "/v1/about").json()["quota"]["used"] == used
    api.delete(file["id"], permanent="true")
    assert api.read(api.file(copy["id"])) == b"content"


def test_star_hide_and_modified_time(api):
    file = api.put_small("a", b"1")
    changed = api.patch(file["id"], starred=True, hidden=True, modifiedAt="1901-02-03T04:05:06.000000007Z")
    assert changed["starred"] and changed["hidden"] and changed["modifiedAt"] == "1901-02-03T04:05:06.000000007Z"
    assert changed["version"] == 2


def test_pages_stay_correct_while_the_list_changes(api):
    made = [api.folder(f"f{number:03}") for number in range(30)]
    first = api.call("GET", "/v1/files", params={"limit": 10}, expect=200).json()
    assert [file["name"] for file in first["files"]] == [f"f{number:03}" for number in range(10)]
    api.folder("f005 new"), api.delete(made[3]["id"]), api.delete(made[20]["id"])
    names, page = [], first["pagination"]["next"]
    while page:
        answer = api.call("GET", "/v1/files", params={"limit": 10, "page": page}, expect=200).json()
        names += [file["name"] for file in answer["files"]]
        page = answer["pagination"].get("next")
    assert names == [f"f{number:03}" for number in range(10, 30) if number != 20]


def test_folders_come_first_and_orders_hold(api):
    api.put_small("b", b"22"), api.put_small("a", b"333"), api.folder("z"), api.put_small("c", b"1")
    assert api.names() == ["z", "a", "b", "c"]
    assert api.names(orderBy="-name") == ["z", "c", "b", "a"]
    assert api.names(orderBy="size", limit=2) == ["z", "c", "b", "a"]
    assert api.names(orderBy="-size", limit=1) == ["z", "a", "b", "c"]
    problem(api.call("GET", "/v1/files", params={"orderBy": "colour"}), 400, ("invalid_parameter", "malformed_request"))


@pytest.mark.parametrize("query", [{"page": "made-up"}, {"page": "AAAA"}, {"limit": "0"}, {"limit": "-1"}, {"limit": "x"}])
def test_pages_that_nobody_gave_out(untouched, query):
    refused(untouched.call("GET", "/v1/files", params=query), 400)


def test_by_path_answers_404_for_what_is_not_there(api):
    api.folder("a")
    for path in ("/nothing", "/a/b", "/a/../a"):
        refused(api.by_path(path), 400, 404)
    assert api.by_path("/").json()["id"] in ("root", api.call("GET", "/v1/files/root").json()["id"])


@pytest.mark.parametrize("name", ["a b", "a+b", "100%", "a&b=c", "a?b#c", "ü", "%2B"])
def test_names_go_through_a_query_as_outside_clients_write_it(api, name):
    file = api.put_small(name, b"x")
    assert file["name"] == name and api.by_path("/" + name).json()["id"] == file["id"]


def test_trashing_and_moving_a_large_subtree_is_one_change(api):
    top, target = api.folder("top"), api.folder("target")
    for number in range(20):
        api.folder(f"f{number}", top["id"])
    cursor = api.cursor()
    api.patch(top["id"], parentId=target["id"])
    changes, cursor = api.changes(cursor)
    assert [change["id"] for change in changes if change["kind"] == "file"] == [top["id"]]
    api.delete(top["id"])
    changes, _ = api.changes(cursor)
    assert [change["id"] for change in changes if change["kind"] == "file"] == [top["id"]]


def test_copying_a_folder_copies_all_below_it_and_no_bytes(api):
    top = api.folder("album")
    inner = api.folder("2026", top["id"])
    api.put_small("a.jpg", b"one", inner["id"])
    used = api.call("GET", "/v1/about").json()["quota"]["used"]
    body = {"requestId": new_id(), "name": "copy", "parentId": "root"}
    copy = api.call("POST", f"/v1/files/{top['id']}/copy", expect=201, json=body).json()
    assert api.call("POST", f"/v1/files/{top['id']}/copy", expect=201, json=body).json()["id"] == copy["id"]
    assert api.read(api.by_path("/copy/2026/a.jpg").json()) == b"one"
    assert api.call("GET", "/v1/about").json()["quota"]["used"] == used
    problem(api.call("POST", f"/v1/files/{top['id']}/copy", json={
        "requestId": new_id(), "name": "x", "parentId": inner["id"]}), 422, "cycle")
