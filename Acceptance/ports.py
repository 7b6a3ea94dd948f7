"""Ports that stay a test's own: whoever stops listening for a moment finds its port free again.

Those that the system gives out are anybody's as soon as nobody listens there: of another test's server, and of every connection
that any program opens. These lie below them, and each worker of a run has its own."""

import itertools
import os
import random
import socket

LOWEST, HIGHEST = 12_000, 32_000
WORKERS = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
#: Another run on this machine begins elsewhere.
numbers = itertools.count(random.SystemRandom().randrange(HIGHEST))


def own_port():
    for number in itertools.islice(numbers, 100):
        port = LOWEST + number % ((HIGHEST - LOWEST) // WORKERS) * WORKERS + WORKER
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:  # somebody else's
                continue
    raise AssertionError(f"of a hundred ports between {LOWEST} and {HIGHEST} none is free")
