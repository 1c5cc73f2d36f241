"""The cases of protocol/vectors/clients/adaptive-cap.json, which are common to all clients."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from larder_cache._internal.calls.adaptive_cap import AdaptiveCap, CapCounts
from larder_cache._internal.calls.adaptive_limiter import AdaptiveLimiter
from larder_cache._internal.calls.in_flight_limiter import InFlightLimiter

_VECTORS = Path(__file__).parents[4] / "protocol/vectors/clients/adaptive-cap.json"
_CASES: list[dict[str, Any]] = json.loads(_VECTORS.read_text())


class Waiting:
    def __init__(self) -> None:
        self.waiting = False

    def admit(self) -> None:
        pass


@pytest.mark.parametrize("case", _CASES, ids=lambda case: f"{case['rule']}: {case['case']}")
def test_adaptive_limit_matches_shared_test_vectors(case: dict[str, Any]) -> None:
    cap = AdaptiveCap(case["most"])
    limiter = InFlightLimiter(case["most"], 100_000)
    adaptive = AdaptiveLimiter(limiter, case["targetMs"] / 1_000, 0.0)
    for index, step in enumerate(case["steps"]):
        if "window" in step:
            cap.judge(_counts(step["window"]), step["atMs"] / 1_000)
            got = (cap.limit, cap.state.value)
        else:
            _end(adaptive, limiter, step)
            assert limiter.limit is not None
            got = (limiter.limit, adaptive.state.value)
        assert (index, *got) == (index, step["then"]["limit"], step["then"]["state"])


def _end(adaptive: AdaptiveLimiter, limiter: InFlightLimiter, step: dict[str, Any]) -> None:
    for i in range(step["calls"]):
        while step["waited"] and limiter.queued == 0:
            if not limiter.try_enter():
                limiter.enqueue(Waiting())
        # Rounded to whole microseconds, because sums of decimal fractions are inexact.
        granted = round((step["grantedMs"] + i * step["everyMs"]) * 1_000)
        adaptive.ended(granted / 1e6, (granted + round(step["tookMs"] * 1_000)) / 1e6, failed=step["failed"])


def _counts(window: dict[str, Any]) -> CapCounts:
    return CapCounts(
        calls=window["calls"],
        over=window["over"],
        waited=window["waited"],
        mean_s=window["meanMs"] / 1_000,
        least_s=window["leastMs"] / 1_000,
        span_s=window["spanMs"] / 1_000,
    )
