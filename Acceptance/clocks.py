"""A clock that jumps while programs run: only their calendar (jumping_clock.c says how)."""

import shutil
import struct
import subprocess
from pathlib import Path

import pytest

from preconditions import missing

DAY = 86_400
YEAR = 365 * DAY


class JumpingClock:
    """The calendar of every program that runs with `environment`."""

    def __init__(self, folder):
        compiler = shutil.which("clang") or shutil.which("cc")
        if compiler is None:
            missing("compiler", "there is no C compiler here, though Swift comes with one")
        library = folder / "jumping_clock.so"
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library,
                        Path(__file__).with_name("jumping_clock.c")], check=True)
        self.control = open(folder / "clock", "w+b", buffering=0)
        self.jump(0)
        self.environment = {"LD_PRELOAD": str(library), "JUMPING_CLOCK": str(self.control.name)}

    def jump(self, seconds):
        """From now on it is this much later than it is; earlier, where negative."""
        self.control.seek(0)
        self.control.write(struct.pack("=q", seconds))

    def close(self):
        self.control.close()


@pytest.fixture
def clock(tmp_path):
    clock = JumpingClock(tmp_path)
    yield clock
    clock.close()
