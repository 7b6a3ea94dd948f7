"""The three upload types of drive-app.md, as an outside client uses them."""

import gzip
from concurrent.futures import ThreadPoolExecutor

from api import FOLDER, MIB, Api, chunks, content, content_digest, new_id, problem, sha256
from documented import assert_documented

K256 = 256 << 10


def test_simple_upload_transfers_a_small_file_without_metadata(api):
    data = content(100_000)
    file = api.put_small("note.bin", data)
    assert (file["name"], file["size"], file["checksum"], file["version"]) == ("note.bin", 100_000, sha256(data), 1)
    assert api.read(api.file(file["id"])) == data


def test_simple_upload_takes_an_empty_file(api):
    file = api.put_small("empty", b"")
    assert file["size"] == 0


def test_simple_upload_refuses_more_than_5_mib(api):
    assert api.put_small("largest", content(5 * MIB))["size"] == 5 * MIB
    response = api.call("POST", "/v1/upload", content=content(5 * MIB + 1), headers={"Idempotency-Key": new_id()},
                        params={"uploadType": "media", "name": "too large", "parentId": "root"})
    problem(response, 413, ("body_too_large", "file_too_large"))
    assert api.names() == ["largest"]


def test_a_compressed_body_is_refused_where_nothing_unpacks_it(api):
    """It was kept as it came: a file of compressed bytes under the name of the plain ones."""
    plain = b"plain text " * 500
    packed = gzip.compress(plain)
    for coding in ("gzip", "zstd", "br"):
        answer = api.call("POST", "/v1/upload", content=packed, params={"uploadType": "media", "name": "a.txt"}, headers={
            "Content-Encoding": coding, "Content-Type": "text/plain", "Idempotency-Key": new_id()})
        assert "multipart" in problem(answer, 415, "unsupported_media_type")["detail"], "it says where one is taken"
        assert_documented(answer, "POST", "/v1/upload")
    upload = api.start_upload("b", len(packed), plan={"kind": "fixed", "chunkSize": MIB})["uploadId"]
    for place, path, headers in (
            ("chunks/0", "chunks/{index}", {}), ("chunk", "chunk", {"Content-Range": f"bytes 0-{len(packed) - 1}/{len(packed)}"})):
        answer = api.call("PUT", f"/v1/upload/{upload}/{place}", content=packed, headers={"Content-Encoding": "gzip", **headers})
        problem(answer, 415, "unsupported_media_type")
        assert_documented(answer, "PUT", f"/v1/upload/{{uploadId}}/{path}")
    problem(api.call("POST", "/v1/files", content=gzip.compress(b"{}"), headers={
        "Content-Encoding": "gzip", "Content-Type": "application/json"}), 415, "unsupported_media_type")
    assert api.names() == []
    api.call("POST", "/v1/upload", content=plain, params={"uploadType": "media", "name": "a.txt"}, headers={
        "Content-Encoding": "identity", "Content-Type": "text/plain", "Idempotency-Key": new_id()}, expect=201)
    assert api.read(api.by_path("/a.txt").json()) == plain


def test_multipart_upload_transfers_a_small_file_along_with_its_metadata(api):
    data = content(50_000)
    file = api.put_multipart({"requestId": new_id(), "name": "photo.jpg", "mimeType": "image/jpeg", "parentId": "root",
                              "modifiedAt": "1969-07-20T20:17:40.123456789Z"}, data)
    assert file["mimeType"] == "image/jpeg" and file["modifiedAt"] == "1969-07-20T20:17:40.123456789Z"
    assert api.read(file) == data


def test_multipart_upload_keeps_bytes_that_look_like_a_boundary(api):
    data = b"--b-o-u-n-d-a-r-\r\n\r\n--b-o-u-n-d-a-r-z--\r\n" * 100 + b"\r\n"
    file = api.put_multipart({"requestId": new_id(), "name": "tricky", "parentId": "root"}, data)
    assert api.read(file) == data


