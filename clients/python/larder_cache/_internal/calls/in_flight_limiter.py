"""The limit of requests in flight, one per client and event loop. Waiters are served in order of arrival."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Protocol

# Withdrawn waiters are marked and stay in the queue until they make up this fraction of it. A withdrawal therefore has
# constant cost, and an admission costs less than with an ordered dictionary (bench.compare --callers 5000).
_MOST_WITHDRAWN = 1 / 2
# The queue is compacted only if at least this number of its waiters have withdrawn.
_LEAST_WITHDRAWN = 64


class Waiter(Protocol):
    """A call that can wait for a permit."""

    # Whether the waiter is in a queue. Only the limiter changes this field. The initial value is False.
    waiting: bool

    def admit(self) -> None:
        """Receive the permit.

        Called once, unless the waiter withdrew. Must not raise, and must not return the permit before this method
        returns.
        """


class InFlightLimiter:
    """Grants at most `limit` permits and queues at most `queue_limit` waiters in order of arrival.

    A limit of None means unlimited.

    This class uses no clock, event loop or network. Return each permit exactly once with `leave`. Call `withdraw` for a
    waiter whose deadline passes or whose caller gives up. All calls must come from one thread.
    """

    __slots__ = ("limit", "queue_limit", "in_flight", "apart", "_queue", "_withdrawn", "_bound")

    def __init__(self, limit: int | None, queue_limit: int) -> None:
        self.limit = limit
        self.queue_limit = queue_limit
        self.in_flight = 0
        # Returns the number of calls that the client runs without this limiter, and their limit. A blocking client
        # subtracts that limit from `limit`.
        self.apart: Callable[[], tuple[int, int]] = lambda: (0, 0)
        self._bound = float("inf") if limit is None else limit
        self._queue: deque[Waiter] = deque()
        self._withdrawn = 0

    def total(self) -> tuple[int, int | None]:
        """Return the number of calls in flight and the limit of the whole client, for error messages."""
        calls, limit = self.apart()
        return self.in_flight + calls, None if self.limit is None else self.limit + limit

    @property
    def queued(self) -> int:
        """The number of waiters."""
        return len(self._queue) - self._withdrawn

    def try_enter(self) -> bool:
        """Take a permit if one is free and the queue is empty. Returns whether a permit was taken."""
        if self.in_flight < self._bound and len(self._queue) == self._withdrawn:
            self.in_flight += 1
            return True
        return False

    def enqueue(self, waiter: Waiter) -> bool:
        """Append a waiter to the queue. Returns False if the queue is full."""
        if len(self._queue) - self._withdrawn >= self.queue_limit:
            return False
        waiter.waiting = True
        self._queue.append(waiter)
        return True

    def withdraw(self, waiter: Waiter) -> bool:
        """Remove a waiter. Returns False if it was not waiting, because it was admitted or never queued."""
        if not waiter.waiting:
            return False
        waiter.waiting = False
        self._withdrawn += 1
        if self._withdrawn >= _LEAST_WITHDRAWN and self._withdrawn >= len(self._queue) * _MOST_WITHDRAWN:
            self._queue = deque(self.waiting())
            self._withdrawn = 0
        return True

    def leave(self, permits: int = 1) -> None:
        """Return permits and grant them to the first waiters."""
        if self.in_flight > self._bound:
            # If the limit was lowered, permits above the new limit are discarded.
            gone = min(permits, self.in_flight - int(self._bound))
            self.in_flight -= gone
            permits -= gone
        queue = self._queue
        while permits and queue:
            waiter = queue.popleft()
            if waiter.waiting:
                waiter.waiting = False
                permits -= 1
                waiter.admit()
            else:
                self._withdrawn -= 1
        self.in_flight -= permits

    def change_limit(self, limit: int | None) -> None:
        """Change the limit.

        A higher limit admits waiters immediately. A lower limit takes effect as permits are returned.
        """
        self.limit = limit
        self._bound = float("inf") if limit is None else limit
        free = self.queued if limit is None else min(self.queued, limit - self.in_flight)
        if free > 0:
            self.in_flight += free
            self.leave(free)

    def waiting(self) -> list[Waiter]:
        """Return the waiters in order of arrival."""
        return [waiter for waiter in self._queue if waiter.waiting]

    def assert_valid(self) -> None:
        """Check the invariants. Raises AssertionError if one is violated."""
        assert self.in_flight >= 0, "more permits returned than granted"
        assert self.queued == len(self.waiting()) <= self.queue_limit
        assert self._withdrawn <= max(
            _LEAST_WITHDRAWN, len(self._queue) * _MOST_WITHDRAWN
        ), "the queue contains too many cancelled calls"
        assert not self.queued or self.in_flight >= self._bound, "a permit is free while a call waits"
