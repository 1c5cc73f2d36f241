"""The bound on requests in flight: one per client and transport, first come first served."""

from __future__ import annotations

from collections import OrderedDict
from typing import Protocol


class Waiter(Protocol):
    """Something that waits for a permit."""

    def admit(self) -> None:
        """Take the permit. Called once, unless the waiter withdrew; must neither raise nor leave at once."""


class InFlightLimiter:
    """At most `limit` permits out at once (None: no bound) and at most `queue_limit` waiters, in order of arrival.

    Pure state: it knows no clock, no event loop and no network. Whoever holds a permit calls `leave` exactly once; a
    waiter whose deadline passes or whose caller gives up calls `withdraw`. All on one thread.
    """

    __slots__ = ("limit", "queue_limit", "in_flight", "_waiting", "_bound")

    def __init__(self, limit: int | None, queue_limit: int) -> None:
        self.limit = limit
        self.queue_limit = queue_limit
        self.in_flight = 0
        self._bound = float("inf") if limit is None else limit
        # Ordered, with removal anywhere at constant cost: withdrawing one of 20,000 must not walk them.
        self._waiting: OrderedDict[Waiter, None] = OrderedDict()

    @property
    def queued(self) -> int:
        """Waiters now."""
        return len(self._waiting)

    def try_enter(self) -> bool:
        """Take a permit if one is free and nobody waits."""
        if self.in_flight < self._bound and not self._waiting:
            self.in_flight += 1
            return True
        return False

    def enqueue(self, waiter: Waiter) -> bool:
        """Wait behind those already waiting. False: the queue is full and the waiter was not taken."""
        if len(self._waiting) >= self.queue_limit:
            return False
        self._waiting[waiter] = None
        return True

    def withdraw(self, waiter: Waiter) -> bool:
        """Stop waiting. False: the waiter was not waiting (it was admitted, or never queued)."""
        if waiter in self._waiting:
            del self._waiting[waiter]
            return True
        return False

    def leave(self) -> None:
        """Give a permit back: to the first waiter if there is one."""
        if self._waiting:
            self._waiting.popitem(last=False)[0].admit()
        else:
            self.in_flight -= 1

    def waiting(self) -> list[Waiter]:
        """The waiters, first come first."""
        return list(self._waiting)

    def assert_valid(self) -> None:
        """Walk the invariants. Raises AssertionError."""
        assert 0 <= self.in_flight <= self._bound, f"{self.in_flight} of {self._bound} in flight"
        assert len(self._waiting) <= self.queue_limit
        assert not self._waiting or self.in_flight == self._bound, "a free permit while somebody waits"
