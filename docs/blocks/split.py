"""Cuts a file into blocks as Bothy does, version 1 of the parameters: slowly, and plainly enough to write another client by.

    python3 split.py FILE      the blocks of a file: where each begins, its bytes, its SHA-256
    python3 split.py --vectors what version-1.json has
"""

import hashlib
import json
import sys

GEAR = [int.from_bytes(hashlib.sha256(b"Bothy gear 1" + bytes([byte])).digest()[:8], "big") for byte in range(256)]
KIB = 1024


def normal_size(file_size):
    """What a block of the file has on average, more or less."""
    return 1024 * KIB if file_size >= 2 << 30 else 256 * KIB if file_size >= 512 << 20 else 64 * KIB


def cuts(content, normal):
    """The ends of the blocks of `content`."""
    minimum, maximum = normal // 4, normal * 4
    rare, frequent = 2**62 // normal, 2**62 // normal * 16
    ends, start = [], 0
    while len(content) - start > minimum:
        gear, end = 0, start + minimum
        for byte in content[end - 64:end]:
            gear = (2 * gear + GEAR[byte]) % 2**64
        while end < len(content) and end - start < maximum:
            bound = rare if end - start < normal else frequent
            gear = (2 * gear + GEAR[content[end]]) % 2**64
            end += 1
            if gear < bound:
                break
        ends.append(end)
        start = end
    return ends + [len(content)] if start < len(content) else ends


def random_bytes(seed, count):
    """SplitMix64, each number as eight bytes, the lowest first."""
    made, mask = bytearray(), 2**64 - 1
    while len(made) < count:
        seed = (seed + 0x9E3779B97F4A7C15) & mask
        mixed = ((seed ^ seed >> 30) * 0xBF58476D1CE4E5B9) & mask
        mixed = ((mixed ^ mixed >> 27) * 0x94D049BB133111EB) & mask
        made += (mixed ^ mixed >> 31).to_bytes(8, "little")
    return bytes(made[:count])


def vectors():
    cases = [(0, 0, 64), (1, 1, 64), (2, 16_384, 64), (3, 16_385, 64), (4, 1_000_000, 64), (5, 2_000_000, 64), (6, 2_500_000, 256),
             (7, 6_000_000, 1024)]
    return [{"seed": seed, "size": size, "normal": normal * KIB, "cuts": cuts(random_bytes(seed, size), normal * KIB)}
            for seed, size, normal in cases]


if __name__ == "__main__":
    if sys.argv[1] == "--vectors":
        print("[\n" + ",\n".join("  " + json.dumps(vector) for vector in vectors()) + "\n]")
    else:
        with open(sys.argv[1], "rb") as file:
            content = file.read()
        start = 0
        for end in cuts(content, normal_size(len(content))):
            print(start, end - start, hashlib.sha256(content[start:end]).hexdigest())
            start = end
