"""Pictures and films to put, made by the programs that the server has too, and what came back measured by them."""

import json
import subprocess
import struct
import tempfile
from functools import cache
from pathlib import Path


def vips(*arguments, folder):
    return subprocess.run(["vips", *arguments], cwd=folder, check=True, capture_output=True, text=True)


@cache
def picture(ending, width=1600, height=1200):
    """Coloured noise with a bright spot, in the format that a name's ending stands for."""
    with tempfile.TemporaryDirectory() as folder:
        vips("gaussnoise", "noise.v", str(width), str(height), "--mean", "120", "--sigma", "20", "--seed", "7", folder=folder)
        vips("bandjoin", "noise.v noise.v noise.v", "colours.v", folder=folder)
        vips("cast", "colours.v", "bytes.v", "uchar", folder=folder)
        vips("copy", "bytes.v", "plain.v", "--interpretation", "srgb", folder=folder)
        vips("copy", "plain.v", f"picture.{ending}", folder=folder)
        return (Path(folder) / f"picture.{ending}").read_bytes()


@cache
def film(ending="mp4", width=1280, height=720, seconds=2):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"film.{ending}"
        codec = {"mp4": ["-c:v", "libx264", "-preset", "ultrafast"], "webm": ["-c:v", "libvpx", "-deadline", "realtime"]}
        subprocess.run(
            ["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", f"testsrc2=size={width}x{height}:rate=24",
             "-t", str(seconds), *codec[ending], path], check=True)
        return path.read_bytes()


@cache
def told_film(words, width=1920, height=1080, seconds=2):
    """With sound, and with what cameras and programs say of it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "film.mp4"
        subprocess.run(
            ["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", f"testsrc2=size={width}x{height}:rate=24",
             "-f", "lavfi", "-i", "sine=440", "-t", str(seconds), "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac",
             "-metadata", f"comment={words}", "-metadata", f"location={words}", "-metadata:s:v:0", f"title={words}", path],
            check=True)
        return path.read_bytes()


@cache
def unplayed_film(width=320, height=240, seconds=1):
    """One that no browser plays."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "film.mkv"
        subprocess.run(
            ["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", f"testsrc2=size={width}x{height}:rate=24",
             "-t", str(seconds), "-c:v", "ffv1", path], check=True)
        return path.read_bytes()


def streams(data):
    """Of a film: codec, width and height of its pictures, and codecs of its sound."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        said = subprocess.run(
            ["ffprobe", "-v", "error", "-show_streams", "-of", "json", file.name], check=True, capture_output=True).stdout
    found = json.loads(said)["streams"]
    [seen] = [one for one in found if one["codec_type"] == "video"]
    return seen["codec_name"], seen["width"], seen["height"], [one["codec_name"] for one in found if one["codec_type"] == "audio"]


def lying(jpeg, words):
    """A JPEG that says (Exif 2.32) that its camera was held upright, and something for those who look closer."""
    words = words.encode() + b"\0"
    entries = [
        struct.pack("<HHII", 0x010E, 2, len(words), 8 + 2 + 2 * 12 + 4),  # ImageDescription
        struct.pack("<HHIHH", 0x0112, 3, 1, 6, 0),  # Orientation: turn it by 90 degrees
    ]
    tiff = b"II*\0" + struct.pack("<IH", 8, len(entries)) + b"".join(entries) + struct.pack("<I", 0) + words
    exif = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:]


def bare(jpeg):
    """A JPEG of one picture as readers of a post have it: without Exif and all else that a program wrote beside it."""
    kept, place = [jpeg[:2]], 2
    while True:
        marker, end = jpeg[place + 1], place + 2 + int.from_bytes(jpeg[place + 2:place + 4], "big")
        if marker == 0xDA:
            return b"".join(kept) + jpeg[place:]
        if not (0xE0 <= marker <= 0xEF or marker == 0xFE) or jpeg[place + 4:place + 9] == b"JFIF\0":
            kept.append(jpeg[place:end])
        place = end


def size(data):
    """Width and height of a picture, in pixels."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        told = [subprocess.run(["vipsheader", "-f", field, file.name], check=True, capture_output=True, text=True).stdout
                for field in ("width", "height")]
    return tuple(int(one) for one in told)


def is_webp(data):
    return data[:4] == b"RIFF" and data[8:12] == b"WEBP"
