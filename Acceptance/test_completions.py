"""What a shell does with names from the server when someone presses Tab: it shows them, and evaluates none."""

import os
import subprocess

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


def complete(device, tmp_path, word):
    """The names that bash inserts, each read back by a shell as it would be once Enter is pressed."""
    script = tmp_path / "bothy.bash"
    with script.open("wb") as out:
        subprocess.run([BINARY, "completion", "bash"], stdout=out, check=True)
    here = tmp_path / "here"
    here.mkdir(exist_ok=True)
    program = tmp_path / "bin" / "bothy"
    program.parent.mkdir(exist_ok=True)
    if not program.exists():
        program.symlink_to(os.path.abspath(BINARY))
    environment = {**device.environment, "PATH": f"{program.parent}:{os.environ['PATH']}"}
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
