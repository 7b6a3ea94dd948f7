"""What is measured. Each figure fills its part of a `Report`."""

import os
import random
import shutil
import statistics
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from peers import Peer, Unsupported
from processes import Run

KiB, MiB, GiB = 1 << 10, 1 << 20, 1 << 30
#: Files from this size on take room that the next measurement needs.
LARGE = 64 * KiB


@dataclass
class Row:
    peer: str
    #: Column → value; a string where there is no number.
    values: dict
    note: str = ""


@dataclass
class Table:
    figure: str
    title: str
    rows: list[Row] = field(default_factory=list)
    #: The goal, whether it holds, in words.
    verdicts: list[str] = field(default_factory=list)


@dataclass
class Bench:
    """Where a run happens, and how much of it."""

    folder: Path
    peers: list[Peer]
    repeats: int = 3
    #: Sizes and counts are divided by this in a quick run.
    shrink: int = 1

    @contextmanager
    def room(self, name: str):
        """An empty folder for one measurement, set aside afterwards.

        Nothing is deleted before `sweep`: ext4 does not use the inodes of what was just deleted, for up to five minutes, and looks at each of them
        for every new file. Whoever makes 20,000 files then pays for the 20,000 of whoever was measured before.
        """
        room = self.folder / name.replace("/", "-").replace(" ", "-").replace("→", "-")
        shutil.rmtree(room, ignore_errors=True)
        room.mkdir(parents=True)
        try:
            yield room
        finally:
            self._set_aside(room)

    def _set_aside(self, room: Path) -> None:
        for path in (Path(folder) / name for folder, _, names in os.walk(room) for name in names):
            if not path.is_symlink() and path.is_file() and path.stat().st_size >= LARGE:
                os.truncate(path, 0)
        aside = self.folder / "aside"
        aside.mkdir(exist_ok=True)
        room.rename(aside / str(len(list(aside.iterdir()))))

    def sweep(self) -> None:
        """Deletes what was set aside: at the end of a run."""
        shutil.rmtree(self.folder / "aside", ignore_errors=True)

    @property
    def bothy(self):
        return self.peers[0]


def random_file(path: Path, size: int, seed: int = 1) -> Path:
    """Content that neither compresses nor repeats, the same for the same seed."""
    generator = random.Random(seed)
    with path.open("wb") as file:
        left = size
        while left:
            piece = generator.randbytes(min(left, MiB))
            file.write(piece)
            left -= len(piece)
    return path


def small_files(folder: Path, count: int, size: int = 4 * KiB, seed: int = 1) -> Path:
    """`count` files in folders of a hundred."""
    generator = random.Random(seed)
    for index in range(count):
        place = folder / f"{index // 100:03}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{index:06}.bin").write_bytes(generator.randbytes(size))
    return folder


def flat_files(folder: Path, count: int, size: int = 4 * KiB, seed: int = 2) -> Path:
    """`count` files in one folder."""
    generator = random.Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    for index in range(count):
        (folder / f"{index:06}.bin").write_bytes(generator.randbytes(size))
    return folder


def median(runs: list[Run]) -> Run:
    """The run that took the median time."""
    return sorted(runs, key=lambda one: one.seconds)[(len(runs) - 1) // 2]


def spread(runs: list[Run]) -> float:
    """How far apart the slowest and the fastest are, in parts of the median."""
    times = [one.seconds for one in runs]
    return (max(times) - min(times)) / statistics.median(times)


def percentile(figures: list[float], part: int) -> float:
    """What so many of a hundred are not above; the 99th of fewer than a hundred is the worst."""
    return sorted(figures)[min(len(figures) - 1, len(figures) * part // 100)]


def verdict(what: str, value: float, goal: float) -> str:
    return f"{what}: {value} against {goal} — {'holds' if value <= goal else 'missed'}"


def exponent(small: float, large: float, factor: float) -> float:
    """k where the cost grew as size to the power of k."""
    from math import log

    return log(large / small) / log(factor)
