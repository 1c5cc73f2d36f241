"""Checks the deadlines of all calls with one coarse timer. One timer for each call would cost more than the call."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from larder_cache._internal.common.detached import detached

# The interval between ticks is this fraction of the deadline, but at least 5 ms and at most 50 ms. A call may end up to
# one interval late.
_PART = 1 / 50
_LEAST_S, _MOST_S = 0.005, 0.050
# The number of ticks whose lateness is kept. They cover about two deadlines and therefore include any lag that delayed
# a call.
_REMEMBERED = 100


class DeadlineSweep:
    """Calls `expire(now)` at every tick for as long as it returns True.

    It also measures how late the event loop runs the ticks.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, timeout_s: float, expire: Callable[[float], bool]) -> None:
        self._loop = loop
        self._tick_s = min(_MOST_S, max(_LEAST_S, timeout_s * _PART))
        self._expire = expire
        self._timer: asyncio.TimerHandle | None = None
        self.running = False
        self._lags_s: deque[float] = deque(maxlen=_REMEMBERED)

    @property
    def lag_ms(self) -> float:
        """The maximum lateness of the last ticks in milliseconds.

        It shows how long other work blocked the event loop.
        """
        return max(self._lags_s, default=0.0) * 1_000

    def start(self) -> None:
        """Start ticking. The ticks stop when no calls are left."""
        self.running = True
        due = self._loop.time() + self._tick_s
        self._timer = detached(self._loop.call_at, due, self._run, due)

    def stop(self) -> None:
        """Stop ticking and prevent another start."""
        self.running = True
        if self._timer is not None:
            self._timer.cancel()

    def _run(self, due: float) -> None:
        now = self._loop.time()
        self._lags_s.append(now - due)
        if self._expire(now):
            self.start()
        else:
            self.running = False
