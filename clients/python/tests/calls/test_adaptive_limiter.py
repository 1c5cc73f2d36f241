"""The adaptive limit in a client: its inputs and its visible effects."""

from __future__ import annotations

import logging

import pytest

from larder_cache._internal.calls.adaptive_limiter import AdaptiveLimiter
from larder_cache._internal.calls.in_flight_limiter import InFlightLimiter


class Caller:
    """One of the 50 simulated callers. A new caller replaces it when its call ends."""

    def __init__(self) -> None:
        self.waiting = False
        self.admitted = False

    def admit(self) -> None:
        self.admitted = True


class World:
    """Simulates 50 callers. In each round, all calls in flight end together, some time after they were sent."""

    def __init__(self) -> None:
        self.limiter = InFlightLimiter(30, 20_000)
        self.adaptive = AdaptiveLimiter(self.limiter, 0.020, 0.0)
        self.now = 0.0
        self.callers: list[Caller] = []

    def rounds(self, count: int, took_s: float, *, failed: bool = False) -> None:
        for _ in range(count):
            while len(self.callers) < 50:
                caller = Caller()
                if self.limiter.try_enter():
                    caller.admitted = True
                else:
                    assert self.limiter.enqueue(caller)
                self.callers.append(caller)
            begun, self.now = self.now, self.now + took_s
            for caller in [caller for caller in self.callers if caller.admitted]:
                self.callers.remove(caller)
                self.adaptive.ended(begun, self.now, failed=failed)
                self.limiter.leave()
            self.limiter.assert_valid()


def test_fast_responses_raise_the_limit_up_to_the_configured_maximum() -> None:
    world = World()
    assert world.limiter.limit == 16
    world.rounds(130, 0.010)
    assert world.limiter.limit == 24
    world.rounds(200, 0.010)
    assert world.limiter.limit == 30


def test_slow_responses_lower_the_limit_without_ending_running_calls() -> None:
    world = World()
    # The fast round shows the server's best response time. The slow rounds after it therefore look like queueing.
    world.rounds(1, 0.010)
    world.rounds(3, 0.040)
    assert world.limiter.limit == 12
    world.rounds(1, 0.010)
    assert world.limiter.in_flight == 12


def test_fast_errors_do_not_raise_the_limit() -> None:
    world = World()
    world.rounds(300, 0.001, failed=True)
    assert world.limiter.limit == 16


def test_unreachable_target_and_recovery_are_each_logged_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    world = World()
    with caplog.at_level(logging.INFO, "larder_cache"):
        # Every round takes the same time at any limit, so the server is slow without a queue.
        world.rounds(20, 0.100)
        assert world.adaptive.out_of_reach
        assert world.limiter.limit == 16
        world.rounds(140, 0.010)
        assert not world.adaptive.out_of_reach
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]


def test_changed_limit_admits_waiters_as_permits_become_free() -> None:
    limiter = InFlightLimiter(1, 10)
    assert limiter.try_enter()
    callers = [Caller() for _ in range(4)]
    assert all(limiter.enqueue(caller) for caller in callers)
    limiter.change_limit(3)
    assert [caller.admitted for caller in callers] == [True, True, False, False]
    limiter.change_limit(1)
    limiter.leave()
    limiter.leave()
    assert (limiter.in_flight, callers[2].admitted) == (1, False)
    limiter.leave()
    assert (limiter.in_flight, callers[2].admitted) == (1, True)
    limiter.change_limit(9)
    assert (limiter.in_flight, callers[3].admitted) == (2, True)
    limiter.assert_valid()
