"""An MP4 as a camera's or a shop's program leaves it for streaming: its index and its tag lie ahead of the film.

So a longer title moves the whole film, and with it each place that the index names: the edit is at the head, and in a table of places there.
"""

import random
import struct

#: A second of film, and of the sound between: what the index names one place for.
FRAMES, SAMPLES, FRAME_RATE, SOUND_RATE = 25, 47, 25, 48_000


def mp4(size: int, title: str, seed: int = 30) -> bytes:
    """A film of about `size` bytes. With the same seed, only what follows from the title differs."""
    chance = random.Random(seed)
    frames, sounds = [], []
    while sum(map(sum, frames)) + sum(map(sum, sounds)) < size:
        frames.append([chance.randrange(5_000, 15_000) for _ in range(FRAMES)])
        sounds.append([chance.randrange(300, 400) for _ in range(SAMPLES)])
    media = chance.randbytes(sum(map(sum, frames)) + sum(map(sum, sounds)))
    kind = _box(b"ftyp", b"isom", struct.pack(">I", 512), b"isomiso2avc1mp41")

    def index(start: int) -> bytes:
        places, at = ([], []), start
        for second in zip(frames, sounds):
            for chunk, known in zip(second, places):
                known.append(at)
                at += sum(chunk)
        seconds = len(frames)
        return _box(
            b"moov", _full(b"mvhd", struct.pack(">IIII", 0, 0, 1000, seconds * 1000), bytes(80)),
            _track(1, b"vide", frames, places[0], FRAME_RATE, 1), _track(2, b"soun", sounds, places[1], SOUND_RATE, 1024), _tag(title))

    # The index is as long with any places in it as with the right ones.
    head = len(kind) + len(index(0)) + 8
    return kind + index(head) + _box(b"mdat", media)


def _track(number: int, handler: bytes, chunks: list[list[int]], places: list[int], rate: int, duration: int) -> bytes:
    """What the index says of one track: how long each sample is, and where each chunk of them lies."""
    sizes = [size for chunk in chunks for size in chunk]
    table = _box(
        b"stbl", _full(b"stsd", struct.pack(">I", 0)),
        _full(b"stts", struct.pack(">III", 1, len(sizes), duration)),
        _full(b"stsc", struct.pack(">IIII", 1, 1, len(chunks[0]), 1)),
        _full(b"stsz", struct.pack(f">II{len(sizes)}I", 0, len(sizes), *sizes)),
        _full(b"stco", struct.pack(f">I{len(places)}I", len(places), *places)))
    links = _box(b"dinf", _full(b"dref", struct.pack(">I", 1), _full(b"url ", flags=1)))
    about = _full(b"vmhd", bytes(8), flags=1) if handler == b"vide" else _full(b"smhd", bytes(4))
    return _box(
        b"trak", _full(b"tkhd", struct.pack(">IIII", 0, 0, number, 0), bytes(64), flags=3),
        _box(b"mdia", _full(b"mdhd", struct.pack(">IIIIHH", 0, 0, rate, len(sizes) * duration, 0x55C4, 0)),
             _full(b"hdlr", bytes(4), handler, bytes(13)), _box(b"minf", about, links, table)))


def _tag(title: str) -> bytes:
    """What players show, as iTunes writes it: the title, and some words that stay."""
    words = {b"\xa9nam": title, b"\xa9ART": "The family", b"\xa9day": "2026", b"\xa9too": "Lavf59.27.100"}
    items = [_box(name, _box(b"data", struct.pack(">II", 1, 0), value.encode())) for name, value in words.items()]
    handler = _full(b"hdlr", bytes(4), b"mdirappl", bytes(9))
    return _box(b"udta", _full(b"meta", handler, _box(b"ilst", *items)))


def _box(name: bytes, *content: bytes) -> bytes:
    body = b"".join(content)
    return struct.pack(">I", 8 + len(body)) + name + body


def _full(name: bytes, *content: bytes, flags: int = 0) -> bytes:
    return _box(name, struct.pack(">I", flags), *content)
