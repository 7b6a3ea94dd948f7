"""Downloads by the command line through a network that fails: only whole, verified content ever stands at its place."""

import os
import signal
import stat
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

    def begin(self, *flags):
        """Starts a get that fetches about two thirds in more than a second, and no more until the faults are cleared."""
        self.proxy.add(fault_proxy.hold_download(8 * MIB, times=1000, bytes_per_second=6 * MIB))
        get = self.start_get(*flags)
        wait_until(lambda: get.poll() is not None or self.written_down() > 0, what="progress that is written down", every=0.1)
        assert get.poll() is None, self.device.started_log()
        return get

    def written_down(self):
        """Bytes that are here, as the record says to whoever goes on."""
        return sum(t["bytesDone"] for t in self.transfers())

    def transfers(self):
        return self.device.run("transfers", "--json").json_lines()

    def assert_promoted(self):
        assert file_sha256(self.target) == self.digest

    def assert_not_promoted(self):
        assert not self.target.exists()

    def moved(self, since=0):
        """Bytes of content that came down, after the first so many requests for it."""
        return sum(e.sent_down for e in self.proxy.seen(fault_proxy.a_download)[since:])

    def requests(self):
        return len(self.proxy.seen(fault_proxy.a_download))


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
    "a 206 of another place": lambda: [fault_proxy.another_range(4096, times=2)],
    "a 200 to a range": lambda: [fault_proxy.cut_download(after=MIB), fault_proxy.ignore_range(times=2)],
    "corrupted bytes, one bit flipped": lambda: [fault_proxy.flip_download_bit(at=54321)],
    "the server is busy for a while": lambda: [fault_proxy.answer(503, fault_proxy.a_download, 2, AFTER)],
    "a bad gateway": lambda: [fault_proxy.answer(502, fault_proxy.any_request, 2)],
    "a slow network": lambda: [fault_proxy.trickle(8 * MIB, fault_proxy.a_download, 2)],
    "a captive portal": lambda: [fault_proxy.answer(200, fault_proxy.a_download, 1, body=b"<html>sign in to the cafe")],
    "an address that has expired": lambda: [fault_proxy.answer(
        403, fault_proxy.a_download, 1, [("Content-Type", "application/problem+json")],
        b'{"type":"/problems/url_expired","title":"t","status":403,"code":"url_expired","detail":"d"}')],
}

BEGIN_ANEW = {"corrupted bytes, one bit flipped"}
"""Only the whole file has a hash, so it is not known which bytes were wrong."""


@pytest.mark.parametrize("name", FAULTS)
def test_a_download_survives(case, name):
    faults = FAULTS[name]()
    case.proxy.add(*faults)
    case.get()
    assert all(fault.used for fault in faults), "it was never put to the test"
    case.assert_promoted()
    assert [path.name for path in case.folder.iterdir()] == ["film.bin"], "a temporary file was left behind"
    if name not in BEGIN_ANEW:
        # Of a range that breaks off, the whole chunks of 4 MiB are kept, and so of the one beside it.
        assert case.moved() <= SIZE + sum(fault.used for fault in faults) * 2 * 4 * MIB, "what was here was fetched again"


def test_a_server_that_asks_to_be_left_alone_for_a_while_is(case):
    """Of its own accord nobody would wait for more than a second after a first refusal."""
    case.proxy.add(fault_proxy.answer(503, fault_proxy.a_download, 1, [("Retry-After", "2")]))
    case.get()
    case.assert_promoted()
    ranges = case.proxy.seen(fault_proxy.a_download)
    [refused] = [e for e in ranges if e.status == 503]
    again = next(e for e in ranges if e is not refused and e.headers["range"] == refused.headers["range"])
    assert again.begun - refused.answered >= 2, f"asked again after {again.begun - refused.answered:.1f} s"


