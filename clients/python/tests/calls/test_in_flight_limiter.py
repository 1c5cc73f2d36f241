"""The limiter alone, without I/O, with events in any order."""

# The state machines of Hypothesis 6.67 have incomplete type annotations.
# pyright: reportUnknownVariableType=false

from __future__ import annotations

from collections import deque

from hypothesis import settings, strategies
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from larder_cache._internal.calls.in_flight_limiter import InFlightLimiter


class Caller:
    def __init__(self, name: int) -> None:
        self.name = name
        self.waiting = False
        self.admitted = 0

    def admit(self) -> None:
        self.admitted += 1


def test_try_enter_succeeds_until_the_limit_is_reached() -> None:
    limiter = InFlightLimiter(2, 10)
    assert [limiter.try_enter() for _ in range(3)] == [True, True, False]
    assert limiter.in_flight == 2


def test_waiters_are_admitted_in_arrival_order() -> None:
    limiter = InFlightLimiter(1, 10)
    limiter.try_enter()
    first, second = Caller(1), Caller(2)
    assert limiter.enqueue(first) and limiter.enqueue(second)
    limiter.leave()
    assert (first.admitted, second.admitted) == (1, 0)
    limiter.leave()
    assert (first.admitted, second.admitted) == (1, 1)
    limiter.leave()
    assert limiter.in_flight == 0


def test_enqueue_returns_false_if_the_queue_is_full() -> None:
    limiter = InFlightLimiter(1, 2)
    limiter.try_enter()
    assert [limiter.enqueue(Caller(i)) for i in range(3)] == [True, True, False]


def test_withdrawn_waiter_is_not_admitted() -> None:
    limiter = InFlightLimiter(1, 10)
    limiter.try_enter()
    gone, next_one = Caller(1), Caller(2)
    limiter.enqueue(gone)
    limiter.enqueue(next_one)
    assert limiter.withdraw(gone)
    assert not limiter.withdraw(gone)
    limiter.leave()
    assert (gone.admitted, next_one.admitted) == (0, 1)


def test_limiter_releases_memory_of_20000_withdrawn_waiters() -> None:
    limiter = InFlightLimiter(1, 20_000)
    limiter.try_enter()
    callers = [Caller(i) for i in range(20_000)]
    for caller in callers:
        assert limiter.enqueue(caller)
    for caller in callers[1:]:
        assert limiter.withdraw(caller)
        if caller.name % 1_000 == 0:
            limiter.assert_valid()
    assert limiter.waiting() == callers[:1] and limiter.queued == 1
    limiter.leave()
    assert callers[0].admitted == 1 and limiter.queued == 0
    limiter.assert_valid()


def test_leave_admits_one_waiter_per_released_permit() -> None:
    limiter = InFlightLimiter(3, 10)
    assert all(limiter.try_enter() for _ in range(3))
    first, second = Caller(1), Caller(2)
    assert limiter.enqueue(first) and limiter.enqueue(second)
    limiter.leave(3)
    assert (first.admitted, second.admitted, limiter.in_flight) == (1, 1, 2)


def test_limiter_without_a_limit_admits_every_caller() -> None:
    limiter = InFlightLimiter(None, 1)
    assert all(limiter.try_enter() for _ in range(100_000))


class LimiterMachine(RuleBasedStateMachine):
    """Compares the limiter with a model that consists of a count and a queue."""

    callers: Bundle[Caller] = Bundle("callers")

    @initialize(limit=strategies.integers(1, 4), bound=strategies.integers(1, 5))
    def start(self, limit: int, bound: int) -> None:
        self.limiter = InFlightLimiter(limit, bound)
        self.inside = 0
        self.waiting: deque[Caller] = deque()
        self.count = 0

    @rule(target=callers)
    def arrive(self) -> Caller:
        self.count += 1
        caller = Caller(self.count)
        if self.limiter.try_enter():
            assert self.inside < (self.limiter.limit or 0) and not self.waiting
            self.inside += 1
        elif self.limiter.enqueue(caller):
            self.waiting.append(caller)
        else:
            assert len(self.waiting) == self.limiter.queue_limit
        return caller

    @rule(permits=strategies.integers(1, 4))
    def leave(self, permits: int) -> None:
        permits = min(permits, self.inside)
        # If the limit was lowered, returned permits above the limit are discarded.
        gone = min(permits, max(0, self.inside - (self.limiter.limit or 0)))
        self.inside -= gone
        permits -= gone
        admitted = [self.waiting.popleft() for _ in range(min(permits, len(self.waiting)))]
        self.limiter.leave(permits + gone)
        self.inside -= permits - len(admitted)
        assert all(caller.admitted == 1 for caller in admitted)

    @rule(limit=strategies.integers(1, 6))
    def change_limit(self, limit: int) -> None:
        admitted = [self.waiting.popleft() for _ in range(min(max(0, limit - self.inside), len(self.waiting)))]
        self.limiter.change_limit(limit)
        self.inside += len(admitted)
        assert all(caller.admitted == 1 for caller in admitted)

    @rule(caller=consumes(callers))
    def withdraw(self, caller: Caller) -> None:
        assert self.limiter.withdraw(caller) == (caller in self.waiting)
        if caller in self.waiting:
            self.waiting.remove(caller)

    @invariant()
    def agrees_with_the_model(self) -> None:
        if hasattr(self, "limiter"):
            self.limiter.assert_valid()
            assert self.limiter.in_flight == self.inside
            assert self.limiter.waiting() == list(self.waiting)
            assert all(caller.admitted == 0 for caller in self.waiting)


def test_limiter_matches_the_model_for_any_order_of_events() -> None:
    run_state_machine_as_test(LimiterMachine, settings=settings(max_examples=60, stateful_step_count=40, deadline=None))
