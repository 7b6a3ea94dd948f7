"""P7: what a 10 GiB transfer needs over an idle process, on both sides."""

from figures import Bench, GiB, MiB, Row, Table, random_file

#: MiB over idle that a transfer may take.
GOAL = 64


def measure(bench: Bench) -> list[Table]:
    size = 10 * GiB // bench.shrink
    table = Table("P7", f"Memory for a transfer of {size // MiB} MiB: the most over idle, MiB")
    bothy = bench.bothy
    if missing := bothy.missing():
        table.rows.append(Row(bothy.name, {}, missing))
        return [table]
    with bench.room("memory") as room:
        bothy.start(room)
        try:
            _measure(bothy, room, size, table)
        finally:
            bothy.stop()
    return [table]


def _measure(bothy, room, size: int, table: Table) -> None:
    source = random_file(room / "large.bin", size)
    idle_client = bothy.idle_client().peak_bytes
    for work in ("up", "down"):
        bothy.server.forget_peak()
        idle_server = bothy.server.resident_bytes()
        if work == "up":
            client = bothy.put(source)
            source.unlink()
        else:
            client = bothy.get("large.bin", room / "fetched.bin")
        over = {
            "client": (client.peak_bytes - idle_client) / MiB,
            "server": (bothy.server.peak_bytes() - idle_server) / MiB,
        }
        values = {f"{side} over idle": round(value, 1) for side, value in over.items()}
        values |= {"client idle": round(idle_client / MiB, 1), "server idle": round(idle_server / MiB, 1)}
        table.rows.append(Row(f"bothy, {work}", values | {"seconds": round(client.seconds, 1)}))
        for side, value in over.items():
            verdict = "holds" if value <= GOAL else "missed"
            table.verdicts.append(f"{side}, {work}: {value:.1f} MiB against {GOAL} — {verdict}")