def test_resumable_upload_initiate_upload_chunks_complete(api):
    data = content(10 * MIB + 17)
    session = api.start_upload("film.mkv", len(data))
    assert session["totalChunks"] == 3 and session["chunksProcessed"] == 0 and session["chunkSize"] == 4 * MIB
    assert session["uploadUrl"] and session["uploadExpiresAt"] and session["receivedChunks"] == []
    for index, piece in enumerate(chunks(data)):
        response = api.put_range(session["uploadId"], index * 4 * MIB, piece, len(data), expect=308)
        assert response.headers["range"] == f"bytes=0-{min((index + 1) * 4 * MIB, len(data)) - 1}"
        assert response.json()["chunksProcessed"] == index + 1
    done = api.finalize(session["uploadId"], expect=201, fileHashSha256=sha256(data)).json()
    assert done["fileHashSha256"] == sha256(data) and done["remoteFileId"] == done["file"]["id"]
    assert done["revision"]["fileId"] == done["file"]["id"] and done["file"]["headRevisionId"] == done["revision"]["revisionId"]
    assert api.read(done["file"]) == data


def test_an_automatic_finalize_answers_201_to_the_last_chunk(api):
    data = content(2 * K256)
    session = api.start_upload("auto", len(data), plan={"kind": "fixed", "chunkSize": K256}, finalize="auto",
                               fileHashSha256=sha256(data))
    api.put_chunk(session["uploadId"], 0, data[:K256], expect=308)
    response = api.put_chunk(session["uploadId"], 1, data[K256:], expect=201)
    assert api.read(response.json()["file"]) == data
    assert response.headers["bothy-cursor"]
    assert api.put_chunk(session["uploadId"], 1, data[K256:]).status_code == 201, "a finished session keeps answering"


def test_chunks_go_up_in_any_order_and_side_by_side(api):
    data = content(16 * K256 + 5)
    session = api.start_upload("shuffled", len(data), plan={"kind": "fixed", "chunkSize": K256})
    pieces = list(enumerate(chunks(data, K256)))[::-1]
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda item: api.put_chunk(session["uploadId"], *item), pieces))
    assert {answer.status_code for answer in answers} == {308}
    assert api.upload(session["uploadId"])["receivedChunks"] == [[0, 16]]
    assert api.finalize(session["uploadId"], expect=201).json()["fileHashSha256"] == sha256(data)


def test_the_range_header_is_the_contiguous_prefix(api):
    data = content(3 * K256)
    session = api.start_upload("gaps", len(data), plan={"kind": "fixed", "chunkSize": K256})
    response = api.put_chunk(session["uploadId"], 2, data[2 * K256:], expect=308)
    assert "range" not in response.headers and response.json()["receivedChunks"] == [[2, 2]]
    response = api.put_chunk(session["uploadId"], 0, data[:K256], expect=308)
    assert response.headers["range"] == f"bytes=0-{K256 - 1}" and response.json()["receivedChunks"] == [[0, 0], [2, 2]]


def test_one_body_may_hold_several_whole_chunks(api):
    data = content(5 * K256 + 9)
    session = api.start_upload("runs", len(data), plan={"kind": "fixed", "chunkSize": K256})
    api.put_range(session["uploadId"], 2 * K256, data[2 * K256:], len(data), expect=308)
    api.put_range(session["uploadId"], 0, data[:2 * K256], len(data), expect=308)
    assert api.finalize(session["uploadId"], expect=201).json()["fileHashSha256"] == sha256(data)


def test_content_digest_stands_for_the_chunk_hash(api):
    data = content(1000)
    session = api.start_upload("digest", 1000)
    headers = {"X-Chunk-Hash": None, "Content-Digest": content_digest(data)}
    api.put_chunk(session["uploadId"], 0, data, expect=308, **headers)
    other = api.start_upload("digest 2", 1000)
    headers["Content-Digest"] = content_digest(b"something else")
    problem(api.put_chunk(other["uploadId"], 0, data, **headers), 422, "chunk_corrupt")


