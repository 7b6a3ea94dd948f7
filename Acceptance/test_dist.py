"""The tarball of `make dist`, in an environment without Swift: a root that holds glibc and nothing else."""

import os
import shutil
import subprocess
import tarfile

import pytest

from api import PASSWORD, Api, new_id
from preconditions import missing
from server import BINARY, ROOT, LISTENING
from waiting import wait_until

# What every Debian has (libc6, libgcc-s1 and libstdc++6 are essential or required there).
EVERYWHERE = ("ld-linux-x86-64.so.2", "libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6", "libdl.so.2",
              "libpthread.so.0", "librt.so.1", "libutil.so.1", "linux-vdso.so.1")


def newest_tarball():
    found = sorted((ROOT / "dist").glob("bothy-*-linux-*.tar.gz"), key=lambda path: path.stat().st_mtime)
    if not found:
        missing("dist", "make dist has not run here (make test-long runs it)")
    return found[-1]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    with tarfile.open(newest_tarball()) as archive:
        archive.extractall(folder, filter="data")
    return next(folder.iterdir())


def test_it_holds_what_it_should(unpacked):
    there = {str(path.relative_to(unpacked)) for path in unpacked.rglob("*") if path.is_file()}
    for expected in ("bin/bothy", "completions/bothy.bash", "completions/bothy.zsh", "completions/bothy.fish",
                     "man/man1/bothy.1", "bothy.yaml.example", "install.sh", "LICENSE", "README.md"):
        assert expected in there, there
    assert any(name.startswith("systemd/") for name in there) and any(name.startswith("proxies/") for name in there)
    assert "systemd/user/bothy-agent.service" in there
    assert (unpacked / "man/man1/bothy.1").read_text().startswith((".TH", ".Dd", '.\\"', "'"))


def test_it_needs_nothing_that_a_debian_has_not(unpacked):
    said = subprocess.run(["ldd", unpacked / "bin/bothy"], capture_output=True, text=True).stdout
    needed = {os.path.basename(line.split()[0]) for line in said.splitlines() if line.strip()}
    assert needed <= set(EVERYWHERE), needed - set(EVERYWHERE)
    assert not any(word in said for word in ("swift", "sqlite", "Foundation"))


@pytest.fixture
def bare_root(unpacked, tmp_path):
    """A root folder with glibc, the unpacked tarball, and nothing else."""
    root = tmp_path / "root"
    for folder in ("tmp", "dev", "proc", "etc", "srv"):
        (root / folder).mkdir(parents=True)
    said = subprocess.run(["ldd", unpacked / "bin/bothy"], capture_output=True, text=True).stdout
    for line in said.splitlines():
        for word in line.split():
            if word.startswith("/") and os.path.exists(word):
                target = root / word.lstrip("/")
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(word, target)
    shutil.copytree(unpacked, root / "bothy")
    (root / "dev/null").touch()
    (root / "etc/passwd").write_text("root:x:0:0:root:/:/bin/sh\n")
    return root


def inside(root, *words):
    """Runs it with this folder as its root; /proc is there, as it is on every Linux."""
    script = f'mount --rbind /proc "{root}/proc" && exec chroot "{root}" "$@"'
    unshare = [shutil.which("unshare"), "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"])]
    return subprocess.Popen(
        [*unshare, "/bin/sh", "-c", script, "sh", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True,
        env={"HOME": "/tmp", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "BOTHY_HOME": "/tmp/device"})


def test_server_and_client_run_without_swift(bare_root):
    version = inside(bare_root, "/bothy/bin/bothy", "--version")
    said, _ = version.communicate(timeout=60)
    assert version.returncode == 0 and said[0].isdigit(), said
    server = inside(bare_root, "/bothy/bin/bothy", "server", "--data", "/srv/data", "--listen", "127.0.0.1:0")
    try:
        lines = []
        url = wait_until(lambda: heard(server, lines), what="the server listening")
        api = Api(url).register(f"{new_id()}@example.org")
        assert api.read(api.put_small("a", b"without Swift")) == b"without Swift"
        client = inside(bare_root, "/bothy/bin/bothy", "doctor")
        client.communicate(timeout=60)
        assert client.returncode in (0, 1, 3)
    finally:
        server.kill()
        server.wait()


def heard(process, lines):
    line = process.stdout.readline()
    lines.append(line)
    assert line or process.poll() is None, "".join(lines)
    match = LISTENING.search(line)
    return match and match.group(1)


def test_two_folders_of_many_files_meet_as_it_is_optimised(unpacked, shared_server, new_account, tmp_path):
    """The other tests drive a debug build; once, an optimised one ended where several files went at once."""
    binary = unpacked / "bin/bothy"
    account = new_account()
    folders = {name: tmp_path / name for name in ("kitchen", "phone")}
    for folder in folders.values():
        folder.mkdir()
    for number in range(40):
        (folders["kitchen"] / f"{number}.txt").write_text(f"note {number}")

    def bothy(name, *words, **options):
        environment = {**os.environ, "BOTHY_HOME": str(tmp_path / f"home of {name}")}
        done = subprocess.run([binary, *map(str, words)], env=environment, capture_output=True, text=True, timeout=60, **options)
        assert done.returncode == 0, (done.returncode, done.stdout[-800:], done.stderr[-800:])

    for name, folder in folders.items():
        bothy(name, "login", "--server", shared_server.url, "--email", account.user["email"], "--device", name,
              "--password-stdin", input=f"{PASSWORD}\n")
        bothy(name, "sync", folder, "/notes", "--once")
    texts = [{path.name: path.read_text() for path in folder.glob("*.txt")} for folder in folders.values()]
    assert texts[0] == texts[1] and len(texts[0]) == 40


def test_it_installs_under_a_prefix_and_goes_again(unpacked, tmp_path):
    prefix = tmp_path / "local"
    subprocess.run([unpacked / "install.sh", "--prefix", prefix], check=True, capture_output=True)
    assert subprocess.run([prefix / "bin/bothy", "--version"], capture_output=True).returncode == 0
    assert (prefix / "share/bash-completion/completions/bothy").exists() and (prefix / "share/man/man1/bothy.1").exists()
    subprocess.run([unpacked / "install.sh", "--prefix", prefix, "--uninstall"], check=True, capture_output=True)
    assert not [path for path in prefix.rglob("*") if path.is_file()]


def test_the_tested_binary_says_its_version():
    said = subprocess.run([BINARY, "--version"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert said.returncode == 0 and said.stdout.strip()[0].isdigit()
