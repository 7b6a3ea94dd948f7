"""Downloads by the command line through a network that fails: only whole, verified content ever stands at its place."""

import os
import shutil
import signal
import subprocess

import pytest

import fault_proxy
from api import Api, content, sha256
from content import file_sha256
from device import PASSWORD
from preconditions import machine_cannot
from waiting import wait_until

MIB = 1 << 20
SIZE = 24 * MIB + 777


class Case:
    def __init__(self, device, proxy, server, folder):
        self.device, self.proxy, self.server = device, proxy, server
        self.data = content(SIZE, seed="down")
        self.digest = sha256(self.data)
        email = device.json("whoami")["user"]["email"]
        self.api = Api(server.url).login(email, PASSWORD, name="witness")
        self.file = self.api.put("film.bin", self.data)
        self.folder = folder / "downloads"
        self.folder.mkdir()
        self.target = self.folder / "film.bin"

    def get(self, *flags, **options):
        return self.device.get("/film.bin", self.target, *flags, **options)

    def start_get(self, *flags):
        return self.device.start("get", "/film.bin", self.target, *flags)

    def assert_promoted(self):
        assert file_sha256(self.target) == self.digest

    def assert_not_promoted(self):
        assert not self.target.exists()

    def moved(self):
        return sum(e.sent_down for e in self.proxy.seen(fault_proxy.a_download))


@pytest.fixture
def case(device, proxy, shared_server, tmp_path):
    made = Case(device, proxy, shared_server, tmp_path)
    yield made
    made.api.close()


