"""Reports a near cache's statistics to the client's metrics."""

from __future__ import annotations

from collections.abc import Callable

from larder_cache._internal.near.near_reads import NearReads
from larder_cache._internal.telemetry.telemetry import NEAR_BYTES, NEAR_COPIES, NEAR_COUNTS, GuardedMetrics, Metrics


def watch(near: NearReads, metrics: Metrics) -> None:
    """Register the counters and gauges of a near cache.

    No other metric counts near-cache hits, because a hit is not a call (NEAR-28).
    """
    guarded = GuardedMetrics(metrics)

    def figure(name: str) -> Callable[[], int]:
        return lambda: getattr(near.statistics(), name)

    for name, shown in {**NEAR_COUNTS, "copies": NEAR_COPIES, "bytes": NEAR_BYTES}.items():
        guarded.watch(shown, figure(name))
