"""Batches in parts: a message of the protocol has a bound (LIM-4), a list of keys has none (BATCH-9)."""

from __future__ import annotations

from larder_cache import pipeline_codec as codec

# The largest message that a server reads. Source: LIM-4, 10.5 MB.
MOST_BYTES = 11_010_048


def parts_of(items: list[bytes]) -> list[tuple[int, bytes]]:
    """Return requests that hold `items`, in order: how many each, and its bytes, as many as fit.

    One that does not fit has a part to itself, for the server to refuse.
    """
    parts: list[tuple[int, bytes]] = []
    first = size = 0
    for i, item in enumerate(items):
        # Its tag, its length and itself.
        length = 1 + len(codec.length_prefix(len(item))) + len(item)
        if i > first and size + length > MOST_BYTES:
            parts.append((i - first, codec.encode_items(items[first:i])))
            first, size = i, 0
        size += length
    return [*parts, (len(items) - first, codec.encode_items(items[first:]))]