def test_a_plan_of_named_blocks_takes_blocks_of_any_size(api):
    blocks = [content(size, seed="blocks") for size in (1, 300_000, 4 * MIB, 77)]
    data = b"".join(blocks)
    plan = {"kind": "blocks", "blocks": [{"sha256": sha256(block), "size": len(block)} for block in blocks]}
    session = api.start_upload("blocks", len(data), plan=plan)
    assert session["totalChunks"] == 4
    for index in (3, 1, 0, 2):
        api.put_chunk(session["uploadId"], index, blocks[index], expect=308)
    assert api.read(api.finalize(session["uploadId"], expect=201).json()["file"]) == data


def test_a_chunk_the_account_already_has_counts_as_received(api):
    blocks = [content(300_000, seed=i) for i in range(3)]
    references = [{"sha256": sha256(block), "size": len(block)} for block in blocks]
    first = api.start_upload("first", 600_000, plan={"kind": "blocks", "blocks": references[:2]})
    for index in (0, 1):
        api.put_chunk(first["uploadId"], index, blocks[index], expect=308)
    api.finalize(first["uploadId"], expect=201)
    second = api.start_upload("second", 900_000, plan={"kind": "blocks", "blocks": references})
    assert second["receivedChunks"] == [[0, 1]] and second["chunksProcessed"] == 2
    api.put_chunk(second["uploadId"], 2, blocks[2], expect=308)
    assert api.read(api.finalize(second["uploadId"], expect=201).json()["file"]) == b"".join(blocks)


def test_what_another_account_has_does_not_count_as_received(api, new_account):
    data = content(300_000, seed=new_id())
    plan = {"kind": "blocks", "blocks": [{"sha256": sha256(data), "size": len(data)}]}
    session = api.start_upload("mine", len(data), plan=plan)
    api.put_chunk(session["uploadId"], 0, data, expect=308)
    api.finalize(session["uploadId"], expect=201)
    stranger = new_account().start_upload("theirs", len(data), plan=plan, fileHashSha256=sha256(data))
    assert stranger["receivedChunks"] == [] and not stranger.get("file")


def test_a_session_whose_whole_content_is_there_completes_at_once(api):
    data = content(700_000)
    api.put("one", data)
    session = api.start_upload("two", len(data), fileHashSha256=sha256(data), finalize="auto")
    assert session.get("file") and api.read(session["file"]) == data
    assert sorted(api.names()) == ["one", "two"]


def test_an_open_plan_grows_as_the_file_is_read(api):
    blocks = [content(size, seed="open") for size in (300_000, 5, 1 * MIB)]
    data = b"".join(blocks)
    references = [{"sha256": sha256(block), "size": len(block)} for block in blocks]
    session = api.start_upload("stream", None, plan={"kind": "open", "blocks": references[:1]})
    upload = session["uploadId"]
    api.put_chunk(upload, 0, blocks[0], expect=308)
    grown = api.call("POST", f"/v1/upload/{upload}/plan", json={"from": 1, "blocks": references[1:]}, expect=200).json()
    assert grown["totalChunks"] == 3
    api.call("POST", f"/v1/upload/{upload}/plan", json={"from": 1, "blocks": references[1:]}, expect=200)
    contradiction = {"from": 1, "blocks": [{"sha256": sha256(b"x"), "size": 1}]}
    problem(api.call("POST", f"/v1/upload/{upload}/plan", json=contradiction), 409, "plan_conflict")
    for index in (2, 1):
        api.put_chunk(upload, index, blocks[index], expect=308)
    problem(api.finalize(upload, size=len(data) + 1, fileHashSha256=sha256(data)), 422, "size_mismatch")
    done = api.finalize(upload, expect=201, size=len(data), fileHashSha256=sha256(data)).json()
    assert api.read(done["file"]) == data


