"""Broken and hostile files, made from whole ones by a seed: cut, with sizes that nobody has memory for, bombs, one kind that says it is another."""

import random
import struct
import zlib
from functools import cache

from pictures import film, lying, picture

PDF = (b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
       b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R>>endobj\n"
       b"4 0 obj<</Length 48>>stream\n0.9 0.3 0.2 rg 40 40 200 100 re f 0 0 1 RG\n\nendstream endobj\n"
       b"trailer<</Root 1 0 R>>\n%%EOF\n")
SVG = b"<svg xmlns='http://www.w3.org/2000/svg' xmlns:x='http://www.w3.org/1999/xlink'><image x:href='file:///etc/passwd'/></svg>"
TYPES = {"jpg": "image/jpeg", "png": "image/png", "webp": "image/webp", "gif": "image/gif", "tif": "image/tiff",
         "heic": "image/heic", "avif": "image/avif", "mp4": "video/mp4", "webm": "video/webm", "pdf": "application/pdf"}


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, colour=2, depth=8, rows=b""):
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def whole(ending):
    if ending == "pdf":
        return PDF
    if ending in ("mp4", "webm"):
        return film(ending, 320, 180, 1)
    return picture(ending, 160, 120)


def cut(dice, data, _):
    return data[: dice.randrange(12, len(data))]


def flipped(dice, data, _):
    data = bytearray(data)
    for _ in range(dice.randrange(1, 40)):
        data[dice.randrange(8, len(data))] = dice.choice((0, 1, 0x7F, 0x80, 0xFF, dice.randrange(256)))
    return bytes(data)


def torn(dice, data, _):
    """Zeros in its middle, as a disk leaves them."""
    start = dice.randrange(12, len(data))
    return data[:start] + bytes(min(len(data) - start, 4096)) + data[start + 4096:]


def doubled(dice, data, _):
    place = dice.randrange(12, len(data))
    return data[:place] + data + data[place:]


def immense(dice, data, ending):
    """Its head says sides that nobody has memory for."""
    sides = dice.choice(((65_535, 65_535), (50_000, 40_000), (1 << 30, 1 << 30), (0, 0), (1, 65_500)))
    if ending == "png":
        return png(*sides, rows=bytes(1000))
    if ending == "jpg":
        place = data.index(b"\xff\xc0") if b"\xff\xc0" in data else data.index(b"\xff\xc2")
        return data[: place + 5] + struct.pack(">HH", *(side & 0xFFFF for side in sides)) + data[place + 9:]
    if ending == "gif":
        return data[:6] + struct.pack("<HH", *(side & 0xFFFF for side in sides)) + data[10:]
    if ending in ("heic", "avif"):
        place = data.index(b"ispe") + 8
        return data[:place] + struct.pack(">II", *sides) + data[place + 8:]
    if ending == "pdf":
        return data.replace(b"0 0 300 200", b"0 0 %d %d" % sides)
    return flipped(dice, data, ending)


@cache
def nested():
    """Some hundred bytes that stand for 50 MB."""
    return zlib.compress(zlib.compress(bytes(50_000_000)), 9)


def bomb(dice, data, ending):
    """Few bytes that become many."""
    side = dice.choice((8_000, 30_000))
    if dice.random() < 0.5 or ending != "png":
        packed = nested()
        return png(400, 400).replace(b"IEND", b"IDAT")[:-8] + chunk(b"zTXt", b"words\0\0" + packed) + chunk(b"IEND", b"")
    return png(side, side, colour=0, depth=1, rows=bytes((side // 8 + 1) * min(side, 2_000)))


def polyglot(dice, data, _):
    return dice.choice((
        data + b"PK\x03\x04" + bytes(100), data[:400] + SVG + data[400:], data + b"<script>alert(1)</script>",
        b"%PDF-1.4\n" + data, b"GIF89a" + data, data[:12] + SVG, b"\xff\xd8\xff\xfe" + SVG, b"RIFF\x10\0\0\0WEBP" + SVG))


def pretending(dice, data, _):
    return dice.choice((
        SVG, b"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><svg>&b;</svg>",
        b"#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n", b"ffconcat version 1.0\nfile '/etc/passwd'\n",
        b"#!/bin/sh\nid\n", b"push graphic-context\nimage over 0,0 0,0 'https://127.0.0.1/'\n", b"", b"\0" * 5000)) + bytes([dice.randrange(256)])


def odd_colours(dice, _, ending):
    colour, depth = dice.choice(((0, 16), (3, 8), (4, 16), (6, 16), (0, 2), (5, 9), (2, 3)))
    return png(60, 40, colour, depth, bytes(dice.randrange(1, 40_000)))


def lied(dice, data, ending):
    """A JPEG whose camera says more than there is."""
    data = lying(picture("jpg", 160, 120), "x" * dice.randrange(1, 60_000))
    place = dice.randrange(4, 60)
    return data[:place] + bytes([dice.randrange(256)] * dice.randrange(1, 8)) + data[place + 4:]


WAYS = (cut, flipped, torn, doubled, immense, bomb, polyglot, pretending, odd_colours, lied)


def files(count, seed=1):
    """`count` of them: a name that says what was done, a media type, and the bytes; each kind with each way comes in turn."""
    dice, endings = random.Random(seed), list(TYPES)
    for number in range(count):
        way, ending = WAYS[number % len(WAYS)], endings[number // len(WAYS) % len(endings)]
        yield f"{number:04}-{way.__name__}.{ending}", TYPES[ending], way(dice, whole(ending), ending)
