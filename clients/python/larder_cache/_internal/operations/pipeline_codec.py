"""Hand-written encoders and decoders for the frequent messages in protocol/proto. They create no message objects.

Decoding a result takes 0.7 µs with a generated message and 0.3 µs with these functions. Encoding the request of a get
takes 0.3 µs.
"""

from __future__ import annotations

import functools

from larder_cache import responses as r


def varint(number: int) -> bytes:
    """Return the varint encoding of an unsigned number."""
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


# Lengths and ids below this limit are looked up instead of computed. The table has 16,384 entries of one or two bytes,
# which take about 0.6 MB.
TABLE_SIZE = 16_384
VARINT = [varint(n) for n in range(TABLE_SIZE)]


def length_prefix(length: int) -> bytes:
    """Return a length in the encoding in which it precedes a bytes field or a nested message."""
    return VARINT[length] if length < TABLE_SIZE else varint(length)


def encode_key(key: bytes) -> bytes:
    """Return a request that contains only a key: GetRequest, DeleteRequest, ItemGetTtlRequest, …"""
    n = len(key)
    return b"\x0a" + (VARINT[n] if n < TABLE_SIZE else varint(n)) + key


def read_key(request: bytes) -> bytes:
    """Return the key at the start of a request encoded by this client."""
    if request[1] < 0x80:
        first = 2
        return request[first : first + request[1]]
    length, first = read_varint(request, 1)
    return request[first : first + length]


def encode_set(key: bytes, value: bytes, ttl_ms: bytes) -> bytes:
    """Return a SetRequest. `ttl_ms`: the time to live, encoded by `encode_ttl`."""
    k, v = len(key), len(value)
    if k < TABLE_SIZE and v < TABLE_SIZE:
        return b"\x0a" + VARINT[k] + key + b"\x12" + VARINT[v] + value + ttl_ms
    return b"".join((b"\x0a", varint(k), key, b"\x12", varint(v), value, ttl_ms))


@functools.lru_cache(maxsize=1_024)
def encode_ttl(ttl_ms: int) -> bytes:
    """Return field 3 of a SetRequest.

    The results are cached, because an application uses few different times to live.
    """
    return b"\x18" + varint(ttl_ms)


def bytes_field(number: int, data: bytes) -> bytes:
    """Return an encoded bytes field. Empty bytes are also encoded."""
    return varint(number << 3 | 2) + length_prefix(len(data)) + data


def number_field(number: int, value: int) -> bytes:
    """Return an encoded number field. Zero is omitted, as in proto3.

    A negative number is encoded as its 64 bits.
    """
    return varint(number << 3) + varint(value & 0xFFFF_FFFF_FFFF_FFFF) if value else b""


def encode_items(items: list[bytes]) -> bytes:
    """Return a message with `items` as its repeated field 1."""
    return b"".join([b"\x0a" + length_prefix(len(item)) + item for item in items])


def encode_operation(number: int, cache: bytes, deadline: bytes, tag: bytes, payload: bytes) -> bytes:
    """Return one operation of a Batch. `cache` and `deadline` are encoded fields, or empty."""
    n = len(payload)
    body = b"".join(
        (
            b"\x08",
            VARINT[number] if number < TABLE_SIZE else varint(number),
            cache,
            deadline,
            tag,
            VARINT[n] if n < TABLE_SIZE else varint(n),
            payload,
        )
    )
    n = len(body)
    return b"\x0a" + (VARINT[n] if n < TABLE_SIZE else varint(n)) + body


def encode_cache(name: str) -> bytes:
    """Return the field of an Operation that contains the name of its cache."""
    name_bytes = name.encode()
    return b"\x12" + varint(len(name_bytes)) + name_bytes


def encode_deadline(milliseconds: int) -> bytes:
    """Return the field of an Operation that contains the remaining time.

    The time is at least 1 ms, because 0 would mean no deadline.
    """
    return b"\x18" + varint(min(max(milliseconds, 1), 0xFFFF_FFFF))


CANCEL_TAG = b"\x3a"
NEAR_OPEN_TAG = varint(80 << 3 | 2)
NEAR_RENEW_TAG = varint(81 << 3 | 2)
# The tag of a get, preceded by the field Operation.near.
NEAR_GET_TAG = varint(64 << 3) + b"\x01" + b"\x22"


class Malformed(Exception):
    """The bytes are not a valid message."""


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    """Return the number at `at` and the position after it.

    Raises Malformed, or IndexError if the data ends too early.
    """
    byte = data[at]
    number = byte & 0x7F
    shift = 7
    while byte > 0x7F:
        at += 1
        byte = data[at]
        number |= (byte & 0x7F) << shift
        shift += 7
        if shift > 70:
            raise Malformed("an integer has more than ten bytes")
    return number, at + 1


def read_fields(data: bytes, at: int, end: int) -> list[tuple[int, int, int, int]]:
    """Return each field as (number, wire type, first, last).

    For a varint, `first` is its value. Otherwise `first` and `last` are the start and the end of the content. Raises
    Malformed for a group.
    """
    fields: list[tuple[int, int, int, int]] = []
    while at < end:
        tag, at = read_varint(data, at)
        kind = tag & 7
        if kind == 0:
            number, at = read_varint(data, at)
            fields.append((tag >> 3, 0, number, at))
        elif kind == 2:
            length, at = read_varint(data, at)
            fields.append((tag >> 3, 2, at, at + length))
            at += length
        elif kind == 1 or kind == 5:
            width = 8 if kind == 1 else 4
            fields.append((tag >> 3, kind, at, at + width))
            at += width
        else:
            raise Malformed(f"unknown wire type {kind}")
    if at != end:
        raise Malformed("a field extends past the end of its message")
    return fields


def items(data: bytes, number: int = 1) -> list[bytes]:
    """Return the contents of a repeated bytes or message field. Raises Malformed or IndexError for invalid data."""
    found: list[bytes] = []
    at, end, wanted = 0, len(data), number << 3 | 2
    while at < end:
        tag, at = read_varint(data, at) if data[at] > 0x7F else (data[at], at + 1)
        if tag == wanted:
            length, at = read_varint(data, at) if data[at] > 0x7F else (data[at], at + 1)
            found.append(data[at : at + length])
            at += length
        elif tag & 7 == 0:
            _, at = read_varint(data, at)
        elif tag & 7 == 2:
            length, at = read_varint(data, at)
            at += length
        elif tag & 7 == 1 or tag & 7 == 5:
            at += 8 if tag & 7 == 1 else 4
        else:
            raise Malformed(f"unknown wire type {tag & 7}")
    if at != end:
        raise Malformed("a field extends past the end of its message")
    return found


def decode_get(payload: bytes) -> r.Hit | r.Miss:
    """Read a GetResponse. Raises Malformed if it is neither a hit nor a miss."""
    # Fast path: Larder's server sends 08 02 12 length value, in this order. Other encodings take the general path.
    if payload[:1] == b"\x08" and len(payload) >= 2:
        if payload[1] == 3:
            return r.MISS
        if payload[1] == 2 and len(payload) > 3 and payload[2] == 0x12:
            length, at = read_varint(payload, 3)
            if at + length == len(payload):
                return r.Hit(payload[at:])
    result, value = 0, b""
    for field, kind, first, last in read_fields(payload, 0, len(payload)):
        if field == 1 and kind == 0:
            result = first
        elif field == 2 and kind == 2:
            value = payload[first:last]
    if result == 2:
        return r.Hit(value)
    if result == 3:
        return r.MISS
    raise Malformed(f"the response of a get has the unknown result {result}")
