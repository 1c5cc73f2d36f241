"""What one event loop does about connections that may have been lost without a reset."""

from __future__ import annotations

import asyncio
import time
import weakref
from collections.abc import Callable, Iterable
from typing import Protocol

from larder_cache._internal.common.detached import detached
from larder_cache._internal.operations.call import Call
from larder_cache._internal.transport.clock_gap import TICK_S, ClockGap

# A call that ends without an answer makes its connection suspect if the connection has received nothing for so long,
# though a request was sent. So calls with a deadline of a few milliseconds do not replace the connection to a slow
# server at each timeout, and no more than four connections a second are opened for this reason (RETRY-7).
SILENCE_S = 0.25


class Replaceable(Protocol):
    """A transport."""

    def replace_idle(self, name: str = "") -> None:
        """Replace connections on which no call is awaited. `name`: the server's, one of several; "": of all."""


class StaleConnections:
    """Looks at the clock once a second, and has idle connections replaced after a gap, or after another's silence."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        transports: Callable[[], Iterable[Replaceable | None]],
        *,
        monotonic: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """`transports`: those of now.

        `monotonic`, `wall`: the clocks. The defaults are those of this module's import, whatever replaces them later.
        """
        self._loop = loop
        self._transports = transports
        self._monotonic = monotonic
        self._wall = wall
        self._gap = ClockGap()
        self._gap_at = -1.0
        self._timer: asyncio.TimerHandle | None = None
        self._is_stopped = False
        # Called when connections may be gone: after a gap, and after silence.
        self.on_doubt: Callable[[], None] = lambda: None

    def look(self) -> None:
        """Look at the clock, now and then once a second. On the event loop."""
        if self._is_stopped:
            return
        now = self._monotonic()
        if self._gap.look(now, self._wall()):
            self._gap_at = now
            self.doubt("")
        if self._timer is None:
            # Weak: the timer of a client that nobody holds does not keep it.
            self._timer = detached(self._loop.call_later, TICK_S, _tick, weakref.ref(self))

    def tick(self) -> None:
        """Look at the clock because a second has passed."""
        self._timer = None
        self.look()

    def silent(self, call: Call) -> None:
        """A call ended without an answer, and its connection received nothing: others to that server may be gone."""
        self.doubt(getattr(getattr(call, "gateway", None), "name", ""))

    def doubt(self, name: str) -> None:
        """As `replace_idle`, and tell who listens."""
        self.replace_idle(name)
        self.on_doubt()

    def replace_idle(self, name: str) -> None:
        """Replace the idle connections to the server of this name, one of several; "": to all."""
        for each in self._transports():
            if each is not None:
                each.replace_idle(name)

    def gap_since(self, monotonic_s: float) -> bool:
        """Return whether there was a gap since that moment, or is one now. From any thread."""
        return self._gap_at > monotonic_s or self._gap.is_open(self._monotonic(), self._wall())

    def stop(self) -> None:
        """Look no more."""
        self._is_stopped = True
        if self._timer is not None:
            self._timer.cancel()


def _tick(of: Callable[[], StaleConnections | None]) -> None:
    stale = of()
    if stale is not None:
        stale.tick()
