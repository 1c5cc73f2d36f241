"""Histograms of latencies with three significant digits. conformance/AGENT.md defines the indexes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import Any

_MOST_NS = 2**42 - 1


def index_of(ns: int) -> int:
    """Return the histogram index to which a latency belongs."""
    ns = min(max(ns, 0), _MOST_NS)
    if ns < 2048:
        return ns
    shift = ns.bit_length() - 11
    return shift * 1024 + (ns >> shift)


def value_of(index: int) -> int:
    """Return the largest latency that belongs to an index, in nanoseconds."""
    if index < 2048:
        return index
    shift = index // 1024 - 1
    return ((index - shift * 1024 + 1) << shift) - 1


def bucket_of(index: int) -> int:
    """Return the coarse bucket of an index.

    Bucket b starts at 2^(b / 4) µs. All latencies up to 1 µs are in bucket 0.
    """
    us = value_of(index) / 1_000
    return 0 if us <= 1 else math.floor(math.log2(us) * 4)


def cells(latencies_ns: Iterable[int]) -> list[list[int]]:
    """Return the number of latencies in each coarse bucket."""
    counts: Counter[int] = Counter()
    for index, count in Counter(map(index_of, latencies_ns)).items():
        counts[bucket_of(index)] += count
    return [[bucket, counts[bucket]] for bucket in sorted(counts)]


def histogram(latencies_ns: Iterable[int]) -> dict[str, Any]:
    """Return the sparse histogram of latencies."""
    latencies = list(latencies_ns)
    counts = Counter(map(index_of, latencies))
    return {
        "unit": "ns",
        "counts": [[index, counts[index]] for index in sorted(counts)],
        "maxNs": max(latencies, default=0),
        "sumNs": sum(latencies),
    }
