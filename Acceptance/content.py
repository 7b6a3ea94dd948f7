"""Bytes to put: made from a seed, so that a test can make them again, and never all the same."""

import hashlib
import itertools
import os
import random


def content(size, seed=1):
    return random.Random(f"{seed}/{size}").randbytes(size)


seeds = itertools.count(1)


def fresh(size):
    """Bytes that no drive of this run has yet, from whichever of its processes."""
    return content(size, seed=20_000 + next(seeds) + os.getpid() * 1_000_000)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def write_content(path, size, seed=1, piece=4 << 20):
    """Writes `size` bytes to `path` piece by piece, and returns their SHA-256."""
    digest = hashlib.sha256()
    generator = random.Random(f"{seed}/{size}")
    with open(path, "wb") as file:
        while size > 0:
            data = generator.randbytes(min(piece, size))
            digest.update(data)
            file.write(data)
            size -= len(data)
    return digest.hexdigest()


def file_sha256(path, piece=4 << 20):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while data := file.read(piece):
            digest.update(data)
    return digest.hexdigest()


def chunks(data, size=4 << 20):
    return [data[start:start + size] for start in range(0, len(data), size)] or []


def flip_a_bit(path, at=0):
    """As a disk does it: size, inode and time stay. That its inode was written now cannot be hidden from here.

    `at` counts from the end where it is below 0.
    """
    before = path.stat()
    with open(path, "r+b") as file:
        file.seek(at, os.SEEK_END if at < 0 else os.SEEK_SET)
        byte = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte[0] ^ 1]))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    after = path.stat()
    assert (after.st_ino, after.st_size, after.st_mtime_ns) == (before.st_ino, before.st_size, before.st_mtime_ns)
