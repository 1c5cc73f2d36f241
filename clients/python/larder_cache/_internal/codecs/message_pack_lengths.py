"""Checks the structure and the limits of a MessagePack value before it is decoded."""

from __future__ import annotations

from larder_cache._internal.codecs.codec import DecodingError
from larder_cache._internal.codecs.limits import Limits

# The types with a length field, by first byte. Each entry contains three numbers:
# - The size of the length field.
# - The number of extra bytes between the length and the content.
# - The number of values per unit of length: 1 for an array, 2 for a map, and 0 if the length is a number of bytes.
_LENGTHS = {
    **{0xC4: (1, 0, 0), 0xC5: (2, 0, 0), 0xC6: (4, 0, 0), 0xC7: (1, 1, 0), 0xC8: (2, 1, 0), 0xC9: (4, 1, 0)},
    **{0xD9: (1, 0, 0), 0xDA: (2, 0, 0), 0xDB: (4, 0, 0)},
    **{0xDC: (2, 0, 1), 0xDD: (4, 0, 1), 0xDE: (2, 0, 2), 0xDF: (4, 0, 2)},
}
_FIXED = {
    **{0xC0: 0, 0xC2: 0, 0xC3: 0, 0xCA: 4, 0xCB: 8, 0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8},
    **{0xD0: 1, 0xD1: 2, 0xD2: 4, 0xD3: 8, 0xD4: 2, 0xD5: 3, 0xD6: 5, 0xD7: 9, 0xD8: 17},
}


def check_lengths(payload: bytes, limits: Limits) -> None:
    """Raise DecodingError if the payload is not exactly one MessagePack value, or if the value exceeds a limit."""
    at, end, elements = 0, len(payload), 1
    # The number of values still to be read in the current array or map, and in each enclosing array or map.
    wanted, outer = 1, list[int]()
    # The number of values still to be read in all arrays and maps: the sum of `wanted` and `outer`.
    pending = 1
    while pending:
        # Each value has at least one byte. If fewer bytes are left than values, a length must be wrong.
        if pending > end - at:
            raise DecodingError("the value is not valid MessagePack: a length exceeds the payload")
        while not wanted:
            wanted = outer.pop()
        head = payload[at]
        at += 1
        wanted -= 1
        pending -= 1
        if head < 0x80 or head >= 0xE0:
            continue
        if head < 0xA0:
            items = (head & 0x0F) * (2 if head < 0x90 else 1)
        elif head < 0xC0:
            at += head & 0x1F
            continue
        elif (fixed := _FIXED.get(head)) is not None:
            at += fixed
            continue
        elif (length := _LENGTHS.get(head)) is not None:
            width, besides, each = length
            count = int.from_bytes(payload[at : at + width], "big")
            at += width + besides + (0 if each else count)
            if not each:
                continue
            items = count * each
        else:
            raise DecodingError(f"the value is not valid MessagePack: unknown type byte {head:02X}")
        # Count all announced values, although the payload may be too short to contain them.
        elements += items
        if elements > limits.max_elements:
            raise limits.too_many()
        outer.append(wanted)
        if len(outer) > limits.max_depth:
            raise limits.too_deep()
        wanted = items
        pending += items
    if at != end:
        raise DecodingError("the value is not valid MessagePack: the payload is truncated or has extra bytes")
