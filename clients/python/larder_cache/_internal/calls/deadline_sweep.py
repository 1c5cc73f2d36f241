"""Deadlines with one coarse timer for all calls: a timer for each would cost more than its call."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from larder_cache._internal.common.detached import detached

# A call may end late by this part of its deadline, within 5 to 50 ms.
_PART = 1 / 50
_LEAST_S, _MOST_S = 0.005, 0.050
# The number of ticks whose lateness is kept: about two deadlines, so that the lag that delayed a call is included.
_REMEMBERED = 100


class DeadlineSweep:
    """Calls `expire(now)` every tick while it returns that calls are left. Measures how late the loop runs it."""

    def __init__(self, loop: asyncio.AbstractEventLoop, timeout_s: float, expire: Callable[[float], bool]) -> None:
        self._loop = loop
        self._tick_s = min(_MOST_S, max(_LEAST_S, timeout_s * _PART))
        self._expire = expire
        self._timer: asyncio.TimerHandle | None = None
        self.running = False
        self._lags_s: deque[float] = deque(maxlen=_REMEMBERED)

    @property
    def lag_ms(self) -> float:
        """The maximum lateness of the last ticks, in milliseconds: how long other work blocked the loop."""
        return max(self._lags_s, default=0.0) * 1_000

    def start(self) -> None:
        """Tick until no calls are left."""
        self.running = True
        due = self._loop.time() + self._tick_s
        self._timer = detached(self._loop.call_at, due, self._run, due)

    def stop(self) -> None:
        """Stop ticking."""
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