def test_resume_upload_returns_information_about_the_session(api):
    data = content(3 * K256)
    session = api.start_upload("resume", len(data), plan={"kind": "fixed", "chunkSize": K256})
    api.put_chunk(session["uploadId"], 0, data[:K256], expect=308)
    again = api.upload(session["uploadId"])
    assert (again["uploadId"], again["totalChunks"], again["chunksProcessed"]) == (session["uploadId"], 3, 1)
    assert again["receivedChunks"] == [[0, 0]] and again["chunkSize"] == K256


def test_activity_extends_the_expiry(api):
    data = content(2 * K256)
    session = api.start_upload("alive", len(data), plan={"kind": "fixed", "chunkSize": K256})
    later = api.put_chunk(session["uploadId"], 0, data[:K256], expect=308).json()
    assert later["uploadExpiresAt"] > session["uploadExpiresAt"]


def test_cancel_aborts_the_upload_and_frees_what_it_holds(api):
    before = api.call("GET", "/v1/about").json()["quota"]["used"]
    session = api.start_upload("cancel", 2 * K256, plan={"kind": "fixed", "chunkSize": K256})
    api.put_chunk(session["uploadId"], 0, content(K256, seed=new_id()), expect=308)
    assert api.call("GET", "/v1/about").json()["quota"]["used"] == before + K256
    api.call("DELETE", f"/v1/upload/{session['uploadId']}", expect=204)
    api.call("DELETE", f"/v1/upload/{session['uploadId']}", expect=204)
    problem(api.call("GET", f"/v1/upload/{session['uploadId']}"), 410, "upload_canceled")
    problem(api.put_chunk(session["uploadId"], 0, content(K256)), 410, "upload_canceled")
    assert api.names() == []


def test_the_same_chunk_again_is_fine_and_other_bytes_at_its_index_are_refused(api):
    data = content(2 * K256)
    session = api.start_upload("again", len(data), plan={"kind": "fixed", "chunkSize": K256})
    for _ in range(3):
        answer = api.put_chunk(session["uploadId"], 0, data[:K256], expect=308)
        assert answer.json()["chunksProcessed"] == 1
    problem(api.put_chunk(session["uploadId"], 0, data[K256:]), 409, "chunk_hash_conflict")
    api.put_chunk(session["uploadId"], 1, data[K256:], expect=308)
    assert api.read(api.finalize(session["uploadId"], expect=201).json()["file"]) == data


def test_a_corrupted_chunk_is_refused_and_nothing_of_it_is_kept(api):
    data = content(2 * K256)
    session = api.start_upload("corrupt", len(data), plan={"kind": "fixed", "chunkSize": K256})
    spoiled = bytearray(data[:K256])
    spoiled[1000] ^= 1
    problem(api.put_chunk(session["uploadId"], 0, bytes(spoiled), digest=sha256(data[:K256])), 422, "chunk_corrupt")
    assert api.upload(session["uploadId"])["receivedChunks"] == []
    problem(api.finalize(session["uploadId"]), 409, "missing_chunks")
    for index, piece in enumerate(chunks(data, K256)):
        api.put_chunk(session["uploadId"], index, piece, expect=308)
    assert api.read(api.finalize(session["uploadId"], expect=201).json()["file"]) == data


def test_a_chunk_without_its_hash_is_held_by_the_whole_files_hash(api):
    """As drive-app.md uploads chunks: without a hash of their own."""
    data = content(1000)
    session = api.start_upload("bare", len(data))
    api.put_chunk(session["uploadId"], 0, data, expect=308, **{"X-Chunk-Hash": None})
    problem(api.finalize(session["uploadId"], fileHashSha256=sha256(b"other")), 422, "hash_mismatch")
    api.finalize(session["uploadId"], expect=201, fileHashSha256=sha256(data))


def test_finalize_names_the_chunks_that_are_missing(api):
    data = content(5 * K256)
    session = api.start_upload("missing", len(data), plan={"kind": "fixed", "chunkSize": K256})
    for index in (0, 3):
        api.put_chunk(session["uploadId"], index, data[index * K256:(index + 1) * K256], expect=308)
    assert problem(api.finalize(session["uploadId"]), 409, "missing_chunks")["missing"] == [[1, 2], [4, 4]]


