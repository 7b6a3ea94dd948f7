"""Behind nginx and Caddy, by the snippets of packaging/proxies as they are printed there."""

import os
import re
import shutil
import socket
import subprocess

import pytest

from api import PASSWORD, Api, content, new_id
from documented import DOCUMENT, resolved
from ports import own_port
from preconditions import missing
from server import ROOT, Server
from waiting import wait_until

SNIPPETS = ROOT / "packaging/proxies"


def program(name):
    for path in (shutil.which(name), ROOT / ".tools/usr/sbin" / name, ROOT / ".tools/usr/bin" / name, f"/usr/sbin/{name}"):
        if path and os.access(path, os.X_OK):
            return str(path)
    missing(name, f"{name} is not here (make setup could not get it)")


def answers(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True
    except OSError:
        return False


@pytest.fixture
def behind(tmp_path):
    server = Server(tmp_path / "data", environment={"BOTHY_TRUSTED_PROXIES": "127.0.0.1/32"}).start()
    running = []

    def start(command, port):
        running.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin:/usr/sbin"}))
        try:
            wait_until(lambda: answers(port), what=f"{command[0]} listening")
        except AssertionError:
            running[-1].kill()
            raise AssertionError(running[-1].stdout.read().decode()) from None
        return f"http://127.0.0.1:{port}"

    yield server, start
    for process in running:
        process.kill()  # Caddy would wait for the open event stream
        process.wait(60)
    server.kill()


def nginx(server, start, folder, **replace):
    """The snippet's own lines, with only its addresses and certificates made those of this test."""
    snippet = next(SNIPPETS.glob("nginx*")).read_text()
    port = own_port()
    text = re.sub(r"127\.0\.0\.1:8420|localhost:8420|\[::1\]:8420", f"127.0.0.1:{server.port}", snippet)
    text = re.sub(r"^\s*listen\s+\[::\].*;\s*$", "", text, flags=re.M)
    text = re.sub(r"listen\s+(443|80)[^;]*;", f"listen 127.0.0.1:{port};", text, count=0)
    text = re.sub(r"^\s*(ssl_\w+|http2)\b[^;]*;\s*$", "", text, flags=re.M)
    text = re.sub(r"server_name\s+[^;]+;", "server_name _;", text)
    for old, new in replace.items():
        text = re.sub(rf"{old}\s+[^;]+;", f"{old} {new};", text)
    if text.count("server {") > 1:  # the redirect from port 80 is not what is tested
        text = "server {" + max(text.split("server {")[1:], key=len)
        head = snippet.split("server {")[0]
        text = re.sub(r"127\.0\.0\.1:8420", f"127.0.0.1:{server.port}", head) + text
    (folder / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {folder}/nginx.pid; error_log stderr;\nevents {{}}\nhttp {{\n"
        f"access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;\n"
        f"fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;\n{text}\n}}\n")
    return start([program("nginx"), "-p", str(folder), "-c", str(folder / "nginx.conf")], port)


def caddy(server, start, folder):
    snippet = next(path for path in SNIPPETS.iterdir() if path.name.lower().startswith("caddy")).read_text()
    port = own_port()
    text = re.sub(r"127\.0\.0\.1:8420|localhost:8420", f"127.0.0.1:{server.port}", snippet)
    text = re.sub(r"^[a-z0-9.-]+\.example\.(org|com)\b", f"http://127.0.0.1:{port}", text, flags=re.M)
    (folder / "Caddyfile").write_text("{\n\tadmin off\n\tauto_https off\n\tgrace_period 2s\n}\n" + text)
    return start([program("caddy"), "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")], port)


def everything_works_through(url, server, new_device, tmp_path):
    from test_changes import Events
    device = new_device()
    # Through a trusted proxy, an address that is this machine's own stays open.
    account = Api(server.url).register(f"{new_id()}@example.org")
    api = Api(url).login(account.user["email"])
    data = content(21 << 20, seed="proxied")
    file = api.put("large", data, chunk_size=16 << 20)
    assert api.read(file) == data
    assert api.download(file, Range="bytes=5-20000000").content == data[5:20_000_001]
    cursor = api.cursor()
    events = Events(api, **{"Last-Event-ID": cursor})
    api.folder("heard")
    wait_until(events.ids, what="an event through the proxy, not kept back in a buffer")
    wait = api.call("GET", "/v1/changes/wait", params={"cursor": api.cursor(), "timeoutSeconds": 2}, expect=200)
    assert wait.json()["changed"] is False
    for name in ("a b", "100%", "ü", "a+b"):
        api.folder(name)
        assert api.by_path("/" + name).status_code == 200
    device.login(url, account.user["email"])
    (tmp_path / "film").write_bytes(data)
    device.put(tmp_path / "film", "/film")
    device.get("/film", tmp_path / "back")
    assert (tmp_path / "back").read_bytes() == data


def test_the_nginx_snippet(behind, tmp_path, new_device):
    server, start = behind
    everything_works_through(nginx(server, start, tmp_path), server, new_device, tmp_path)


def test_the_caddy_snippet(behind, tmp_path, new_device):
    server, start = behind
    everything_works_through(caddy(server, start, tmp_path), server, new_device, tmp_path)


def test_a_proxys_413_is_named_and_chunks_shrink(behind, tmp_path, new_device):
    """An nginx that takes 1 MiB in a body, as they come."""
    server, start = behind
    url = nginx(server, start, tmp_path, client_max_body_size="1m")
    account = Api(server.url).register(f"{new_id()}@example.org")
    device = new_device().login(url, account.user["email"])
    data = content(9 << 20, seed="413")
    (tmp_path / "film").write_bytes(data)
    device.put(tmp_path / "film", "/film")
    assert account.read(account.by_path("/film").json()) == data
    # A proxy that takes less than the smallest chunk cannot be got through: it is named, with what to do about it.
    (tmp_path / "narrow").mkdir()
    narrow = new_device().login(nginx(server, start, tmp_path / "narrow", client_max_body_size="100k"), account.user["email"])
    (tmp_path / "film").write_bytes(data[::-1])
    said = narrow.put(tmp_path / "film", "/film", check=False)
    assert said.code == 1 and "proxy" in said.text and "client_max_body_size" in said.text, said


def test_the_nginx_snippet_waits_for_a_long_poll_and_takes_a_whole_request_as_it_comes():
    """Five minutes and 64 MiB, as openapi.yaml has them: nobody waits that long in a test, nor sends that much."""
    snippet = (SNIPPETS / "nginx.conf").read_text()
    wait = DOCUMENT["paths"]["/v1/changes/wait"]["get"]["parameters"]
    longest = next(p["schema"]["maximum"] for p in map(resolved, wait) if p["name"] == "timeoutSeconds")
    for direction in ("read", "send"):
        assert int(re.search(rf"proxy_{direction}_timeout (\d+)s;", snippet).group(1)) > longest
    assert int(re.search(r"client_max_body_size (\d+)m;", snippet).group(1)) > 64
    for way in ("proxy_request_buffering", "proxy_buffering"):
        assert re.search(rf"^\s*{way} off;", snippet, re.M), f"{way}: what nginx keeps first takes its disk, and its time"


@pytest.mark.parametrize("proxy", [nginx, caddy])
def test_the_snippets_say_who_the_client_is(behind, tmp_path, proxy):
    """Whoever is on this machine may register without the setup code; what a client says of itself makes nobody another."""
    server, start = behind
    api = Api(proxy(server, start, tmp_path))
    for claimed in ("203.0.113.9", "127.0.0.1, 203.0.113.9"):
        answer = api.call("POST", "/v1/auth/register", headers={"X-Forwarded-For": claimed}, json={
            "email": f"{new_id()}@example.org", "password": PASSWORD, "displayName": "x",
            "device": {"name": "x", "platform": "linux"}})
        assert answer.status_code == 201, f"the server took the claim of {claimed}: {answer.text}"