AFTER = [("Retry-After", "1")]
FAULTS = {
    "network drop mid-chunk": lambda: [fault_proxy.cut_download(after=MIB, times=3)],
    "network drop between chunks": lambda: [fault_proxy.cut_before(fault_proxy.a_download, times=3)],
    "network drop after the headers": lambda: [fault_proxy.cut_download(after=1, times=2)],
    "a 206 with an incorrect Content-Range": lambda: [fault_proxy.wrong_content_range(times=2)],
    "a 206 of another place": lambda: [fault_proxy.wrong_content_range(shift=4096, times=2)],
    "a 200 to a range": lambda: [fault_proxy.cut_download(after=MIB), fault_proxy.ignore_range(times=2)],
    "corrupted bytes, one bit flipped": lambda: [fault_proxy.flip_download_bit(at=54321)],
    "the server is busy for a while": lambda: [fault_proxy.answer(503, fault_proxy.a_download, 2, AFTER)],
    "a bad gateway": lambda: [fault_proxy.answer(502, fault_proxy.any_request, 2)],
    "a slow network": lambda: [fault_proxy.trickle(8 * MIB, fault_proxy.a_download, 2)],
    "a captive portal": lambda: [fault_proxy.answer(200, fault_proxy.a_download, 1, body=b"<html>sign in to the cafe")],
    "an address that has expired": lambda: [fault_proxy.answer(
        403, fault_proxy.a_download, 1, [("Content-Type", "application/problem+json")],
        b'{"type":"/problems/url_expired","title":"t","status":403,"code":"url_expired","detail":"d"}')],
    "a redirect to elsewhere": lambda: [fault_proxy.answer(302, fault_proxy.a_download, 1, [("Location", "http://127.0.0.1:9/")])],
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_download_survives(case, name):
    case.proxy.add(*FAULTS[name]())
    said = case.get(check=False)
    if name == "a redirect to elsewhere" and said.code != 0:
        case.assert_not_promoted()
        case.get()
    else:
        assert said.code == 0, said
    case.assert_promoted()
    assert [path.name for path in case.folder.iterdir()] == ["film.bin"], "a temporary file was left behind"


def test_download_corruption_that_goes_on_is_never_promoted(case):
    case.proxy.add(fault_proxy.flip_download_bit(at=1000, times=100_000))
    said = case.get(check=False, seconds=180)
    assert said.code == 1 and "not what the server has" in said.text and "scratch" in said.text, said
    case.assert_not_promoted()
    case.proxy.clear()
    case.get()
    case.assert_promoted()


def test_app_kill_and_restart_during_download(case):
    case.proxy.add(fault_proxy.trickle(8 * MIB, fault_proxy.a_download, 1000))
    get = case.start_get()
    wait_until(lambda: case.moved() > 10 * MIB, what="some of it")
    get.kill()
    get.wait()
    case.assert_not_promoted()
    case.proxy.clear()
    case.get()
    case.assert_promoted()
    assert case.moved() <= SIZE + 17 * MIB, "more was fetched again than was in flight"


def test_ctrl_c_leaves_the_download_resumable(case):
    case.proxy.add(fault_proxy.trickle(8 * MIB, fault_proxy.a_download, 1000))
    get = case.start_get()
    wait_until(lambda: case.moved() > 10 * MIB, what="some of it")
    get.send_signal(signal.SIGINT)
    assert get.wait(15) != 0
    said = case.device.started_log()
    assert "again" in said or "resume" in said, said
    case.assert_not_promoted()
    case.proxy.clear()
    case.get()
    case.assert_promoted()


def test_promotion_happens_only_after_the_whole_file_is_verified(case):
    case.proxy.add(fault_proxy.trickle(8 * MIB, fault_proxy.a_download, 1000))
    get = case.start_get()

    def done():
        if case.target.exists():
            assert case.target.stat().st_size == SIZE
        return get.poll() is not None

    wait_until(done, seconds=60, what="the download", every=0.005)
    assert get.returncode == 0
    case.assert_promoted()


def test_the_file_that_stood_there_stays_until_the_new_one_is_whole(case):
    case.target.write_text("precious")
    case.proxy.add(fault_proxy.trickle(8 * MIB, fault_proxy.a_download, 1000))
    get = case.start_get("--overwrite") if "--overwrite" in case.device.run("get", "--help").stdout else case.start_get()
    wait_until(lambda: case.moved() > 5 * MIB or get.poll() is not None, what="some of it")
    assert case.target.read_text() == "precious"
    get.kill()
    get.wait()
    assert case.target.read_text() == "precious"


def test_a_new_version_on_the_server_restarts_the_download(case):
    case.proxy.add(fault_proxy.trickle(8 * MIB, fault_proxy.a_download, 1000))
    get = case.start_get()
    wait_until(lambda: case.moved() > 8 * MIB, what="some of it")
    get.kill()
    get.wait()
    newer = content(SIZE, seed="newer")
    session = case.api.start_upload("film.bin", SIZE, fileId=case.file["id"], conflict="overwrite")
    for index in range(7):
        case.api.put_chunk(session["uploadId"], index, newer[index * 4 * MIB:(index + 1) * 4 * MIB], expect=308)
    case.api.finalize(session["uploadId"], expect=201)
    case.proxy.clear()
    case.get()
    assert file_sha256(case.target) == sha256(newer)


def test_connection_lost_and_back(case):
    case.proxy.add(fault_proxy.trickle(8 * MIB, fault_proxy.a_download, 1000))
    get = case.start_get()
    wait_until(lambda: case.moved() > 8 * MIB, what="some of it")
    case.proxy.go_down()
    wait_until(lambda: "onnection" in case.device.started_log() or "etwork" in case.device.started_log(), seconds=30,
               what="a clear status message")
    case.proxy.clear()
    case.proxy.come_back()
    assert get.wait(60) == 0, case.device.started_log()
    case.assert_promoted()


def test_a_destination_that_is_a_folder_takes_the_file_into_it(case):
    case.target.mkdir()
    said = case.get(check=False)
    if said.code == 0:
        assert file_sha256(case.target / "film.bin") == case.digest
    else:
        assert "folder" in said.text or "directory" in said.text


def test_a_folder_stands_where_the_file_should_go(case):
    (case.target / "film.bin").mkdir(parents=True)
    said = case.get(check=False)
    assert said.code == 1 or said.code == 4, said
    assert (case.target / "film.bin").is_dir()


def test_disk_full_is_a_state_of_its_own(case, tmp_path):
    """Free space is checked first, on a disk that is too small."""
    small = tmp_path / "small disk"
    small.mkdir()
    result = subprocess.run(
        ["unshare", "-m", "sh", "-c",
         f'mount -t tmpfs -o size=8m tmpfs "{small}" && "$@"', "sh", *command(case, "get", "/film.bin", small / "film.bin")],
        capture_output=True, text=True, env=case.device.environment, stdin=subprocess.DEVNULL, timeout=90)
    if "unshare" in result.stderr or "mount:" in result.stderr:
        machine_cannot("a test cannot have a mount of its own here")
    assert result.returncode == 1, result.stdout + result.stderr
    assert "space" in (result.stdout + result.stderr) or "room" in (result.stdout + result.stderr) or "full" in (
        result.stdout + result.stderr)
    assert case.moved() <= 9 * MIB


def command(case, *words):
    from server import BINARY
    return [BINARY, *map(str, words)]


def test_a_destination_nobody_may_write(case):
    if os.geteuid() == 0:
        said = case.device.get("/film.bin", "/proc/film.bin", check=False)
    else:
        case.folder.chmod(0o500)
        said = case.get(check=False)
        case.folder.chmod(0o700)
    assert said.code == 1 and "Fatal" not in said.text


def test_server_side_rot_is_named_and_nothing_is_promoted(case):
    case.proxy.add(fault_proxy.answer(
        503, fault_proxy.a_download, 10_000, [("Content-Type", "application/problem+json")],
        b'{"type":"/problems/content_corrupt","title":"t","status":503,"code":"content_corrupt","detail":"d"}'))
    get = case.start_get()
    try:
        get.wait(40)
        assert get.returncode == 1
    except subprocess.TimeoutExpired:
        get.kill()
        get.wait()
    case.assert_not_promoted()


def test_read_again_from_scratch_when_the_temporary_file_was_tampered_with(case):
    case.proxy.add(fault_proxy.trickle(8 * MIB, fault_proxy.a_download, 1000))
    get = case.start_get()
    wait_until(lambda: case.moved() > 12 * MIB, what="some of it")
    get.kill()
    get.wait()
    for path in case.folder.iterdir():
        with open(path, "r+b") as file:
            file.seek(100)
            file.write(b"tampered")
    case.proxy.clear()
    said = case.get(check=False)
    if said.code != 0:
        case.assert_not_promoted()
        case.get()
    case.assert_promoted()
    assert shutil.disk_usage(case.folder)
