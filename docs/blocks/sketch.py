"""What a server says that a version of a file is like (GET …/sketch): slowly, and plainly enough to write another client by.

    python3 sketch.py FILE     the fragments of a file: where each begins, its anchor, the half of its hash
"""

import struct
import sys

from split import GEAR

WORD = 2**64 - 1


def fragment_size(file_size):
    """The largest power of two whose square is at most eight times the file; 256 at the least."""
    size = 256
    while 4 * size * size <= 8 * file_size:
        size *= 2
    return size


def anchor(fragment):
    """The highest 32 bits of the gear hash of the first 64 bytes."""
    gear = 0
    for byte in fragment[:64]:
        gear = 2 * gear + GEAR[byte] & WORD
    return gear >> 32


def stirred(lane, word):
    lane = (lane ^ word) * 0x9E3779B97F4A7C15 & WORD
    return lane ^ lane >> 29


def fragment_hash(fragment):
    """Of 64 bits. Of words of eight bytes, the lowest first, every fourth goes into the same lane; fragments have a multiple of 32 bytes."""
    lanes = [len(fragment), 1, 2, 3]
    for place, (word,) in enumerate(struct.iter_unpack("<Q", fragment)):
        lanes[place % 4] = stirred(lanes[place % 4], word)
    made = stirred(lanes[0], 0)
    for lane in lanes[1:]:
        made = stirred(made, lane)
    return made


def sketch(content):
    """As it goes over the wire."""
    size = fragment_size(len(content))
    whole = [content[start:start + size] for start in range(0, len(content) - size + 1, size)]
    return struct.pack(">I", size) + b"".join(struct.pack(">II", anchor(each), fragment_hash(each) >> 32) for each in whole)


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        made = sketch(file.read())
    fragment = int.from_bytes(made[:4], "big")
    for place, (begins, hashed) in enumerate(struct.iter_unpack(">II", made[4:])):
        print(place * fragment, f"{begins:08x}", f"{hashed:08x}")
