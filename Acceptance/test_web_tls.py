"""The web app over TLS in a real browser: Bothy's own, and that of a proxy before it."""

import contextlib
import re
import subprocess

import httpx
import pytest

from api import Api, new_id
from browser import Person, chromium
from cookies import ticket_of
from ports import own_port
from server import Server
from test_proxies import SNIPPETS, answers, program
from test_running import certificate
from test_web_walk import Walk
from waiting import wait_until


@pytest.fixture(scope="module")
def browser():
    """A Chromium that takes a certificate that nobody signed, in its workers, too."""
    with chromium("--ignore-certificate-errors") as browser:
        yield browser


@contextlib.contextmanager
def own_tls(folder):
    server = Server(folder / "data", environment={
        "BOTHY_TLS_CERTIFICATE": str(folder / "certificate.pem"), "BOTHY_TLS_KEY": str(folder / "key.pem")}).start()
    try:
        yield server.url, None
    finally:
        server.stop()


@contextlib.contextmanager
def behind_nginx(folder):
    """The snippet as it is printed, but for its addresses and certificates. Who comes through it is from elsewhere."""
    nginx, port = program("nginx"), own_port()
    url = f"https://127.0.0.1:{port}"
    server = Server(folder / "data", environment={
        "BOTHY_PUBLIC_URL": url, "BOTHY_TRUSTED_PROXIES": "127.0.0.1/32"}).start()
    text = (SNIPPETS / "nginx.conf").read_text().replace("127.0.0.1:8420", f"127.0.0.1:{server.port}")
    text = re.sub(r"^\s*listen\s+\[::\].*;\s*$", "", text, flags=re.M)
    text = re.sub(r"listen\s+443 ssl;", f"listen 127.0.0.1:{port} ssl;", text)
    text = re.sub(r"ssl_certificate\s+[^;]+;", f"ssl_certificate {folder}/certificate.pem;", text)
    text = re.sub(r"ssl_certificate_key\s+[^;]+;", f"ssl_certificate_key {folder}/key.pem;", text)
    places = "".join(f"{name}_temp_path {folder}/{name}; " for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (folder / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {folder}/nginx.pid; error_log stderr;\nevents {{}}\n"
        f"http {{\naccess_log off; {places}\n{text}\n}}\n")
    proxy = subprocess.Popen(
        [nginx, "-p", str(folder), "-c", str(folder / "nginx.conf")], stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: answers(port), what="nginx listening")
        yield url, server
    finally:
        proxy.kill()
        proxy.wait(60)
        server.stop()


@pytest.mark.parametrize("serving", [own_tls, behind_nginx], ids=["its own", "a proxy's"])
def test_the_whole_list_over_tls(browser, tmp_path, serving):
    certificate(tmp_path, "bothy")
    with serving(tmp_path) as (url, server):
        email = f"{new_id()}@example.org"
        someone = Person(browser, url, ignore_https_errors=True)
        try:
            if server is None:
                someone.register(email)
            else:
                code = re.search(r"--setup-code (\S+)", server.log()).group(1)
                Api(server.url).register(email, setupCode=code)
                someone.sign_in_by_form(email)
                someone.page.wait_for_url(url + "/")
            walk = Walk(someone, tmp_path)
            walk.settle()
            ending = re.compile(r"-[0-9a-f]{8}$")
            cookies = {ending.sub("", cookie["name"]): cookie for cookie in someone.context.cookies()}
            secrets = {name: cookie for name, cookie in cookies.items() if name.startswith("__Host-bothy")}
            assert set(secrets) == {"__Host-bothy", "__Host-bothy-known", "__Host-bothy-visit"}
            assert all(cookie["httpOnly"] and cookie["path"] == "/" for cookie in secrets.values())
            assert {"bothy", "bothy-known", "bothy-visit"}.isdisjoint(cookies), "a secret without the prefix"
            careless = [name for name, cookie in cookies.items() if not cookie["secure"] or cookie["sameSite"] != "Strict"]
            assert not careless, careless
            walk.arrange()
            walk.look()
            walk.leave()
            left = {cookie["name"] for cookie in someone.context.cookies()}
            assert "__Host-bothy" not in left, "a browser that was signed out keeps no ticket"
            assert not someone.complaints, someone.complaints
        finally:
            someone.close()


def test_a_cookie_without_the_prefix_is_no_ticket_over_tls(tmp_path):
    """Anyone on the way can give a browser a cookie for a name without TLS; it must not be taken for one of ours."""
    certificate(tmp_path, "bothy")
    with own_tls(tmp_path) as (url, _), httpx.Client(base_url=url, verify=False, trust_env=False) as client:
        page = client.get("/sign-in")
        token = re.search(r'name="token" value="([^"]+)"', page.text)[1]
        answer = client.post("/sign-in", headers={"Origin": url}, data={
            "token": token, "email": f"{new_id()}@example.org", "password": "correct horse battery", "mode": "createAccount"})
        assert answer.status_code == 303, answer.text
        name = ticket_of(client)
        ticket = client.cookies[name]
        assert name.startswith("__Host-")
        client.cookies.clear()
        assert client.get("/", headers={"Cookie": f"{name.removeprefix('__Host-')}={ticket}"}).status_code == 303
        assert client.get("/", headers={"Cookie": f"{name}={ticket}"}).status_code == 200
