"""Running the server: configuration, the data folder, stopping, health, logs, TLS."""

import json
import os
import re
import shutil
import signal
import sqlite3
import ssl
import subprocess
import threading
import time
import urllib.request

import httpx
import pytest

from api import PASSWORD, Api, content, new_id, sha256
from cookies import ticket_of
from device import Device
from ports import own_port
from server import BINARY, DidNotStart, Server, clean_environment
from waiting import wait_until


def run(*arguments, environment=None, cwd=None, seconds=60):
    return subprocess.run([BINARY, "server", *map(str, arguments)], capture_output=True, text=True, timeout=seconds,
                          stdin=subprocess.DEVNULL, env=clean_environment(**(environment or {})), cwd=cwd)


def refused(result, *words):
    assert result.returncode != 0, result.stdout
    text = result.stdout + result.stderr
    for word in words:
        assert word in text, text
    assert "Fatal error" not in text and "backtrace" not in text.lower()
    return text


def test_it_says_where_it_listens_and_is_healthy_and_ready(server):
    assert server.answers("/healthz") == 200 and server.answers("/readyz") == 200
    text = urllib.request.urlopen(server.url + "/openapi.yaml", timeout=60).read().decode()
    assert text.startswith("openapi: 3.1")


def test_file_then_variables_then_flags(tmp_path):
    file = tmp_path / "bothy.yaml"
    file.write_text("listen: 127.0.0.1:1111\nlog:\n  level: error\nminFree: 5 GiB\nregistration: closed\n")
    printed = run("--config", file, "--data", tmp_path / "d", "--listen", "127.0.0.1:3333", "--print-config",
                  environment={"BOTHY_LISTEN": "127.0.0.1:2222", "BOTHY_MIN_FREE": "7 GiB"})
    assert printed.returncode == 0, printed.stderr
    assert "127.0.0.1:3333" in printed.stdout and str(7 << 30) in printed.stdout and "closed" in printed.stdout
    assert "error" in printed.stdout and not (tmp_path / "d").exists()


def test_an_unknown_key_is_an_error_that_names_it(tmp_path):
    file = tmp_path / "bothy.yaml"
    file.write_text("lissten: 127.0.0.1:1111\n")
    refused(run("--config", file, "--data", tmp_path / "d"), "lissten", "listen")
    refused(run("--data", tmp_path / "d", environment={"BOTHY_LISSTEN": "x"}), "BOTHY_LISSTEN")
    file.write_text("listen: [\n")
    refused(run("--config", file, "--data", tmp_path / "d"), str(file))
    refused(run("--data", tmp_path / "d", "--listen", "nonsense"), "nonsense")


def test_printed_configuration_holds_no_secrets(tmp_path):
    server = Server(tmp_path / "data").start()
    server.stop()
    printed = run("--data", tmp_path / "data", "--print-config").stdout
    for line in printed.splitlines():
        assert not any(word in line.lower() for word in ("secret", "password", "setupcode", "private"))


def test_two_servers_on_one_data_folder(server):
    result = run("--data", server.data, "--listen", "127.0.0.1:0")
    refused(result, str(server.data))
    assert server.answers() == 200


def test_a_port_that_is_taken(server, tmp_path):
    refused(run("--data", tmp_path / "other", "--listen", f"127.0.0.1:{server.port}"), str(server.port))


def test_a_folder_that_was_made_ready_is_taken_as_an_existing_one(tmp_path):
    made = subprocess.run([BINARY, "server", "init", "--data", tmp_path / "data"], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, env=clean_environment())
    assert made.returncode == 0 and "--existing" in made.stdout, made
    assert (tmp_path / "data").stat().st_mode & 0o077 == 0
    server = Server(tmp_path / "data", "--existing").start()
    Api(server.url).register(f"{new_id()}@example.org")
    server.kill()
    again = subprocess.run([BINARY, "server", "init", "--data", tmp_path / "data", "--json"], capture_output=True, text=True,
                           stdin=subprocess.DEVNULL, env=clean_environment())
    assert again.returncode == 4 and "already" in json.loads(again.stderr)["error"]["message"], again


def test_existing_refuses_an_empty_folder(tmp_path):
    (tmp_path / "not mounted").mkdir()
    refused(run("--data", tmp_path / "not mounted", "--existing", "--listen", "127.0.0.1:0"), "not mounted")
    assert list((tmp_path / "not mounted").iterdir()) == []


