"""An outside client of the HTTP contract, written from API.md alone."""

import base64
import json
import ssl
import struct
import uuid

import httpx

from content import chunks, content, sha256

PASSWORD = "correct horse battery"
FOLDER = "application/vnd.bothy.folder"
MIB = 1 << 20
#: One for every client: to read the machine's certificates takes longer than most requests.
TLS = ssl.create_default_context()


def batch(items):
    """The body of `POST /v1/upload/batch`, of pairs of metadata and content."""
    parts = []
    for metadata, data in items:
        written = metadata if isinstance(metadata, bytes) else json.dumps(metadata).encode()
        parts += [struct.pack(">II", len(written), len(data)), written, data]
    return b"".join(parts)


def unbatch(body):
    """The items of the answer to `POST /v1/content/batch`: pairs of metadata and content."""
    items = []
    while body:
        written, length = struct.unpack(">II", body[:8])
        end = 8 + written
        items.append((json.loads(body[8:end]), body[end:end + length]))
        assert len(items[-1][1]) == length
        body = body[end + length:]
    return items


class Api:
    """One signed-in device, or nobody."""

    def __init__(self, url, timeout=60):
        self.url = url
        self.http = httpx.Client(base_url=url, timeout=timeout, trust_env=False, verify=TLS)
        self.access = None
        self.refresh_token = None
        self.user = None
        self.device = None

    def close(self):
        self.http.close()

    def call(self, method, path, *, headers=None, token=None, expect=None, **options):
        headers = dict(headers or {})
        token = self.access if token is None else token
        if token and "authorization" not in {key.lower() for key in headers}:
            headers["Authorization"] = f"Bearer {token}"
        response = self.http.request(method, path, headers=headers, **options)
        if expect is not None:
            assert response.status_code == expect, f"{method} {path}: {response.status_code} {response.text[:2000]}"
        return response

    # Accounts

    def register(self, email, password=PASSWORD, name="laptop", **more):
        response = self.call("POST", "/v1/auth/register", expect=201, json={
            "email": email, "password": password, "displayName": email.split("@")[0],
            "device": {"name": name, "platform": "linux"}, **more})
        return self.signed_in(response.json())

    def login(self, email, password=PASSWORD, name="laptop", **more):
        response = self.call("POST", "/v1/auth/login", token="", expect=200, json={
            "email": email, "password": password, "device": {"name": name, "platform": "linux"}, **more})
        return self.signed_in(response.json())

    def signed_in(self, answer):
        self.access, self.refresh_token = answer["accessToken"], answer["refreshToken"]
        self.user, self.device = answer["user"], answer["device"]
        return self

    # Files

    def folder(self, name, parent="root"):
        return self.call("POST", "/v1/files", expect=201, json={
            "requestId": new_id(), "name": name, "mimeType": FOLDER, "parentId": parent}).json()

    def file(self, file_id):
        return self.call("GET", f"/v1/files/{file_id}", expect=200).json()

    def by_path(self, path):
        return self.call("GET", "/v1/files/by-path", params={"path": path})

    def patch(self, file_id, expect=200, **fields):
        headers = fields.pop("headers", None)
        return self.call("PATCH", f"/v1/files/{file_id}", expect=expect, headers=headers,
                         json={"requestId": new_id(), **fields}).json()

    def list(self, parent="root", **parameters):
        files, page = [], None
        while True:
            query = {"parentId": parent, **parameters, **({"page": page} if page else {})}
            answer = self.call("GET", "/v1/files", params=query, expect=200).json()
            files += answer["files"]
            page = answer["pagination"].get("next")
            if not page:
                return files

    def names(self, parent="root", **parameters):
        return [file["name"] for file in self.list(parent, **parameters)]

    def delete(self, file_id, expect=None, **parameters):
        response = self.call("DELETE", f"/v1/files/{file_id}", params=parameters, headers={"Idempotency-Key": new_id()})
        if expect is None:
            assert response.status_code in (200, 204), response.text
        else:
            assert response.status_code == expect, response.text
        return response

    def revisions(self, file_id):
        found, page = [], None
        while True:
            answer = self.call("GET", f"/v1/files/{file_id}/revisions", params={"page": page} if page else {}, expect=200).json()
            found += answer["revisions"]
            page = answer["pagination"].get("next")
            if not page:
                return found

    # Uploads

    def put_small(self, name, data, parent="root", expect=201, **more):
        """uploadType=media."""
        return self.call("POST", "/v1/upload", expect=expect, content=data,
                         params={"uploadType": "media", "name": name, "parentId": parent, **more},
                         headers={"Content-Type": "application/octet-stream", "Idempotency-Key": new_id()}).json()

    def put_multipart(self, metadata, data, expect=201, boundary="b-o-u-n-d-a-r-y"):
        body = (f"--{boundary}\r\nContent-Type: application/json\r\n\r\n".encode() + json.dumps(metadata).encode()
                + f"\r\n--{boundary}\r\nContent-Type: application/octet-stream\r\n\r\n".encode() + data
                + f"\r\n--{boundary}--\r\n".encode())
        return self.call("POST", "/v1/upload", expect=expect, content=body, params={"uploadType": "multipart"},
                         headers={"Content-Type": f'multipart/related; boundary="{boundary}"'}).json()

    def start_upload(self, name, size, expect=201, **more):
        body = {"requestId": new_id(), "name": name, "mimeType": "application/octet-stream", "parentId": "root",
                "conflict": "fail", "finalize": "explicit", **more}
        if size is not None:
            body["size"] = size
        return self.call("POST", "/v1/upload", params={"uploadType": "resumable"}, json=body, expect=expect).json()

    def put_range(self, upload, first, data, total, digest=None, expect=None, **headers):
        said = {"Content-Range": f"bytes {first}-{first + len(data) - 1}/{total}",
                "X-Chunk-Hash": f"sha256={digest or sha256(data)}", "Content-Type": "application/octet-stream", **headers}
        said = {key: value for key, value in said.items() if value is not None}
        return self.call("PUT", f"/v1/upload/{upload}/chunk", content=data, headers=said, expect=expect)

    def put_chunk(self, upload, index, data, digest=None, expect=None, **headers):
        said = {"X-Chunk-Hash": f"sha256={digest or sha256(data)}", "Content-Type": "application/octet-stream", **headers}
        said = {key: value for key, value in said.items() if value is not None}
        return self.call("PUT", f"/v1/upload/{upload}/chunks/{index}", content=data, headers=said, expect=expect)

    def finalize(self, upload, expect=None, **fields):
        return self.call("POST", f"/v1/upload/{upload}/finalize", json=fields, expect=expect)

    def upload(self, upload, expect=200):
        return self.call("GET", f"/v1/upload/{upload}", expect=expect).json()

    def put(self, name, data, chunk_size=4 * MIB, **more):
        """A whole resumable upload."""
        session = self.start_upload(name, len(data), plan={"kind": "fixed", "chunkSize": chunk_size},
                                    fileHashSha256=sha256(data), **more)
        if session.get("file"):
            return session["file"]
        for index, piece in enumerate(chunks(data, chunk_size)):
            response = self.put_chunk(session["uploadId"], index, piece)
            assert response.status_code in (201, 308), response.text
        return self.finalize(session["uploadId"], expect=201).json()["file"]

    # Content

    def download(self, file, **headers):
        return self.call("GET", file["downloadUrl"], headers=headers, token="")

    def read(self, file):
        response = self.download(file)
        assert response.status_code == 200, response.text
        return response.content

    # Changes

    def cursor(self):
        return self.call("GET", "/v1/changes/cursor", expect=200).json()["cursor"]

    def changes(self, cursor=None, limit=None):
        """Everything since the cursor, and the cursor after it."""
        found = []
        while True:
            query = {key: value for key, value in (("cursor", cursor), ("limit", limit)) if value}
            answer = self.call("GET", "/v1/changes", params=query, expect=200).json()
            found += answer["changes"]
            cursor = answer["cursor"]
            if not answer["hasMore"]:
                return found, cursor


def new_id():
    return str(uuid.uuid4())


def problem(response, status, code):
    """The answer is this refusal, in the shape that API.md promises."""
    assert response.status_code == status, f"{response.status_code} instead of {status}: {response.text[:1000]}"
    assert response.headers["content-type"].split(";")[0] == "application/problem+json"
    body = response.json()
    codes = (code,) if isinstance(code, str) else code
    assert body["code"] in codes, body
    assert body["status"] == status
    assert body["type"] and body["title"] and body["detail"].strip(), body
    return body


def content_digest(data):
    import hashlib
    return "sha-256=:" + base64.b64encode(hashlib.sha256(data).digest()).decode() + ":"


__all__ = ["Api", "problem", "new_id", "content", "sha256", "content_digest", "FOLDER", "MIB", "PASSWORD", "chunks"]