def test_a_redirect_to_elsewhere_is_named_and_not_followed(case):
    case.proxy.add(fault_proxy.answer(302, fault_proxy.a_download, 1000, [("Location", "http://127.0.0.1:9/")]))
    said = case.get(check=False)
    assert said.code == 1 and "redirect" in said.text, said
    case.assert_not_promoted()
    case.proxy.clear()
    case.get()
    case.assert_promoted()


def test_download_corruption_that_goes_on_is_never_promoted(case):
    case.proxy.add(fault_proxy.flip_download_bit(at=1000, times=100_000))
    said = case.get(check=False, seconds=180)
    assert said.code == 1 and "does not match the server's" in said.text and "scratch" in said.text, said
    case.assert_not_promoted()
    case.proxy.clear()
    case.get()
    case.assert_promoted()


def test_app_kill_and_restart_during_download(case):
    get = case.begin()
    get.kill()
    get.wait()
    case.assert_not_promoted()
    here, before = case.written_down(), case.requests()
    case.proxy.clear()
    case.get()
    case.assert_promoted()
    assert case.moved(since=before) <= SIZE - here, "what was here was fetched again"


def test_what_stands_whole_in_its_place_ends_the_download_that_was_to_bring_it(case):
    """A process that ends between putting a file in its place and writing that down leaves it so."""
    get = case.begin()
    get.kill()
    get.wait()
    case.proxy.clear()
    case.target.write_bytes(case.data)
    before = case.requests()
    case.get()
    assert case.moved(since=before) == 0
    assert [path.name for path in case.folder.iterdir()] == ["film.bin"]
    assert case.transfers() == []


def test_ctrl_c_leaves_the_download_resumable(case):
    get = case.begin()
    get.send_signal(signal.SIGINT)
    assert get.wait(60) == 130
    said = case.device.started_log()
    assert "Run the same command again to resume" in said and "bothy transfers resume" in said, said
    case.assert_not_promoted()
    here, before = case.written_down(), case.requests()
    assert here >= 8 * MIB, "Ctrl-C forgot what had arrived"
    case.proxy.clear()
    case.get()
    case.assert_promoted()
    assert case.moved(since=before) <= SIZE - here, "what was here was fetched again"


def test_promotion_happens_only_after_the_whole_file_is_verified(case):
    """The partial file lies beside its place, on the same disk, so that the promotion is a rename and never a copy."""
    get = case.begin()
    [partial] = case.folder.iterdir()
    assert partial != case.target
    inode = partial.stat().st_ino
    case.proxy.clear()

    def done():
        if case.target.exists():
            assert case.target.stat().st_size == SIZE
            case.assert_promoted()
        return get.poll() is not None

    wait_until(done, seconds=120, what="the download", every=0.005)
    assert get.returncode == 0
    case.assert_promoted()
    assert case.target.stat().st_ino == inode and not partial.exists()


def test_the_file_that_stood_there_stays_until_the_new_one_is_whole(case):
    case.target.write_text("precious")
    get = case.begin("--replace")
    assert case.target.read_text() == "precious"
    get.kill()
    get.wait()
    assert case.target.read_text() == "precious"
    case.proxy.clear()
    case.get("--replace")
    case.assert_promoted()


def test_a_new_version_on_the_server_restarts_the_download(case):
    get = case.begin()
    get.kill()
    get.wait()
    newer = content(SIZE, seed="newer")
    case.api.put("film.bin", newer, fileId=case.file["id"], conflict="overwrite")
    before = case.requests()
    case.proxy.clear()
    case.get()
    assert file_sha256(case.target) == sha256(newer)
    assert case.moved(since=before) >= SIZE, "bytes of the old version were taken for the new one's"
    assert [path.name for path in case.folder.iterdir()] == ["film.bin"], "a temporary file was left behind"


