#!/usr/bin/env python3
"""Measures Bothy side by side with its peers, prints tables, writes JSON. `make bench` runs it; see README.md."""

import argparse
import dataclasses
import json
import mmap
import os
import platform
import shutil
import subprocess
import sys
import time
from pathlib import Path

from figures import (
    Bench, Table, browser, edits, everyday, feed, folders, listing, memory, pages, reading, requests, scrolling, search, start, streams, taps, transfers, trees)
from peers import everyone
from processes import ROOT, program

FIGURES = {"transfers": transfers, "trees": trees, "memory": memory, "requests": requests, "start": start, "streams": streams,
           "folders": folders, "listing": listing, "edits": edits, "everyday": everyday, "browser": browser, "taps": taps, "scrolling": scrolling,
           "pages": pages, "search": search, "feed": feed, "reading": reading}


def main() -> None:
    options = _options()
    options.data.mkdir(parents=True, exist_ok=True)
    bench = Bench(options.data.resolve(), everyone(options.bothy), options.repeats, options.shrink)
    machine = _machine(bench)
    print("\n".join(f"{name}: {value}" for name, value in machine.items()), flush=True)
    tables = []
    try:
        for name in options.only or FIGURES:
            for table in FIGURES[name].measure(bench):
                tables.append(table)
                print("\n" + _markdown(table), flush=True)
    finally:
        bench.sweep()
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(
        {"machine": machine, "tables": [dataclasses.asdict(table) for table in tables]}, indent=2, ensure_ascii=False))
    print(f"\nwritten to {options.json}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bothy", type=Path, default=ROOT / ".build/release/bothy", help="the release binary")
    parser.add_argument("--data", type=Path, default=Path("/var/tmp/bothy-bench"), help="where everyone keeps data")
    parser.add_argument("--json", type=Path, default=ROOT / "Benchmarks/results/latest.json")
    parser.add_argument("--only", nargs="+", choices=FIGURES, help="some of the figures")
    parser.add_argument("--repeats", type=int, default=3, help="runs of each transfer; the median counts")
    parser.add_argument("--shrink", type=int, default=1, help="divide sizes and counts, for a quick look")
    options = parser.parse_args()
    options.bothy = options.bothy.resolve()
    return options


def _machine(bench: Bench) -> dict:
    cpu = next((line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                if line.startswith("model name")), platform.machine())
    memory_kib = int(Path("/proc/meminfo").read_text().split()[1])
    mount = subprocess.run(["df", "--output=source,fstype", bench.folder], capture_output=True, text=True).stdout
    return {
        "when": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
        "machine": f"{os.cpu_count()} cores ({cpu}), {memory_kib / (1 << 20):.0f} GiB, Linux {platform.release()}",
        "disk": f"{' '.join(mount.splitlines()[-1].split())} at {bench.folder}",
        "first touch of memory": _first_touch(),
        "load before": " ".join(f"{value:.2f}" for value in os.getloadavg()),
        "fsyncs a second": _fsyncs(bench.folder),
        "sequential write": _sequential(bench.folder),
        "peers": ", ".join(_versions()),
    }


def _first_touch() -> str:
    """A virtual machine has its memory from its host page by page, as each is touched first, at up to some seconds a GiB. Whoever is measured first would
    pay that for all, in the copy into the page cache: so the memory that files will lie in is touched before."""
    available = next(int(line.split()[1]) << 10 for line in Path("/proc/meminfo").read_text().splitlines() if line.startswith("MemAvailable"))
    size, page, started = min(available * 3 // 4, 16 << 30), b"\1" * (4 << 20), time.monotonic()
    with mmap.mmap(-1, size) as memory:
        for place in range(0, size - len(page), len(page)):
            memory[place:place + len(page)] = page
    seconds = time.monotonic() - started
    return f"{size / (1 << 30):.0f} GiB in {seconds:.0f} s, {seconds / (size / (1 << 30)):.1f} s a GiB"


def _fsyncs(folder: Path) -> str:
    """What the disk does without group commit: 4 KiB appended and synced, over and over."""
    path, count, started = folder / "fsync-probe", 0, time.monotonic()
    with path.open("wb", buffering=0) as file:
        while time.monotonic() - started < 1:
            file.write(bytes(4096))
            os.fdatasync(file.fileno())
            count += 1
    path.unlink()
    return str(count)


def _sequential(folder: Path) -> str:
    path, size, started = folder / "write-probe", 512 << 20, time.monotonic()
    with path.open("wb", buffering=0) as file:
        for _ in range(size >> 20):
            file.write(bytes(1 << 20))
        os.fdatasync(file.fileno())
    seconds = time.monotonic() - started
    path.unlink()
    return f"{(size >> 20) / seconds:.0f} MiB/s with fdatasync"


def _versions() -> list[str]:
    found = []
    for name, flag in (("nginx", "-v"), ("curl", "--version"), ("rsync", "--version"), ("copyparty", "--version"),
                       ("rclone", "version"), ("syncthing", "--version"), ("zsync", "-V"), ("rdiff", "--version"), ("casync", "--version"),
                       ("borg", "--version"), ("restic", "version")):
        if not program(name):
            found.append(f"no {name}")
            continue
        done = subprocess.run([name, flag], capture_output=True, text=True)
        lines = [line for line in (done.stdout + done.stderr).splitlines() if name in line.lower()]
        words = lines[0].split() if lines else [name]
        number = next((word for word in words if any(character.isdigit() for character in word)), "")
        found.append(f"{name} {number.removeprefix('nginx/').removeprefix('v').rstrip(')')}")
    return found


def _markdown(table: Table) -> str:
    columns = list(dict.fromkeys(column for row in table.rows for column in row.values))
    header = [f"{table.figure}: {table.title}", *columns, ""]
    lines = [header, ["---"] * len(header)]
    for row in table.rows:
        lines.append([row.peer, *(str(row.values.get(column, "–")) for column in columns), row.note])
    words = ["| " + " | ".join(line) + " |" for line in lines]
    return "\n".join([*words, "", *(f"- {verdict}" for verdict in table.verdicts)])


if __name__ == "__main__":
    if shutil.which("python3") and sys.version_info < (3, 10):
        sys.exit("bench: Python 3.10 or newer is needed")
    main()