def test_the_data_folder_belongs_to_its_owner_alone(server):
    for path, folders, files in os.walk(server.data):
        for name in [path, *(os.path.join(path, name) for name in folders + files)]:
            assert os.stat(name).st_mode & 0o077 == 0, name


def test_the_data_folder_can_be_moved(server, new_account, tmp_path):
    api = new_account(server)
    file = api.put_small("moved", b"moved along")
    server.stop()
    shutil.move(server.data, tmp_path / "elsewhere")
    server.data = tmp_path / "elsewhere"
    server.start()
    assert api.read(api.file(file["id"])) == b"moved along"


def test_sigterm_lets_what_runs_finish(server, new_account):
    api = new_account(server)
    data = content(1 << 20)
    session = api.start_upload("running", len(data))
    begun, may_end = threading.Event(), threading.Event()

    def slowly():
        yield data[:1000]
        begun.set()
        may_end.wait(60)
        yield data[1000:]

    answers = []
    upload = threading.Thread(target=lambda: answers.append(api.call(
        "PUT", f"/v1/upload/{session['uploadId']}/chunks/0", content=slowly(),
        headers={"X-Chunk-Hash": f"sha256={sha256(data)}", "Content-Length": str(len(data))})))
    upload.start()
    assert begun.wait(60)
    server.process.send_signal(signal.SIGTERM)
    wait_until(lambda: not server.answers(), what="no new connection being taken")
    may_end.set()
    upload.join(60)
    assert answers and answers[0].status_code == 308
    assert server.process.wait(60) == 0


def test_sigterm_does_not_wait_for_streams_and_polls(server, new_account):
    from test_changes import Events
    api = new_account(server)
    events = Events(api)
    waiter = threading.Thread(target=lambda: quiet(lambda: Api(server.url, timeout=60).call(
        "GET", "/v1/changes/wait", token=api.access, params={"cursor": api.cursor(), "timeoutSeconds": 300})))
    waiter.start()
    at = time.monotonic()
    server.stop()
    assert time.monotonic() - at < 30 and events.ended.wait(30)


def quiet(action):
    try:
        action()
    except Exception:  # the server went away, as it should
        pass


def test_a_database_of_a_newer_bothy_is_refused_in_words(server):
    server.stop()
    database = only_database(server)
    with sqlite3.connect(database) as connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        migrations = next((t for t in tables if "migration" in t or "schema" in t), None)
        if migrations is None:
            connection.execute("PRAGMA user_version = 9999")
        else:
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({migrations})")]
            row = connection.execute(f"SELECT * FROM {migrations} ORDER BY 1 DESC LIMIT 1").fetchone()
            newer = [9999 if isinstance(value, int) and index == 0 else value for index, value in enumerate(row)]
            if not isinstance(row[0], int):
                newer = [f"9999-{value}" if index == 0 else value for index, value in enumerate(row)]
            marks = ", ".join("?" * len(columns))
            connection.execute(f"INSERT INTO {migrations} VALUES ({marks})", newer)
    connection.close()
    text = refused(run("--data", server.data, "--listen", "127.0.0.1:0"))
    assert "newer" in text


def only_database(server):
    found = sorted(p for p in server.data.rglob("*") if p.suffix in (".db", ".sqlite") and "backup" not in str(p))
    assert found, list(server.data.rglob("*"))
    return found[0]


