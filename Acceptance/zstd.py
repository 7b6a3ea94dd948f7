"""Zstandard frames taken apart by the system's own library, as any client would."""

import ctypes

_library = ctypes.CDLL("libzstd.so.1")
_library.ZSTD_decompress.restype = ctypes.c_size_t


def unpacked(frames, most=64 << 20):
    """What frames hold that stand one after the other."""
    space = ctypes.create_string_buffer(most)
    count = _library.ZSTD_decompress(space, ctypes.c_size_t(most), frames, ctypes.c_size_t(len(frames)))
    assert not _library.ZSTD_isError(ctypes.c_size_t(count)), "no Zstandard frames, or more than was expected"
    return space.raw[:count]