def test_server_assembled_file_differs_from_client(api):
    """The whole-file hash at finalize is the safety net, and the session stays usable after it."""
    data = content(2 * K256)
    session = api.start_upload("swapped", len(data), plan={"kind": "fixed", "chunkSize": K256})
    api.put_chunk(session["uploadId"], 0, data[K256:], expect=308)
    api.put_chunk(session["uploadId"], 1, data[:K256], expect=308)
    refused = problem(api.finalize(session["uploadId"], fileHashSha256=sha256(data)), 422, "hash_mismatch")
    assert refused["computedSha256"] == sha256(data[K256:] + data[:K256])
    assert api.names() == []
    api.finalize(session["uploadId"], expect=201, fileHashSha256=refused["computedSha256"])


def test_a_hash_said_at_the_start_is_compared_at_the_end(api):
    data = content(K256)
    session = api.start_upload("said", len(data), fileHashSha256=sha256(b"another"))
    api.put_chunk(session["uploadId"], 0, data, expect=308)
    problem(api.finalize(session["uploadId"]), 422, "hash_mismatch")
    api.finalize(session["uploadId"], expect=201, fileHashSha256=sha256(data))


def test_finalize_repeated_and_side_by_side_makes_one_file(api):
    data = content(8 * K256)
    session = api.start_upload("once", len(data), plan={"kind": "fixed", "chunkSize": K256})
    for index, piece in enumerate(chunks(data, K256)):
        api.put_chunk(session["uploadId"], index, piece, expect=308)
    with ThreadPoolExecutor(6) as pool:
        answers = [a.result() for a in [pool.submit(api.finalize, session["uploadId"]) for _ in range(6)]]
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["revision"]["revisionId"] for answer in answers}) == 1
    assert api.finalize(session["uploadId"], expect=201).json()["remoteFileId"] == answers[0].json()["remoteFileId"]
    assert api.names() == ["once"] and len(api.revisions(answers[0].json()["remoteFileId"])) == 1


def put_beside(api, conflict):
    """Starts a second upload of a name that is there, and finishes it if it is let to."""
    response = api.call("POST", "/v1/upload", params={"uploadType": "resumable"}, json={
        "requestId": new_id(), "name": "report.pdf", "size": 6, "conflict": conflict, "finalize": "explicit"})
    if response.status_code == 201:
        api.put_chunk(response.json()["uploadId"], 0, b"second", expect=308)
        response = api.finalize(response.json()["uploadId"])
    return response


def test_uploading_a_name_that_exists_fails_where_that_is_asked(api):
    first = api.put_small("report.pdf", b"first")
    assert problem(put_beside(api, "fail"), 409, "name_conflict")["conflictingFileId"] == first["id"]
    assert api.read(api.file(first["id"])) == b"first"


def test_version_forking_adds_a_number_to_the_name(api):
    api.put_small("report.pdf", b"first")
    assert put_beside(api, "fork").json()["file"]["name"] == "report (1).pdf"
    assert put_beside(api, "fork").json()["file"]["name"] == "report (2).pdf"
    assert api.names() == ["report (1).pdf", "report (2).pdf", "report.pdf"]


def test_last_write_wins_as_a_new_revision(api):
    first = api.put_small("report.pdf", b"first")
    file = put_beside(api, "overwrite").json()["file"]
    assert file["id"] == first["id"] and file["version"] == 2
    assert [api.read(revision) for revision in api.revisions(file["id"])] == [b"second", b"first"]


def test_a_refused_finalize_can_be_answered_with_another_choice(api):
    api.put_small("taken", b"first")
    session = api.start_upload("free", 6)
    api.put_chunk(session["uploadId"], 0, b"second", expect=308)
    problem(api.finalize(session["uploadId"], name="taken", conflict="fail"), 409, "name_conflict")
    file = api.finalize(session["uploadId"], expect=201, name="taken", conflict="fork").json()["file"]
    assert file["name"] == "taken (1)"