def test_a_database_cut_in_half_is_refused_in_words(server, new_account):
    api = new_account(server)
    for number in range(30):
        api.folder(f"f{number}")
    server.stop()
    database = only_database(server)
    for side in ("-wal", "-shm"):
        database.with_name(database.name + side).unlink(missing_ok=True)
    os.truncate(database, database.stat().st_size // 2)
    text = refused(run("--data", server.data, "--listen", "127.0.0.1:0"))
    assert str(database.name) in text or "database" in text


def test_logs_hold_no_secrets(tmp_path, new_account):
    for form in ("text", "json"):
        server = Server(tmp_path / form, environment={"BOTHY_LOG_LEVEL": "trace", "BOTHY_LOG_FORMAT": form}).start()
        api = new_account(server)
        file = api.put_small("private-name.txt", b"private words")
        api.read(file)
        api.call("POST", "/v1/auth/login", token="", json={
            "email": api.user["email"], "password": "a wrong secret", "device": {"name": "x", "platform": "linux"}})
        api.call("GET", "/v1/files", token="a.forged.token")
        marks = web_marks(server.url, api.user["email"], "a wrong secret", "correct horse battery")
        server.stop()
        log = server.log()
        signature = file["downloadUrl"].split("sig=")[1].split("&")[0]
        for secret in (api.access, api.refresh_token, "correct horse battery", "a wrong secret", signature,
                       "a.forged.token", "private words", *marks):
            assert secret not in log


def web_marks(url, email, *passwords):
    """Form tokens and cookies of a browser that is signed in with the last of these passwords."""
    marks = set()
    with httpx.Client(base_url=url, trust_env=False, follow_redirects=True) as client:
        page = client.get("/sign-in")
        for password in (*passwords, None):
            token = re.search(r'name="token" value="([0-9a-f]+)"', page.text).group(1)
            marks |= {token, *client.cookies.values()}
            if password:
                form = {"token": token, "mode": "signIn", "email": email, "password": password, "then": ""}
                page = client.post("/sign-in", data=form)
        assert page.url.path == "/" and ticket_of(client)
    return marks


def test_a_server_that_stops_waits_for_no_open_page(tmp_path):
    server = Server(tmp_path / "data").start()
    with httpx.Client(base_url=server.url, trust_env=False) as client:
        token = re.search(r'name="token" value="([0-9a-f]+)"', client.get("/sign-in").text).group(1)
        form = {"token": token, "email": f"{new_id()}@example.org", "password": PASSWORD, "mode": "createAccount"}
        assert client.post("/sign-in", headers={"Origin": server.url}, data=form).status_code == 303
        mark = re.search(r'data-mark="([^"]+)"', client.get("/").text).group(1)
        with client.stream("GET", f"/folder/root/events?order=name&after={mark}", timeout=60) as page:
            parts = page.iter_text()
            assert "retry" in next(parts)
            server.process.terminate()
            for _ in parts:  # ends as it should, and is not cut off
                pass
    assert server.process.wait(60) == 0


def test_two_servers_of_one_host_sign_nobody_out_of_the_other(tmp_path, shared_server):
    """Browsers keep cookies by host, and all ports of one share them."""
    server = Server(tmp_path / "data").start()
    try:
        with httpx.Client(trust_env=False) as client:
            urls = (server.url, shared_server.url)
            for url in urls:
                token = re.search(r'name="token" value="([0-9a-f]+)"', client.get(f"{url}/sign-in").text).group(1)
                form = {"token": token, "email": f"{new_id()}@example.org", "password": PASSWORD, "mode": "createAccount"}
                assert client.post(f"{url}/sign-in", headers={"Origin": url}, data=form).status_code == 303
            assert [client.get(url).status_code for url in urls] == [200, 200]
    finally:
        server.kill()


def test_metrics_have_a_loopback_listener_of_their_own(tmp_path, new_account):
    port = own_port()
    server = Server(tmp_path / "data", environment={"BOTHY_METRICS_LISTEN": f"127.0.0.1:{port}"}).start()
    try:
        new_account(server).put_small("a", b"1")
        text = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60).read().decode()
        assert "# TYPE" in text
        assert server.answers("/metrics") == 404
    finally:
        server.kill()
    refused(run("--data", tmp_path / "other", "--listen", "127.0.0.1:0",
                environment={"BOTHY_METRICS_LISTEN": f"0.0.0.0:{port}"}), "0.0.0.0")


def certificate(folder, name):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                    "-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout",
                    str(folder / "key.pem"), "-out", str(folder / "certificate.pem")], check=True, capture_output=True)


def served_certificate(port):
    return ssl.get_server_certificate(("127.0.0.1", port), timeout=60)


def test_tls_and_a_certificate_that_is_read_again_when_it_changes(tmp_path):
    certificate(tmp_path, "first")
    server = Server(tmp_path / "data", environment={
        "BOTHY_TLS_CERTIFICATE": str(tmp_path / "certificate.pem"), "BOTHY_TLS_KEY": str(tmp_path / "key.pem")}).start()
    try:
        assert server.url.startswith("https://")
        first = served_certificate(server.port)
        certificate(tmp_path, "second")
        wait_until(lambda: served_certificate(server.port) != first, what="the new certificate", every=0.2)
        context = ssl.create_default_context(cafile=str(tmp_path / "certificate.pem"))
        assert urllib.request.urlopen(server.url + "/healthz", timeout=60, context=context).status == 200
    finally:
        server.kill()


