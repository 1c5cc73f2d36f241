"""Times to live: valid and invalid arguments (spec TTL-1, TTL-2, TTL-3, TTL-15)."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, strategies

from larder_cache.ttl import ttl_to_ms


@pytest.mark.parametrize(
    ("ttl", "ms"),
    [
        (1, 1_000),
        (0.5, 500),
        (0.0001, 1),
        (86_400, 86_400_000),
        (31_536_000, 31_536_000_000),
        (timedelta(days=365), 31_536_000_000),
        (timedelta(minutes=1), 60_000),
        (timedelta(0, 0, 1), 1),
    ],
)
def test_ttl_in_seconds_or_timedelta_is_rounded_up_to_milliseconds(ttl: Any, ms: int) -> None:
    assert ttl_to_ms(ttl) == ms


@pytest.mark.parametrize(
    "ttl",
    [
        0,
        -1,
        0.0,
        -0.5,
        31_536_001,
        31_536_000.001,
        315_360_000,
        2**63,
        math.inf,
        math.nan,
        timedelta(0),
        timedelta(366),
    ],
)
def test_ttl_outside_its_range_is_rejected(ttl: Any) -> None:
    with pytest.raises(ValueError, match="365 days"):
        ttl_to_ms(ttl)


@pytest.mark.parametrize("ttl", ["60", None, True, b"1"])
def test_ttl_of_wrong_type_raises_type_error(ttl: Any) -> None:
    with pytest.raises(TypeError):
        ttl_to_ms(ttl)


@given(strategies.floats(0.001, 86_400))
def test_ttl_is_never_rounded_down(ttl: float) -> None:
    assert ttl <= ttl_to_ms(ttl) / 1_000 <= ttl + 0.001 + 1e-9
