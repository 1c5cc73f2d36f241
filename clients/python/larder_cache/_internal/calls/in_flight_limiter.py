"""The bound on requests in flight: one per client and transport, first come first served."""

from __future__ import annotations

from collections import deque
from typing import Protocol

# Waiters that withdrew stay in the queue, as marks, until they are this part of it: a withdrawal then costs the same
# however many wait, and an admission less than by an ordered dictionary (bench.compare --callers 5000).
_MOST_WITHDRAWN = 1 / 2
# Below this many marks the queue is not worth tidying.
_LEAST_WITHDRAWN = 64


class Waiter(Protocol):
    """Something that waits for a permit."""

    # Whether it is in a queue. The limiter's own: false where it is new.
    waiting: bool

    def admit(self) -> None:
        """Take the permit. Called once, unless the waiter withdrew; must neither raise nor leave at once."""


class InFlightLimiter:
    """At most `limit` permits out at once (None: no bound) and at most `queue_limit` waiters, in order of arrival.

    Pure state: it knows no clock, no event loop and no network. Each permit is given back exactly once, by `leave`; a
    waiter whose deadline passes or whose caller gives up calls `withdraw`. All on one thread.
    """

    __slots__ = ("limit", "queue_limit", "in_flight", "_queue", "_withdrawn", "_bound")

    def __init__(self, limit: int | None, queue_limit: int) -> None:
        self.limit = limit
        self.queue_limit = queue_limit
        self.in_flight = 0
        self._bound = float("inf") if limit is None else limit
        self._queue: deque[Waiter] = deque()
        self._withdrawn = 0

    @property
    def queued(self) -> int:
        """Waiters now."""
        return len(self._queue) - self._withdrawn

    def try_enter(self) -> bool:
        """Take a permit if one is free and nobody waits."""
        if self.in_flight < self._bound and len(self._queue) == self._withdrawn:
            self.in_flight += 1
            return True
        return False

    def enqueue(self, waiter: Waiter) -> bool:
        """Wait behind those already waiting. False: the queue is full and the waiter was not taken."""
        if len(self._queue) - self._withdrawn >= self.queue_limit:
            return False
        waiter.waiting = True
        self._queue.append(waiter)
        return True

    def withdraw(self, waiter: Waiter) -> bool:
        """Stop waiting. False: the waiter was not waiting (it was admitted, or never queued)."""
        if not waiter.waiting:
            return False
        waiter.waiting = False
        self._withdrawn += 1
        if self._withdrawn >= _LEAST_WITHDRAWN and self._withdrawn >= len(self._queue) * _MOST_WITHDRAWN:
            self._queue = deque(self.waiting())
            self._withdrawn = 0
        return True

    def leave(self, permits: int = 1) -> None:
        """Give permits back: to the first waiters, as far as there are any."""
        if self.in_flight > self._bound:
            # The cap was lowered meanwhile: permits past it are gone.
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
        """Change the cap. Raising it admits those who fit now; lowering it takes effect as permits come back."""
        self.limit = limit
        self._bound = float("inf") if limit is None else limit
        free = self.queued if limit is None else min(self.queued, limit - self.in_flight)
        if free > 0:
            self.in_flight += free
            self.leave(free)

    def waiting(self) -> list[Waiter]:
        """The waiters, first come first."""
        return [waiter for waiter in self._queue if waiter.waiting]

    def assert_valid(self) -> None:
        """Walk the invariants. Raises AssertionError."""
        assert self.in_flight >= 0, "more permits came back than went out"
        assert self.queued == len(self.waiting()) <= self.queue_limit
        assert self._withdrawn <= max(_LEAST_WITHDRAWN, len(self._queue) * _MOST_WITHDRAWN), "marks are tidied away"
        assert not self.queued or self.in_flight >= self._bound, "a free permit while somebody waits"