def test_a_server_that_is_not_trusted_says_why_and_what_to_set(server, tmp_path):
    certificate(tmp_path, "own")
    own = Server(tmp_path / "own", environment={
        "BOTHY_TLS_CERTIFICATE": str(tmp_path / "certificate.pem"), "BOTHY_TLS_KEY": str(tmp_path / "key.pem")}).start()
    try:
        def come(url, **environment):
            return Device(tmp_path / "device").run(
                "register", "--server", url, "--email", "a@example.org", "--device", "laptop", "--password-stdin",
                stdin=b"correct horse battery\n", environment=environment, check=False)

        refused = come(own.url)
        assert refused.code != 0
        assert "is not signed by a trusted authority" in refused.stderr and "BOTHY_CA_FILE" in refused.stderr
        assert "the server there does not speak TLS" in come(server.url.replace("http:", "https:")).stderr
        assert come(own.url, BOTHY_CA_FILE=str(tmp_path / "certificate.pem")).code == 0
    finally:
        own.kill()


def test_registration_elsewhere_needs_the_setup_code_then_an_invite(tmp_path, new_account):
    """A proxy that is trusted speaks for an address that is not this machine."""
    server = Server(tmp_path / "data", environment={"BOTHY_TRUSTED_PROXIES": "127.0.0.1/32"}).start()
    try:
        body = {"email": f"{new_id()}@example.org", "password": "correct horse battery", "displayName": "x",
                "device": {"name": "x", "platform": "linux"}}
        far = {"X-Forwarded-For": "203.0.113.9"}
        api = Api(server.url)
        answer = api.call("POST", "/v1/auth/register", json=body, headers=far)
        assert answer.status_code == 403 and answer.json()["code"] == "setup_code_required"
        wrong = api.call("POST", "/v1/auth/register", json={**body, "setupCode": "XXXX-XXXX"}, headers=far, expect=403)
        assert wrong.json()["code"] == "setup_code_required"
        assert "This is not the current setup code" in wrong.json()["detail"]
        with httpx.Client(base_url=server.url, headers=far, trust_env=False) as browser:
            token = re.search(r'name="token" value="([0-9a-f]+)"', browser.get("/sign-in").text).group(1)
            form = {"token": token, "mode": "createAccount", "email": body["email"], "password": body["password"]}
            assert "This is not the current setup code" in browser.post("/sign-in", data={**form, "code": "XXXX-XXXX"}).text
        code = re.search(r"--setup-code (\S+)", server.log()).group(1)
        api.call("POST", "/v1/auth/register", json={**body, "setupCode": code}, headers=far, expect=201)
        second = {**body, "email": f"{new_id()}@example.org"}
        answer = api.call("POST", "/v1/auth/register", json=second, headers=far)
        assert answer.status_code == 403 and answer.json()["code"] == "invite_required"
        invite = re.search(r"--invite (\S+)", server.admin("user", "invite").stdout).group(1)
        api.call("POST", "/v1/auth/register", json={**second, "invite": invite}, headers=far, expect=201)
        third = {**body, "email": f"{new_id()}@example.org", "invite": invite}
        assert api.call("POST", "/v1/auth/register", json=third, headers=far).status_code == 403, "an invite is used once"
    finally:
        server.kill()


STRANGERS = ["unknown", "unix:", "unix:/run/proxy.sock", "_hidden", "nonsense", "127.0.0.1:http", "[::1]x", "203.0.113.9:443",
             "[2001:db8::9]:443", "2001:db8::9"]


def test_whom_a_trusted_proxy_cannot_name_is_a_stranger(tmp_path):
    """They were taken for the proxy itself, which is at this machine: whoever came through it could register without a code."""
    server = Server(tmp_path / "data", environment={"BOTHY_TRUSTED_PROXIES": "127.0.0.1/32"}).start()
    try:
        for claimed in (*STRANGERS, "203.0.113.9, unknown"):
            answer = Api(server.url).call("POST", "/v1/auth/register", headers={"X-Forwarded-For": claimed}, json={
                "email": f"{new_id()}@example.org", "password": "correct horse battery", "displayName": "x",
                "device": {"name": "x", "platform": "linux"}})
            assert answer.status_code == 403 and answer.json()["code"] == "setup_code_required", claimed
        Api(server.url).call("POST", "/v1/auth/register", expect=201, headers={"X-Forwarded-For": "127.0.0.1:5678"}, json={
            "email": f"{new_id()}@example.org", "password": "correct horse battery", "displayName": "x",
            "device": {"name": "x", "platform": "linux"}})
    finally:
        server.kill()


