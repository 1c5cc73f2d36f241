"""One call per key at a time; those who ask meanwhile share its outcome."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class SingleFlight(Generic[K, V]):
    """Bounded by its callers: a flight lives no longer than those who wait for it.

    A caller that is cancelled leaves; the flight goes on for the others, and is cancelled with the last of them.
    """

    def __init__(self) -> None:
        self._flights: dict[K, asyncio.Task[V]] = {}
        self._waiters: dict[K, int] = {}

    async def run(self, key: K, make: Callable[[], Awaitable[V]]) -> V:
        """Return what `make` returns, called now or already under way for the key. Raises what it raises."""
        task = self._flights.get(key)
        if task is None:
            task = self._flights[key] = asyncio.ensure_future(_awaited(make))
            self._waiters[key] = 0
            task.add_done_callback(lambda done: self._landed(key, done))
        self._waiters[key] += 1
        try:
            return await asyncio.shield(task)
        finally:
            if self._flights.get(key) is task:
                self._waiters[key] -= 1
                if not self._waiters[key]:
                    self._landed(key, task)
                    task.cancel()

    def _landed(self, key: K, task: asyncio.Task[V]) -> None:
        if self._flights.get(key) is task:
            del self._flights[key], self._waiters[key]
        if task.done() and not task.cancelled():
            # Retrieved here, so that a failure nobody waits for any more is not reported as lost.
            task.exception()


async def _awaited(make: Callable[[], Awaitable[V]]) -> V:
    return await make()
