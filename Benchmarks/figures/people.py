"""People of the measured server, who call it as programs do."""

import http.client
import json
import time
import urllib.error
from urllib.parse import urlencode

from peers.bothy import PASSWORD


def account(name: str) -> dict:
    return {"email": f"{name}@example.org", "password": PASSWORD, "displayName": name, "device": {"name": "bench", "platform": "linux"}}


def register(bothy, name: str) -> dict:
    """Makes an account, and waits where too many were made from one address."""
    while True:
        try:
            return bothy.request("POST", "/v1/auth/register", account(name))
        except urllib.error.HTTPError as refusal:
            if refusal.code != 429:
                raise
            time.sleep(int(refusal.headers["Retry-After"]))


class Caller:
    """One person with one connection."""

    def __init__(self, bothy, name: str, token: str | None = None):
        """Signs in, where there is no token of theirs yet."""
        self.connection = http.client.HTTPConnection("127.0.0.1", bothy.port, timeout=60)
        self.token = token
        if token is None:
            signing_in = account(name)
            del signing_in["displayName"]
            self.token = self.call("POST", "/v1/auth/login", signing_in)[0]["accessToken"]

    def call(self, method: str, path: str, body: dict | None = None) -> tuple[dict, float]:
        """The answer, or where what was made is, and the milliseconds until it was there."""
        content, kind = (json.dumps(body), "application/json") if body is not None else (None, None)
        answer, text, took = self._send(method, path, content, kind)
        return json.loads(text) if text else {"location": answer.headers["Location"]}, took

    def upload(self, name: str, content: bytes, kind: str) -> dict:
        """Puts a file into the drive's root."""
        return json.loads(self._send("POST", "/v1/upload?" + urlencode({"uploadType": "media", "name": name, "parentId": "root"}), content, kind)[1])

    def fetch(self, path: str) -> bytes:
        return self._send("GET", path)[1]

    def _send(self, method: str, path: str, content=None, kind: str | None = None) -> tuple[http.client.HTTPResponse, bytes, float]:
        headers = {"Content-Type": kind} if kind else {}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        started = time.perf_counter()
        self.connection.request(method, path, content, headers)
        answer = self.connection.getresponse()
        text = answer.read()
        took = (time.perf_counter() - started) * 1000
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {text[:400]!r}")
        return answer, text, took
