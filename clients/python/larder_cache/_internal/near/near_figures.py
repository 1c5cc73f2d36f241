"""A near cache's figures, for whatever metrics its client was given."""

from __future__ import annotations

from collections.abc import Callable

from larder_cache._internal.near.near_reads import NearReads
from larder_cache._internal.telemetry.telemetry import NEAR_BYTES, NEAR_COPIES, NEAR_COUNTS, GuardedMetrics, Metrics


def watch(near: NearReads, metrics: Metrics) -> None:
    """Show what it counts, and what it holds now. A hit is in no other figure: it is no call (NEAR-28)."""
    guarded = GuardedMetrics(metrics)

    def figure(name: str) -> Callable[[], int]:
        return lambda: getattr(near.statistics(), name)

    for name, shown in {**NEAR_COUNTS, "copies": NEAR_COPIES, "bytes": NEAR_BYTES}.items():
        guarded.watch(shown, figure(name))
