"""A clock that includes the time during which the machine is suspended."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder_cache._internal.near.near_clock import ElapsedClock, boot_clock

_STEPS = st.lists(st.tuples(st.floats(0, 100), st.floats(-1e6, 1e6)), max_size=30)


class _Set:
    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now


@given(_STEPS)
def test_elapsed_clock_follows_the_faster_clock_and_never_decreases(steps: list[tuple[float, float]]) -> None:
    monotonic, wall = _Set(), _Set()
    clock = ElapsedClock(monotonic, wall)
    before = expected = 0.0
    for slept_not, people in steps:
        monotonic.now += slept_not
        wall.now += people
        now = clock.now()
        expected += max(slept_not, people)
        assert now >= before and abs(now - expected) < 1e-3
        before = now


def test_elapsed_clock_includes_sleep_measured_only_by_the_wall_clock() -> None:
    monotonic, wall = _Set(), _Set()
    clock = ElapsedClock(monotonic, wall)
    wall.now += 8 * 3_600
    assert clock.now() == 8 * 3_600
    wall.now -= 8 * 3_600
    monotonic.now += 1
    assert clock.now() == 8 * 3_600 + 1, "set back, it gives no time back"


def test_boot_clock_falls_back_to_elapsed_clock_without_system_support(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = boot_clock()
    assert 0 <= clock() <= clock()

    def refused(_: int) -> float:
        raise OSError("no such clock")

    monkeypatch.setattr(time, "CLOCK_BOOTTIME", 7, raising=False)
    monkeypatch.setattr(time, "clock_gettime", refused)
    assert isinstance(getattr(boot_clock(), "__self__"), ElapsedClock)
    monkeypatch.delattr(time, "CLOCK_BOOTTIME")
    assert isinstance(getattr(boot_clock(), "__self__"), ElapsedClock)
