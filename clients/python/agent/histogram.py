"""Latencies as counts: the indexes of conformance/AGENT.md, three significant digits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

_MOST_NS = 2**42 - 1


def index_of(ns: int) -> int:
    """Return the index that counts a latency."""
    ns = min(max(ns, 0), _MOST_NS)
    if ns < 2048:
        return ns
    shift = ns.bit_length() - 11
    return shift * 1024 + (ns >> shift)


def value_of(index: int) -> int:
    """Return the largest latency that an index counts, in nanoseconds."""
    if index < 2048:
        return index
    shift = index // 1024 - 1
    return ((index - shift * 1024 + 1) << shift) - 1


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
