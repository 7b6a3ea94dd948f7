"""Every state that a file's content was in, one command away."""

from api import chunks, content, new_id, problem, sha256


def versions(api, count):
    file = api.put_small("doc.txt", b"version 0")
    for number in range(1, count):
        session = api.start_upload("doc.txt", 9, fileId=file["id"], conflict="overwrite")
        api.put_chunk(session["uploadId"], 0, f"version {number}".encode(), expect=308)
        api.finalize(session["uploadId"], expect=201)
    return api.file(file["id"])


def test_view_previous_versions_newest_first(api):
    file = versions(api, 4)
    revisions = api.revisions(file["id"])
    assert [api.read(r) for r in revisions] == [f"version {n}".encode() for n in (3, 2, 1, 0)]
    assert revisions[0]["revisionId"] == file["headRevisionId"]
    one = api.call("GET", f"/v1/files/{file['id']}/revisions/{revisions[2]['revisionId']}", expect=200).json()
    assert one["checksum"] == sha256(b"version 1") and one["size"] == 9 and one["fileId"] == file["id"]


def test_restore_makes_a_new_head_and_rewrites_nothing(api):
    file = versions(api, 3)
    old = api.revisions(file["id"])[2]
    answer = api.call("POST", f"/v1/files/{file['id']}/revisions/{old['revisionId']}/restore",
                      headers={"Idempotency-Key": new_id()}, expect=201).json()
    assert answer["revision"]["revisionId"] != old["revisionId"] and answer["file"]["version"] == file["version"] + 1
    assert api.read(api.file(file["id"])) == b"version 0"
    assert [api.read(r) for r in api.revisions(file["id"])] == [b"version 0", b"version 2", b"version 1", b"version 0"]


def test_restoring_twice_with_one_request_id_acts_once(api):
    file = versions(api, 2)
    old = api.revisions(file["id"])[1]["revisionId"]
    key = new_id()
    answers = [api.call("POST", f"/v1/files/{file['id']}/revisions/{old}/restore", expect=201,
                        headers={"Idempotency-Key": key}).json()["revision"]["revisionId"] for _ in range(3)]
    assert len(set(answers)) == 1 and len(api.revisions(file["id"])) == 3


def test_revisions_page(api):
    file = versions(api, 7)
    seen, page = [], None
    while True:
        answer = api.call("GET", f"/v1/files/{file['id']}/revisions", expect=200,
                          params={"limit": 3, **({"page": page} if page else {})}).json()
        seen += [r["revisionId"] for r in answer["revisions"]]
        page = answer["pagination"].get("next")
        if not page:
            break
    assert len(seen) == len(set(seen)) == 7


def test_revision_blocks_in_order_in_both_forms(api):
    data = content(3 * (256 << 10) + 5)
    file = api.put("blocks", data, chunk_size=256 << 10)
    path = f"/v1/files/{file['id']}/revisions/{file['headRevisionId']}/blocks"
    blocks = api.call("GET", path, expect=200).json()["blocks"]
    assert blocks == [{"sha256": sha256(piece), "size": len(piece)} for piece in chunks(data, 256 << 10)]
    packed = api.call("GET", path, expect=200, headers={"Accept": "application/vnd.bothy.blocks"}).content
    assert packed == b"".join(bytes.fromhex(b["sha256"]) + b["size"].to_bytes(4, "big") for b in blocks)


def test_unknown_revisions_and_folders(api):
    file, folder = versions(api, 1), api.folder("folder")
    problem(api.call("GET", f"/v1/files/{file['id']}/revisions/{new_id()}"), 404, "not_found")
    other = api.put_small("other", b"x")
    problem(api.call("GET", f"/v1/files/{file['id']}/revisions/{other['headRevisionId']}"), 404, "not_found")
    problem(api.call("GET", f"/v1/files/{folder['id']}/revisions"), 422, "not_a_file")