def test_a_parent_that_went_away_is_named_and_another_one_taken(api):
    parent = api.folder("going")
    session = api.start_upload("orphan", 6, parentId=parent["id"])
    api.put_chunk(session["uploadId"], 0, b"second", expect=308)
    api.delete(parent["id"], permanent="true")
    problem(api.finalize(session["uploadId"]), 409, "parent_gone")
    assert api.finalize(session["uploadId"], expect=201, parentId="root").json()["file"]["parentId"]


def test_optimistic_concurrency_lets_one_of_two_edits_through(api):
    file = api.put_small("shared.txt", b"base")
    base = file["headRevisionId"]
    sessions = [api.start_upload("shared.txt", 6, fileId=file["id"], baseRevisionId=base, conflict="fail") for _ in "ab"]
    for session, data in zip(sessions, (b"edit-a", b"edit-b")):
        api.put_chunk(session["uploadId"], 0, data, expect=308)
    head = api.finalize(sessions[0]["uploadId"], expect=201).json()["revision"]["revisionId"]
    refused = problem(api.finalize(sessions[1]["uploadId"]), 409, "revision_conflict")
    assert refused["currentRevisionId"] == head and api.read(api.file(file["id"])) == b"edit-a"
    api.finalize(sessions[1]["uploadId"], expect=201, baseRevisionId=head)
    assert [api.read(revision) for revision in api.revisions(file["id"])] == [b"edit-b", b"edit-a", b"base"]


def test_the_same_request_id_starts_one_session(api):
    body = {"requestId": new_id(), "name": "idempotent", "size": 100, "conflict": "fail"}
    ids = {api.call("POST", "/v1/upload", params={"uploadType": "resumable"}, json=body, expect=201).json()["uploadId"]
           for _ in range(3)}
    assert len(ids) == 1
    problem(api.call("POST", "/v1/upload", params={"uploadType": "resumable"}, json={**body, "size": 101}),
            422, "idempotency_mismatch")


def test_a_folder_cannot_take_content(api):
    folder = api.folder("folder")
    response = api.call("POST", "/v1/upload", params={"uploadType": "resumable"},
                        json={"requestId": new_id(), "name": "folder", "size": 1, "fileId": folder["id"]})
    problem(response, 422, "not_a_file")
    response = api.call("POST", "/v1/upload", params={"uploadType": "resumable"},
                        json={"requestId": new_id(), "name": "x", "size": 1, "parentId": api.put_small("f", b"1")["id"]})
    problem(response, 422, "not_a_folder")


def test_an_empty_file_needs_no_chunk(api):
    session = api.start_upload("nothing", 0)
    assert session["totalChunks"] == 0
    file = api.finalize(session["uploadId"], expect=201, fileHashSha256=sha256(b"")).json()["file"]
    assert file["size"] == 0


def test_a_folder_by_its_type_is_no_upload(api):
    response = api.call("POST", "/v1/upload", params={"uploadType": "resumable"},
                        json={"requestId": new_id(), "name": "x", "size": 1, "mimeType": FOLDER})
    assert 400 <= response.status_code < 500


def test_everything_received_survives_a_restart(server, new_account):
    api = new_account(server)
    data = content(4 * K256)
    session = api.start_upload("restarted", len(data), plan={"kind": "fixed", "chunkSize": K256})
    for index in (0, 2):
        api.put_chunk(session["uploadId"], index, data[index * K256:(index + 1) * K256], expect=308)
    server.restart()
    assert api.upload(session["uploadId"])["receivedChunks"] == [[0, 0], [2, 2]]
    for index in (1, 3):
        api.put_chunk(session["uploadId"], index, data[index * K256:(index + 1) * K256], expect=308)
    done = api.finalize(session["uploadId"], expect=201).json()
    assert done["fileHashSha256"] == sha256(data)
    server.restart()
    assert api.finalize(session["uploadId"], expect=201).json()["remoteFileId"] == done["remoteFileId"]
    assert Api(server.url).call("GET", api.file(done["remoteFileId"])["downloadUrl"]).content == data
