"""What `bothy ls` of a folder takes from local state alone, on a device that knows a million files."""

import sys

from figures import Bench, Row, Table
from processes import ROOT, run

sys.path.append(str(ROOT / "Acceptance"))

from known_files import FILES, FOLDERS, fill  # noqa: E402

#: Milliseconds.
GOAL = 50
RUNS = 21


def measure(bench: Bench) -> list[Table]:
    table = Table("ls", f"A folder of {FILES // FOLDERS:,} among {FILES:,} known files, its server away")
    bothy = bench.bothy
    if missing := bothy.missing():
        table.rows.append(Row(bothy.name, {}, missing))
        return [table]
    with bench.room("listing") as room:
        bothy.start(room)
        bothy.client("mkdir", "/docs")
        bothy.client("ls", "/docs")
        bothy.client("agent", "--stop")
        bothy.stop()
        fill(bothy.home / "replica.sqlite")
        for words, folder in (("a folder of 1,000", "/folder 77"), ("an empty folder", "/docs")):
            times = sorted(run([bothy.binary, "ls", folder], env={"BOTHY_HOME": str(bothy.home)}).seconds * 1000 for _ in range(RUNS))
            table.rows.append(Row(f"bothy, {words}", {
                "median, ms": round(times[RUNS // 2]), "best, ms": round(times[0]), "worst, ms": round(times[-1])}, "the whole command"))
    median = table.rows[0].values["median, ms"]
    table.verdicts.append(f"{median} ms against {GOAL} — {'holds' if median <= GOAL else 'missed'}")
    return [table]