def test_a_server_behind_a_proxy_says_once_that_it_lacks_its_public_address(tmp_path):
    def warned(server):
        return sum("publicUrl" in line for line in server.output)

    trusting = Server(tmp_path / "a", environment={"BOTHY_TRUSTED_PROXIES": "10.0.0.1"}).start()
    untold = Server(tmp_path / "b").start()
    told = Server(tmp_path / "c", environment={
        "BOTHY_TRUSTED_PROXIES": "10.0.0.1", "BOTHY_PUBLIC_URL": "https://bothy.example.org"}).start()
    try:
        wait_until(lambda: warned(trusting) == 1, what="a warning at the start")
        assert warned(untold) == 0, "nobody has come through a proxy yet"
        for server in (trusting, untold, told):
            for _ in range(3):
                Api(server.url).call("GET", "/healthz", headers={"Forwarded": "for=203.0.113.9"}, expect=200)
        wait_until(lambda: warned(untold) == 1, what="a warning at the first request that a proxy forwards")
        assert (warned(trusting), warned(untold), warned(told)) == (1, 1, 0)
    finally:
        for server in (trusting, untold, told):
            server.kill()


def test_nobody_elses_forwarded_for_counts(server):
    """A proxy on this machine that nobody named as trusted makes no stranger's request a local one, whatever it claims."""
    for claimed in ("203.0.113.9", "127.0.0.1", "::1", "127.0.0.1, 127.0.0.1", "nonsense"):
        answer = Api(server.url).call("POST", "/v1/auth/register", headers={"X-Forwarded-For": claimed}, json={
            "email": f"{new_id()}@example.org", "password": "correct horse battery", "displayName": "x",
            "device": {"name": "x", "platform": "linux"}})
        assert answer.status_code == 403 and answer.json()["code"] == "setup_code_required"


def test_registration_can_be_closed(tmp_path):
    server = Server(tmp_path / "data", environment={"BOTHY_REGISTRATION": "closed"}).start()
    try:
        answer = Api(server.url).call("POST", "/v1/auth/register", json={
            "email": f"{new_id()}@example.org", "password": "correct horse battery", "displayName": "x",
            "device": {"name": "x", "platform": "linux"}})
        assert answer.status_code == 403 and answer.json()["code"] == "registration_closed"
        invited = server.admin("user", "invite", check=False)
        assert invited.returncode == 1 and "An invite would not work" in invited.stderr
    finally:
        server.kill()


@pytest.mark.parametrize("option", ["--listen", "--metrics-listen"])
def test_an_address_that_is_taken_is_named_with_its_option(server, tmp_path, option):
    taken = server.url.removeprefix("http://")
    addresses = {"--listen": "127.0.0.1:0", "--metrics-listen": "127.0.0.1:0", option: taken}
    refused = subprocess.run(
        [BINARY, "up", "--data", tmp_path / "another", *(part for pair in addresses.items() for part in pair)],
        env=clean_environment(HOME=str(tmp_path)), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    assert refused.returncode != 0
    assert f"Bothy cannot listen on {taken}" in refused.stderr and f"choose another {option}." in refused.stderr


def test_up_serves_on_the_defaults_and_says_what_to_do_next(tmp_path):
    environment = clean_environment(HOME=str(tmp_path), XDG_DATA_HOME=str(tmp_path / "share"))
    process = subprocess.Popen([BINARY, "up", "--listen", "127.0.0.1:0"], env=environment, cwd=tmp_path, text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        lines = []
        for line in process.stdout:
            lines.append(line)
            if "bothy register" in line:
                break
        assert any("Bothy is listening on http://127.0.0.1:" in line for line in lines), lines
    finally:
        process.kill()
        process.wait()


def free_bytes(path):
    stats = os.statvfs(path)
    return stats.f_bavail * stats.f_frsize


def test_min_free_keeps_room_on_the_disk_and_deleting_still_works(tmp_path, new_account):
    server = Server(tmp_path / "data").start()
    api = new_account(server)
    kept = api.put_small("kept", content(100_000))
    server.stop()
    server.environment["BOTHY_MIN_FREE"] = str(free_bytes(tmp_path) * 2)
    server.start()
    try:
        response = api.call("POST", "/v1/upload", content=content(1000), headers={"Idempotency-Key": new_id()},
                            params={"uploadType": "media", "name": "x", "parentId": "root"})
        assert response.status_code == 507 and response.json()["code"] == "disk_full"
        assert api.read(api.file(kept["id"])) == content(100_000)
        api.delete(kept["id"])
        api.delete(kept["id"], permanent="true")
    finally:
        server.kill()
