"""The HTTP/2 frames (RFC 9113) that a client writes and reads."""

from __future__ import annotations

import struct

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)

END_STREAM = ACK = 0x1
END_HEADERS = 0x4
PADDED = 0x8
PRIORITY_FLAG = 0x20

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

# The identifiers of the settings.
ENABLE_PUSH, MAX_CONCURRENT_STREAMS, INITIAL_WINDOW_SIZE, MAX_FRAME_SIZE = 2, 3, 4, 5
DEFAULT_WINDOW = 65_535
# The largest window (RFC 9113, section 6.9.1).
MAX_WINDOW = 2**31 - 1
DEFAULT_MAX_FRAME = 16_384
LARGEST_MAX_FRAME = 2**24 - 1

# The error codes.
NO_ERROR, REFUSED_STREAM, CANCEL, ENHANCE_YOUR_CALM, INADEQUATE_SECURITY = 0, 7, 8, 11, 12

_HEADER = struct.Struct(">BHBBL")


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """Return one frame."""
    length = len(payload)
    return _HEADER.pack(length >> 16, length & 0xFFFF, kind, flags, stream) + payload


def settings(values: dict[int, int]) -> bytes:
    """Return a SETTINGS frame."""
    return frame(SETTINGS, 0, 0, b"".join(struct.pack(">HL", *each) for each in values.items()))


def read_settings(payload: bytes) -> dict[int, int]:
    """Return the settings in the payload of a SETTINGS frame. A repeated setting gets its last value."""
    return {key: value for key, value in struct.iter_unpack(">HL", payload[: len(payload) // 6 * 6])}


def window_update(stream: int, increment: int) -> bytes:
    """Return a WINDOW_UPDATE frame."""
    return frame(WINDOW_UPDATE, 0, stream, increment.to_bytes(4, "big"))


def rst_stream(stream: int, code: int) -> bytes:
    """Return a RST_STREAM frame."""
    return frame(RST_STREAM, 0, stream, code.to_bytes(4, "big"))


def header_frames(block: bytes, stream: int) -> bytes:
    """Return the frames for a header block. A long block is split into frames that every server accepts."""
    if len(block) <= DEFAULT_MAX_FRAME:
        return frame(HEADERS, END_HEADERS, stream, block)
    frames = list[bytes]()
    for start in range(0, len(block), DEFAULT_MAX_FRAME):
        part = block[start : start + DEFAULT_MAX_FRAME]
        is_last = start + len(part) == len(block)
        frames.append(frame(CONTINUATION if start else HEADERS, END_HEADERS if is_last else 0, stream, part))
    return b"".join(frames)


def without_padding(payload: bytes, flags: int) -> bytes:
    """Return a DATA or HEADERS payload without its padding. Raises ValueError if the padding exceeds the payload."""
    if not flags & PADDED:
        return payload
    if not payload or payload[0] >= len(payload):
        raise ValueError("the padding is longer than its frame")
    return payload[1 : len(payload) - payload[0]]
