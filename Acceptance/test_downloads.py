"""Content coming down: ranges, conditions, signatures, and headers that make a stored page harmless."""

import base64
import re
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from api import MIB, content, problem, sha256

DATA = content(9 * MIB + 123, seed="download")


@pytest.fixture(scope="module")
def stored(shared_server):
    from api import Api, new_id
    api = Api(shared_server.url).register(f"{new_id()}@example.org")
    file = api.put("film.bin", DATA)
    yield api, file
    api.close()


def test_the_whole_content_with_its_digest(stored):
    api, file = stored
    response = api.download(file)
    assert response.status_code == 200 and response.content == DATA
    assert response.headers["content-length"] == str(len(DATA)) and response.headers["accept-ranges"] == "bytes"
    digest = re.fullmatch(r"sha-256=:(.+):", response.headers["repr-digest"]).group(1)
    assert base64.b64decode(digest).hex() == sha256(DATA) == file["checksum"]
    assert file["checksum"] in response.headers["etag"]


@pytest.mark.parametrize("first, last", [
    (0, 0), (0, 4 * MIB - 1), (4 * MIB - 1, 4 * MIB), (5, 9 * MIB), (4 * MIB, 8 * MIB - 1), (len(DATA) - 1, len(DATA) - 1)])
def test_http_range_requests(stored, first, last):
    api, file = stored
    response = api.download(file, Range=f"bytes={first}-{last}")
    assert response.status_code == 206 and response.content == DATA[first:last + 1]
    assert response.headers["content-range"] == f"bytes {first}-{last}/{len(DATA)}"


def test_open_and_suffix_ranges(stored):
    api, file = stored
    assert api.download(file, Range=f"bytes={9 * MIB}-").content == DATA[9 * MIB:]
    assert api.download(file, Range="bytes=-77").content == DATA[-77:]
    assert api.download(file, Range=f"bytes=0-{10 * len(DATA)}").content == DATA


@pytest.mark.parametrize("span", [f"bytes={len(DATA)}-", f"bytes={len(DATA) + 5}-{len(DATA) + 9}", "bytes=-0"])
def test_a_range_outside_the_content(stored, span):
    api, file = stored
    response = api.download(file, Range=span)
    problem(response, 416, "range_not_satisfiable")
    assert response.headers["content-range"] == f"bytes */{len(DATA)}"


@pytest.mark.parametrize("span", ["bytes=5-2", "bytes=a-b", "items=0-5", "bytes=0-1,5-9", "bytes", "bytes=99999999999999999999-"])
def test_a_range_that_makes_no_sense_is_no_500(stored, span):
    api, file = stored
    response = api.download(file, Range=span)
    assert response.status_code in (200, 400, 416)
    assert response.status_code != 200 or response.content == DATA


def test_if_range_goes_on_only_in_the_same_content(stored):
    api, file = stored
    tag = api.download(file, Range="bytes=0-0").headers["etag"]
    assert api.download(file, **{"Range": "bytes=10-19", "If-Range": tag}).content == DATA[10:20]
    whole = api.download(file, **{"Range": "bytes=10-19", "If-Range": '"another"'})
    assert whole.status_code == 200 and whole.content == DATA


def test_if_none_match_saves_the_bytes(stored):
    api, file = stored
    tag = api.download(file, Range="bytes=0-0").headers["etag"]
    response = api.download(file, **{"If-None-Match": tag})
    assert response.status_code == 304 and response.content == b""


def test_head_says_what_get_would(stored):
    api, file = stored
    response = api.call("HEAD", file["downloadUrl"], token="")
    assert response.status_code == 200 and response.headers["content-length"] == str(len(DATA))
    assert response.content == b"" and file["checksum"] in response.headers["etag"]


def test_the_address_is_signed_over_everything_and_ends_within_an_hour(stored):
    import time
    api, file = stored
    parts = urlsplit(file["downloadUrl"])
    query = {key: values[0] for key, values in parse_qs(parts.query).items()}
    assert 0 < int(query["exp"]) - time.time() <= 3601
    first = "x" if query["sig"][0] != "x" else "y"  # of the last, some bits say nothing
    for change in ({"exp": str(int(query["exp"]) + 1)}, {"sig": first + query["sig"][1:]}, {"sig": ""}, {"exp": "0"},
                   {"exp": "-5"}, {"exp": "nonsense"}):
        response = api.call("GET", parts.path, params={**query, **change}, token="")
        assert response.status_code in (400, 403), change
        assert response.json()["code"] in ("url_invalid", "url_expired", "invalid_parameter", "malformed_request")
    other = api.put_small("other", b"other content")
    response = api.call("GET", urlsplit(other["downloadUrl"]).path, params=query, token="")
    problem(response, 403, "url_invalid")
    assert api.call("GET", parts.path, token="").status_code in (400, 403)


def test_content_is_immutable_and_cacheable_in_private(stored):
    api, file = stored
    control = api.download(file, Range="bytes=0-0").headers["cache-control"]
    assert "private" in control and "immutable" in control
    assert 0 < int(re.search(r"max-age=(\d+)", control).group(1)) <= 3600


@pytest.mark.parametrize("name", [
    "plain.txt", 'quote".txt', "semi;colon.txt", "naïve café.txt", "日本語.txt", "100%.txt", "back\\slash.txt",
    "a" * 250 + ".txt", "right\u202etxt.exe"])
def test_content_disposition_is_safe_for_every_name(api, name):
    file = api.put_multipart({"requestId": "r-" + sha256(name.encode()), "name": name, "mimeType": "text/plain",
                              "parentId": "root"}, b"x")
    said = api.download(file).headers["content-disposition"]
    assert "\r" not in said and "\n" not in said and said.isascii()
    extended = re.search(r"filename\*=UTF-8''([^;]+)", said)
    plain = re.search(r'filename="((?:[^"\\]|\\.)*)"', said)
    assert extended or plain
    if extended:
        assert unquote(extended.group(1)) == name
    else:
        assert re.sub(r"\\(.)", r"\1", plain.group(1)) == name


@pytest.mark.parametrize("mime", ["text/html", "image/svg+xml", "application/xhtml+xml", "text/javascript", "text/xml"])
def test_a_stored_page_never_runs_as_ours(api, mime):
    file = api.put_multipart({"requestId": "r-" + mime, "name": "page", "mimeType": mime, "parentId": "root"},
                             b"<script>alert(1)</script>")
    headers = api.download(file).headers
    assert "sandbox" in headers["content-security-policy"] and headers["x-content-type-options"] == "nosniff"
    assert headers["content-disposition"].startswith("attachment")


def test_images_are_shown_inline(api):
    file = api.put_multipart({"requestId": "r-png", "name": "a.png", "mimeType": "image/png", "parentId": "root"},
                             b"\x89PNG\r\n\x1a\n")
    headers = api.download(file).headers
    assert headers["content-disposition"].startswith("inline") and headers["content-type"] == "image/png"
    assert "sandbox" in headers["content-security-policy"]


def test_an_old_revision_stays_downloadable_after_a_new_version(api):
    first = api.put_small("doc", b"one")
    session = api.start_upload("doc", 3, fileId=first["id"], baseRevisionId=first["headRevisionId"])
    api.put_chunk(session["uploadId"], 0, b"two", expect=308)
    api.finalize(session["uploadId"], expect=201)
    assert api.download(first).content == b"one" and api.read(api.file(first["id"])) == b"two"
