"""Replaces connections of one event loop that may have been lost without a reset."""

from __future__ import annotations

import asyncio
import time
import weakref
from collections.abc import Callable, Iterable
from typing import Protocol

from larder_cache._internal.common.detached import detached
from larder_cache._internal.operations.call import Call
from larder_cache._internal.transport.clock_gap import TICK_S, ClockGap

# If a call ends without a response, its connection is suspect if it received nothing for this long after a request was
# sent. So calls with a deadline of a few milliseconds do not replace a slow server's connection at each timeout, and at
# most four connections a second are opened for this reason (RETRY-7).
SILENCE_S = 0.25


class Replaceable(Protocol):
    """A transport."""

    def replace_idle(self, name: str = "") -> None:
        """Replace connections on which no call is awaited. `name`: that of one of several servers; "": all."""


class StaleConnections:
    """Checks the clock once a second. Replaces idle connections after a gap, or after another connection was silent."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        transports: Callable[[], Iterable[Replaceable | None]],
        *,
        monotonic: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """`transports`: returns the current ones.

        `monotonic`, `wall`: the clocks. The defaults are bound when this module is imported, so later replacements have
        no effect.
        """
        self._loop = loop
        self._transports = transports
        self._monotonic = monotonic
        self._wall = wall
        self._gap = ClockGap()
        self._gap_at = -1.0
        self._timer: asyncio.TimerHandle | None = None
        self._is_stopped = False
        # Called when connections may be lost: after a gap, and after silence.
        self.on_doubt: Callable[[], None] = lambda: None

    def look(self) -> None:
        """Check the clock now and then once a second. Must run on the event loop."""
        if self._is_stopped:
            return
        now = self._monotonic()
        if self._gap.look(now, self._wall()):
            self._gap_at = now
            self.doubt("")
        if self._timer is None:
            # Weak, so that the timer does not keep an unreferenced client alive.
            self._timer = detached(self._loop.call_later, TICK_S, _tick, weakref.ref(self))

    def tick(self) -> None:
        """Check the clock because a second has passed."""
        self._timer = None
        self.look()

    def silent(self, call: Call) -> None:
        """Record that a call ended without a response on a silent connection: others to that server may be lost too."""
        self.doubt(getattr(getattr(call, "gateway", None), "name", ""))

    def doubt(self, name: str) -> None:
        """Replace idle connections, and notify the listener."""
        self.replace_idle(name)
        self.on_doubt()

    def replace_idle(self, name: str) -> None:
        """Replace the idle connections to the server with this name; "": to all servers."""
        for each in self._transports():
            if each is not None:
                each.replace_idle(name)

    def gap_since(self, monotonic_s: float) -> bool:
        """Return whether there was a gap since that time, or is one now. Thread-safe."""
        return self._gap_at > monotonic_s or self._gap.is_open(self._monotonic(), self._wall())

    def stop(self) -> None:
        """Stop checking."""
        self._is_stopped = True
        if self._timer is not None:
            self._timer.cancel()


def _tick(of: Callable[[], StaleConnections | None]) -> None:
    stale = of()
    if stale is not None:
        stale.tick()
