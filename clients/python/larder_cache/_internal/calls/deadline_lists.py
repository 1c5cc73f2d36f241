"""Deadlines of calls with their own timeout. There is one list and one timer for each distinct timeout."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable

from larder_cache._internal.common.detached import detached
from larder_cache._internal.operations.call import Call

# Timeouts that differ by less than this time share a list. A call may therefore expire late, by at most this time.
_GRAIN_S = 0.001
# The maximum number of empty lists to keep. Most programs use a few different timeouts. A program that computes its
# timeouts may use any number of them.
_MOST_EMPTY = 64


class DeadlineLists:
    """Ends calls at their deadlines.

    Calls with equal timeouts expire in the order in which they were added, so only the first call of each list is
    watched.

    The lists do not grow without limit, because each caller removes its call when the call ends. An empty list keeps
    its timer until the timer fires, so sequential calls share the timer. If there are more than `_MOST_EMPTY` lists, a
    list is removed as soon as it is empty.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, expire: Callable[[Call], None]) -> None:
        """Create the lists.

        Args:
            loop: The event loop of the timers.
            expire: Ends a call whose deadline has passed. Called once for each call that was not removed.
        """
        self._loop = loop
        self._expire = expire
        self._lists: dict[int, OrderedDict[Call, None]] = {}
        self._timers: dict[int, asyncio.TimerHandle] = {}

    @property
    def timeouts(self) -> int:
        """The number of timeouts that currently have a list."""
        return len(self._lists)

    @property
    def watched(self) -> int:
        """The number of watched calls."""
        return sum(map(len, self._lists.values()))

    def add(self, call: Call) -> None:
        """Watch the deadline of a call."""
        grain = _grain_of(call)
        calls = self._lists.get(grain)
        if calls is None:
            calls = self._lists[grain] = OrderedDict()
            self._timers[grain] = detached(self._loop.call_at, call.deadline, self._look, grain)
        calls[call] = None

    def remove(self, call: Call) -> None:
        """Stop watching a call. Does nothing if the call is not watched."""
        calls = self._lists.get(_grain_of(call))
        if calls is not None:
            calls.pop(call, None)
            if not calls and len(self._lists) > _MOST_EMPTY:
                grain = _grain_of(call)
                self._timers.pop(grain).cancel()
                del self._lists[grain]

    def stop(self) -> None:
        """Stop watching all calls."""
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
        # The list may have been removed together with its last call.
        if self._lists.get(grain) is calls:
            del self._lists[grain], self._timers[grain]


def _grain_of(call: Call) -> int:
    return round((call.deadline - call.started) / _GRAIN_S)
