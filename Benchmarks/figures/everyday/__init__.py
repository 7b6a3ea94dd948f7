"""What people do to large files, and what is moved for it: up from the device where it was done, and down to another one."""

from figures import Bench, Row, Table
from figures.everyday.edits import EDITS
from figures.everyday.ways import NEEDS, WAYS
from processes import program

#: Of the best peer in each row.
GOAL = 1.25


def measure(bench: Bench) -> list[Table]:
    table = Table("edits", "KiB moved for one edit: up and down, all that goes over the wire both ways; of tools without a wire, what they would send")
    missing = {name for name in WAYS if not all(map(program, NEEDS.get(name, [name])))}
    totals: dict[str, float] = {}
    for name, edit in EDITS.items():
        with bench.room("everyday") as room:
            before, after = room / "before", room / "after"
            before.mkdir()
            edit(before, after, bench.shrink)
            values = {}
            for way, work in WAYS.items():
                if way not in missing:
                    (room / way).mkdir()
                    values |= work(bench, room / way, before, after)
            table.rows.append(_row(name, values))
            for key, value in values.items():
                totals[key] = totals.get(key, 0) + value
    table.rows.append(_row("together", totals))
    table.verdicts += [_verdict(row) for row in table.rows]
    table.verdicts += [f"{name} is not installed" for name in sorted(missing)]
    return [table]


def _row(name: str, values: dict) -> Row:
    """Of a few KiB, what comes after the point is worth a verdict."""
    return Row(name, {key: round(value, 1) if value < 10 else round(value) for key, value in values.items()})


def _verdict(row: Row) -> str:
    words = []
    for way in ("up", "down"):
        best = min(value for key, value in row.values.items() if key.endswith(way) and not key.startswith("bothy"))
        ours = row.values[f"bothy {way}"]
        words.append(f"{way} {ours / max(best, 0.1):.2f} × the best peer: {'holds' if ours <= max(best, 0.1) * GOAL else 'missed'}")
    return f"{row.peer}: {'; '.join(words)}"
