"""Deadlines of calls' own: a list and one timer for each distinct timeout, however many calls have it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable

from larder_cache._internal.common.detached import detached
from larder_cache._internal.operations.call import Call

# Timeouts that differ by less are one list's, and end by so much late.
_GRAIN_S = 0.001
# Lists that may stay while they are empty: a program has a handful of timeouts, one that computes them has no bound.
_MOST_EMPTY = 64


class DeadlineLists:
    """Calls of one timeout pass their deadlines in the order in which they were added: only the first is watched.

    Bounded by its callers: each removes its call at its end. An empty list's timer stays until it fires, so that calls
    one after the other share it too; of more than `_MOST_EMPTY` lists one that empties goes at once.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, expire: Callable[[Call], None]) -> None:
        """`expire`: ends a call whose deadline has passed; called once for each that was not removed."""
        self._loop = loop
        self._expire = expire
        self._lists: dict[int, OrderedDict[Call, None]] = {}
        self._timers: dict[int, asyncio.TimerHandle] = {}

    @property
    def timeouts(self) -> int:
        """Timeouts that have a list now."""
        return len(self._lists)

    @property
    def watched(self) -> int:
        """Calls watched now."""
        return sum(map(len, self._lists.values()))

    def add(self, call: Call) -> None:
        """Watch a call's deadline."""
        grain = _grain_of(call)
        calls = self._lists.get(grain)
        if calls is None:
            calls = self._lists[grain] = OrderedDict()
            self._timers[grain] = detached(self._loop.call_at, call.deadline, self._look, grain)
        calls[call] = None

    def remove(self, call: Call) -> None:
        """Watch it no more. Nothing happens where it is not watched."""
        calls = self._lists.get(_grain_of(call))
        if calls is not None:
            calls.pop(call, None)
            if not calls and len(self._lists) > _MOST_EMPTY:
                grain = _grain_of(call)
                self._timers.pop(grain).cancel()
                del self._lists[grain]

    def stop(self) -> None:
        """Watch nothing more."""
        for timer in self._timers.values():
            timer.cancel()
        self._lists, self._timers = {}, {}

    def _look(self, grain: int) -> None:
        calls = self._lists[grain]
        now = self._loop.time()
        while calls:
            first = next(iter(calls))
            if first.deadline > now:
                self._timers[grain] = self._loop.call_at(first.deadline + _GRAIN_S, self._look, grain)
                return
            del calls[first]
            self._expire(first)
        # It may have gone meanwhile, with the last of its calls.
        if self._lists.get(grain) is calls:
            del self._lists[grain], self._timers[grain]


def _grain_of(call: Call) -> int:
    return round((call.deadline - call.started) / _GRAIN_S)
