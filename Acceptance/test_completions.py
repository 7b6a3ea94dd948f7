"""What a shell does with names from the server when someone presses Tab: it shows them, and evaluates none."""

import os
import pty
import select
import shutil
import signal
import subprocess
import time

import pytest

from preconditions import missing
from server import BINARY

HOSTILE = ["$(touch pwned)", "`touch pwned`", "a b;touch pwned", "it's \"q\"", "*", "~"]

# What bash does at Tab, without a terminal: the function is called as readline would, and its answers are printed.
AT_TAB = r"""
source "$1"
compopt() { :; }
COMP_LINE="bothy ls $2"; COMP_POINT=${#COMP_LINE}; COMP_WORDS=(bothy ls "$2"); COMP_CWORD=2
_bothy bothy "$2" ls
for candidate in "${COMPREPLY[@]}"; do eval "printf '%s\n' $candidate"; done
"""


def at_the_shell(device, tmp_path, shell):
    """The script for a shell, an empty folder to stand in, and an environment in which `bothy` is the program under test."""
    script = tmp_path / f"bothy.{shell}"
    with script.open("wb") as out:
        subprocess.run([BINARY, "completion", shell], stdout=out, check=True)
    here = tmp_path / "here"
    here.mkdir(exist_ok=True)
    program = tmp_path / "bin" / "bothy"
    program.parent.mkdir(exist_ok=True)
    if not program.exists():
        program.symlink_to(os.path.abspath(BINARY))
    return script, here, {**device.environment, "PATH": f"{program.parent}:{os.environ['PATH']}"}


def complete(device, tmp_path, word):
    """The names that bash inserts, each read back by a shell as it would be once Enter is pressed."""
    script, here, environment = at_the_shell(device, tmp_path, "bash")
    result = subprocess.run(
        ["bash", "--norc", "-c", AT_TAB, "bash", str(script), word], cwd=here, env=environment, timeout=60,
        capture_output=True, text=True)
    assert not list(here.iterdir()), f"a name was evaluated: {list(here.iterdir())}"
    return result.stdout.splitlines()


def test_a_name_from_the_server_is_never_evaluated(device, tmp_path):
    for name in HOSTILE:
        device.run("mkdir", "/" + name)
    assert sorted(complete(device, tmp_path, "/")) == sorted(f"/{name}/" for name in HOSTILE)
    assert complete(device, tmp_path, "/it") == ["/it's \"q\"/"]


def test_files_are_offered_inside_their_folder(device, tmp_path):
    device.run("mkdir", "/docs")
    device.run("put", "-", "/docs/report one.txt", stdin=b"1")
    assert complete(device, tmp_path, "/do") == ["/docs/"]
    assert complete(device, tmp_path, "/docs/rep") == ["/docs/report one.txt"]
    assert complete(device, tmp_path, "/nowhere/") == []


def test_nobody_signed_in_means_nothing_to_offer(new_device, tmp_path):
    assert complete(new_device("stranger"), tmp_path, "/") in ([], ["/"])


# How each shell is started without anybody's settings, and told of the script.
SHELLS = {
    "fish": (["--no-config", "-i"], "source {script}"),
    "zsh": (["-f", "-i"], "PS1=; fpath=({folder} $fpath); autoload -U compinit; compinit -D -u"),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("shell", SHELLS)
def test_what_tab_inserts_is_only_a_name(device, tmp_path, shell, name):
    """At a terminal: Tab, then Enter, and the line that was made by it means the folder and nothing else."""
    arguments, setting = SHELLS[shell]
    program = shutil.which(shell) or missing(shell, f"{shell} is not installed (make setup installs it)")
    script, here, environment = at_the_shell(device, tmp_path, shell)
    device.run("mkdir", "/" + name)
    device.run("put", "-", f"/{name}/found", stdin=b"1")
    functions = tmp_path / "functions"
    functions.mkdir()
    shutil.copy(script, functions / "_bothy")
    keyboard = Terminal([program, *arguments], here, {**environment, "HOME": str(tmp_path), "TERM": "dumb"})
    try:
        keyboard.type(f"{setting.format(script=script, folder=functions)}; echo rea''dy\n")
        keyboard.until("ready")
        keyboard.type("bothy ls /\t")
        keyboard.type("\necho en''ded\n")
        said = keyboard.until("ended")
    finally:
        keyboard.close()
    assert not list(here.iterdir()), f"a name was evaluated: {list(here.iterdir())}"
    assert "found" in said, said


class Terminal:
    """A program at a terminal of its own."""

    def __init__(self, command, folder, environment):
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execve(command[0], command, environment)
        self.said = ""

    def type(self, keys):
        os.write(self.master, keys.encode())

    def until(self, word, seconds=60):
        """Everything that was said since the last time, up to the word."""
        end = time.monotonic() + seconds
        while word not in self.said:
            ready, _, _ = select.select([self.master], [], [], max(0, end - time.monotonic()))
            assert ready, f"“{word}” was not said: {self.said!r}"
            self.said += os.read(self.master, 65536).decode(errors="replace")
        said, self.said = self.said, ""
        return said

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.master)
