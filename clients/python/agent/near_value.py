"""The values of a `near` run: key and version at the start, the version again at the end, and any bytes between."""

from __future__ import annotations

import struct

# The size of a value without the bytes in between: three numbers of 4 bytes each.
LEAST_BYTES = 12

_HEAD, _TAIL = struct.Struct("<ii"), struct.Struct("<i")


def near_value(key: int, version: int, size: int) -> bytes:
    """Return the value of a key's version."""
    return _HEAD.pack(key, version) + bytes(size - LEAST_BYTES) + _TAIL.pack(version)


def version_of(value: bytes, key: int) -> int:
    """Return the version of a value. Returns 0 if the value belongs to another key or its two versions differ."""
    if len(value) < LEAST_BYTES:
        return 0
    whose, version = _HEAD.unpack_from(value)
    return version if whose == key and _TAIL.unpack_from(value, len(value) - 4)[0] == version else 0
