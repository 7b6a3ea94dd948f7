"""Pictures and films made by hand: they say where they were taken where few look, or claim more than they hold."""

import base64
import struct

PLACE = b"GPS48.2082 E16.3738"
MIME = {"heic": "image/heic", "mp4": "video/mp4", "jp2": "image/jp2", "psd": "image/vnd.adobe.photoshop", "svg": "image/svg+xml",
        "mts": "video/mp2t", "mkv": "video/x-matroska"}


def box(kind, data):
    return struct.pack(">I", 8 + len(data)) + kind + data


def full(kind, version, data):
    return box(kind, struct.pack(">I", version << 24) + data)


HEIC = box(b"ftyp", b"heic\0\0\0\0mif1heic")
ISOM = box(b"ftyp", b"isom\0\0\0\0isom")


def heic_whose_sums_overflow():
    infe = full(b"infe", 2, struct.pack(">HH", 1, 0) + b"Exif\0")
    most = (1 << 62) - 1
    iloc = full(b"iloc", 1, bytes([0x88, 0x80]) + struct.pack(">H", 1) + struct.pack(">HHHQH", 1, 0, 0, most, 1)
                + struct.pack(">QQ", most, most))
    return HEIC + full(b"meta", 0, full(b"iinf", 0, struct.pack(">H", 1) + infe) + iloc)


def heic_of_parts_without_bytes():
    places = b"".join(
        full(b"iloc", 2, bytes([0, 0]) + struct.pack(">I", 4096)
             + b"".join(struct.pack(">IHHH", table * 4096 + item, 0, 0, 4096) for item in range(4096)))
        for table in range(4))
    return HEIC + full(b"meta", 0, places)


def track(handler, tables, heads=b""):
    hdlr = full(b"hdlr", 0, b"\0\0\0\0" + handler + b"\0" * 12 + PLACE + b"\0")
    return box(b"trak", heads + box(b"mdia", hdlr + box(b"minf", box(b"stbl", tables))))


def film_whose_tables_share_their_bytes(tracks=400):
    most = 1 << 20
    tables = (full(b"stsz", 0, struct.pack(">II", 1, most)) + full(b"stsc", 0, struct.pack(">IIII", 1, 1, 1, 1))
              + full(b"stco", 0, struct.pack(">I", most)))
    return ISOM + box(b"moov", track(b"meta", tables) * tracks + box(b"free", b"\0\0\0\1" * (most + 64)))


def film_with_a_place_between_its_samples():
    sample = b"S" * 100
    data = box(b"mdat", sample + b"\0\0\0\x80freeGPS " + PLACE + b"\0" * 40)
    tables = (full(b"stsz", 0, struct.pack(">II", 100, 1)) + full(b"stsc", 0, struct.pack(">IIII", 1, 1, 1, 1))
              + full(b"stco", 0, struct.pack(">II", 1, len(ISOM) + 8)))
    return ISOM + data + box(b"moov", full(b"mvhd", 0, b"\xe2\0\0\0" * 4 + b"\0" * 80) + track(b"vide", tables))


def film_with_subtitles():
    def element(number, data):
        return number + bytes([0x40 | len(data) >> 8, len(data) & 255]) + data

    entry = element(b"\xae", element(b"\xd7", b"\1") + element(b"\x83", b"\x11"))
    cluster = element(b"\x1f\x43\xb6\x75", element(b"\xe7", b"\0") + element(b"\xa3", b"\x81\0\0\x80" + PLACE))
    segment = element(b"\x16\x54\xae\x6b", entry) + cluster
    return element(b"\x1a\x45\xdf\xa3", element(b"\x42\x82", b"matroska")) + element(b"\x18\x53\x80\x67", segment)


def jp2():
    told = b"JpgTiffExif->JP2II*\0\x08\0\0\0\x01\0\x25\x88\x04\0" + PLACE
    return b"\0\0\0\x0cjP  \r\n\x87\n" + box(b"ftyp", b"jp2 \0\0\0\0jp2 ") + box(b"uuid", told)


def psd():
    told = b"8BIM" + struct.pack(">H", 0x0422) + b"\0\0" + struct.pack(">I", 40) + (b"MM\0*\0\0\0\x08" + PLACE).ljust(40, b"\0")
    head = b"8BPS\0\1" + b"\0" * 6 + struct.pack(">HIIHH", 3, 1, 1, 8, 3) + struct.pack(">I", 0)
    return head + struct.pack(">I", len(told)) + told + struct.pack(">I", 0) + b"\0\0" + b"\0" * 3


def svg():
    inner = base64.b64encode(b"\xff\xd8\xff\xe1\0\x20Exif\0\0II*\0" + PLACE)
    return b'<svg xmlns="http://www.w3.org/2000/svg"><image href="data:image/jpeg;base64,' + inner + b'"/></svg>'


def mts():
    mark = bytes.fromhex("17ee8c60f84d11d98cd60800200c9a66")
    return b"\0\0\0\0\x47\x40\x11\x10" + b"\xff" * 100 + mark + b"MDPM\x05" + PLACE


def heic_with_words_beside():
    properties = box(b"ipco", full(b"udes", 0, b"en\0Home " + PLACE + b"\0\0\0"))
    return HEIC + full(b"meta", 0, box(b"iprp", properties) + full(b"xml ", 0, b"<gps>" + PLACE + b"</gps>\0"))


def heic_with_a_jpeg():
    inner = b"\xff\xd8\xff\xe1\0\x20Exif\0\0II*\0" + PLACE + b"\xff\xd9"
    infe = full(b"iinf", 0, struct.pack(">H", 1) + full(b"infe", 2, struct.pack(">HH", 1, 0) + b"jpeg\0"))

    def meta(place):
        return full(b"meta", 0, infe + full(b"iloc", 0, bytes([0x44, 0]) + struct.pack(">HHHHII", 1, 1, 0, 1, place, len(inner))))

    return HEIC + meta(len(HEIC) + len(meta(0)) + 8) + box(b"mdat", inner)


#: What it is, by its name's ending.
FILES = {
    "overflow.heic": heic_whose_sums_overflow, "parts.heic": heic_of_parts_without_bytes, "words.heic": heic_with_words_beside,
    "jpeg.heic": heic_with_a_jpeg, "tables.mp4": film_whose_tables_share_their_bytes, "dash.mp4": film_with_a_place_between_its_samples,
    "drone.mkv": film_with_subtitles, "a.jp2": jp2, "a.psd": psd, "a.svg": svg, "camcorder.mts": mts,
}