def test_connection_lost_and_back(case):
    get = case.begin()
    case.proxy.go_down()
    wait_until(lambda: "connection lost, trying again" in case.device.started_log(), what="a clear status message")
    [transfer] = case.transfers()
    assert transfer["state"] == "paused" and transfer["reason"] == "offline", transfer
    here, before = transfer["bytesDone"], case.requests()
    assert here >= 8 * MIB and get.poll() is None, "losing the network ended the download"
    case.proxy.clear()
    case.proxy.come_back()
    assert get.wait(120) == 0, case.device.started_log()
    case.assert_promoted()
    assert case.moved(since=before) <= SIZE - here, "what was here was fetched again"


def test_parallelism_with_care(case):
    case.proxy.add(fault_proxy.hold(fault_proxy.a_download, 1000))
    get = case.start_get()
    wait_until(lambda: case.requests() >= 2, what="two ranges at once")
    case.proxy.clear()
    assert get.wait(120) == 0, case.device.started_log()
    assert 2 <= case.proxy.most_at_once(case.proxy.seen(fault_proxy.a_download)) <= 4
    case.assert_promoted()


def test_a_destination_that_is_a_folder_takes_the_file_into_it(case):
    case.target.mkdir()
    case.get()
    assert [path.name for path in case.target.iterdir()] == ["film.bin"]
    assert file_sha256(case.target / "film.bin") == case.digest


def test_a_folder_stands_where_the_file_should_go(case):
    (case.target / "film.bin").mkdir(parents=True)
    said = case.get(check=False)
    assert said.code == 4 and "is a folder" in said.text and str(case.target / "film.bin") in said.text, said
    assert case.moved() == 0 and [path.name for path in case.target.iterdir()] == ["film.bin"]
    assert (case.target / "film.bin").is_dir()


def test_a_pipe_stands_where_the_file_should_go(case, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    said = case.device.run("get", "/film.bin", tmp_path / "pipe", check=False)
    assert said.code == 4 and "already exists and is not a file" in said.text, said
    assert stat.S_ISFIFO(os.stat(tmp_path / "pipe").st_mode)


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
    said = result.stdout + result.stderr
    assert result.returncode == 1 and "space" in said and str(small) in said, said
    assert case.moved() == 0
    [transfer] = case.transfers()
    assert transfer["state"] == "failed" and transfer["error"]["code"] == "disk_full", transfer


def command(case, *words):
    from server import BINARY
    return [BINARY, *map(str, words)]


def test_a_destination_nobody_may_write(case):
    if os.geteuid() == 0:
        place = "/proc/film.bin"
        said = case.device.get("/film.bin", place, check=False)
    else:
        place = str(case.target)
        case.folder.chmod(0o500)
        said = case.get(check=False)
        case.folder.chmod(0o700)
    assert said.code == 1 and "film.bin" in said.text and "Fatal" not in said.text, said
    assert case.moved() == 0 and not os.path.exists(place)


def test_server_side_rot_is_named_and_nothing_is_promoted(case):
    case.proxy.add(fault_proxy.answer(
        503, fault_proxy.a_download, 10_000, [("Content-Type", "application/problem+json")],
        b'{"type":"/problems/content_corrupt","title":"t","status":503,"code":"content_corrupt","detail":"d"}'))
    said = case.get(check=False)
    assert said.code == 1 and "The server's copy of “film.bin” is damaged" in said.text, said
    assert case.requests() <= 2, "asking again does not mend it"
    case.assert_not_promoted()
    [transfer] = case.transfers()
    assert transfer["state"] == "failed" and transfer["error"]["code"] == "content_damaged", transfer


def test_read_again_from_scratch_when_the_temporary_file_was_tampered_with(case):
    get = case.begin()
    get.kill()
    get.wait()
    [partial] = case.folder.iterdir()
    with open(partial, "r+b") as file:
        file.seek(100)
        file.write(b"tampered")
    before = case.requests()
    case.proxy.clear()
    case.get()
    case.assert_promoted()
    assert case.moved(since=before) >= SIZE, "it was not fetched again"
    assert [path.name for path in case.folder.iterdir()] == ["film.bin"], "a temporary file was left behind"
