"""Replaces connections of one event loop that may have been lost without a TCP reset."""

from __future__ import annotations

import asyncio
import time
import weakref
from collections.abc import Callable, Iterable
from typing import Protocol

from larder_cache._internal.common.detached import detached
from larder_cache._internal.operations.call import Call
from larder_cache._internal.transport.clock_gap import TICK_S, ClockGap

# If a call ends without a response, its connection may be lost. It is suspected only if it received nothing for this
# long after a request was sent. Calls with a deadline of a few milliseconds therefore do not replace the connection to
# a slow server at each timeout. At most four connections a second are opened for this reason (RETRY-7).
SILENCE_S = 0.25


class Replaceable(Protocol):
    """The part of a transport that replaces connections."""

    def replace_idle(self, name: str = "") -> None:
        """Replace connections on which no call waits for a response.

        `name` selects one of several servers. An empty name selects all servers.
        """


class StaleConnections:
    """Checks the clock once a second and replaces idle connections that may be lost.

    Connections may be lost after a gap in the clock, or if another connection was silent.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        transports: Callable[[], Iterable[Replaceable | None]],
        *,
        monotonic: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """Create the object. `look` starts the checks.

        Args:
            loop: The event loop.
            transports: Returns the current transports.
            monotonic: Returns the time of a monotonic clock.
            wall: Returns the time of the wall clock.

        The default clocks are bound when this module is imported, so replacing them in the module `time` later has no
        effect.
        """
        self._loop = loop
        self._transports = transports
        self._monotonic = monotonic
        self._wall = wall
        self._gap = ClockGap()
        self._gap_at = -1.0
        self._timer: asyncio.TimerHandle | None = None
        self._is_stopped = False
        # Called when connections may be lost: after a gap, and when a connection was silent.
        self.on_doubt: Callable[[], None] = lambda: None

    def look(self) -> None:
        """Check the clock now and then once a second. Must be called on the event loop."""
        if self._is_stopped:
            return
        now = self._monotonic()
        if self._gap.look(now, self._wall()):
            self._gap_at = now
            self.doubt("")
        if self._timer is None:
            # The reference is weak, so that the timer does not keep an unused client alive.
            self._timer = detached(self._loop.call_later, TICK_S, _tick, weakref.ref(self))

    def tick(self) -> None:
        """Check the clock. Called when the timer fires."""
        self._timer = None
        self.look()

    def silent(self, call: Call) -> None:
        """Record that a call ended without a response on a silent connection.

        Other connections to the same server may also be lost.
        """
        self.doubt(getattr(getattr(call, "gateway", None), "name", ""))

    def doubt(self, name: str) -> None:
        """Replace idle connections and call `on_doubt`."""
        self.replace_idle(name)
        self.on_doubt()

    def replace_idle(self, name: str) -> None:
        """Replace the idle connections to the server with this name. An empty name selects all servers."""
        for each in self._transports():
            if each is not None:
                each.replace_idle(name)

    def gap_since(self, monotonic_s: float) -> bool:
        """Return whether there was a gap since the given time, or would be one if the clocks were read now.

        Thread-safe.
        """
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
