"""How long `get_or_set` keeps a value, and how it uses a stale one (GOC-4, 5, 7, 12, 14).

Pure computation: nothing here reads a clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Use(Enum):
    """How to use a stale value."""

    # Return it, as a hit or as a stale value.
    HIT = "hit"
    STALE = "stale"
    # Load a new value before anything is returned; if another caller has the lease, wait for it.
    LOAD = "load"
    WAIT = "wait"


@dataclass(frozen=True, slots=True)
class Reading:
    """How to use a value. `refresh`: reload it in the background. `fallback`: use it if the factory raises."""

    use: Use
    refresh: bool = False
    fallback: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpiryPolicy:
    """The times of one `get_or_set`, in milliseconds. `jitter`: 0 to 1."""

    ttl_ms: int
    refresh_ahead_ms: int = 0
    revalidate_ms: int = 0
    fail_safe_ms: int = 0
    jitter: float = 0

    @property
    def fits(self) -> bool:
        """Whether the refresh ahead is at most half the time to live."""
        return self.refresh_ahead_ms * 2 <= self.ttl_ms

    def stored(self, draw: float, made_ttl_ms: int | None = None) -> tuple[int, int]:
        """Return the time to live and the stale time of a loaded value. `draw`: 0 to 1.

        `made_ttl_ms`: the value's own time to live; None: the one of the call.
        """
        whole_ms = self.ttl_ms if made_ttl_ms is None else made_ttl_ms
        ahead_ms = min(self.refresh_ahead_ms, whole_ms // 2)
        return self._jittered(whole_ms - ahead_ms, draw), ahead_ms + max(self.revalidate_ms, self.fail_safe_ms)

    def plain(self, draw: float, made_ttl_ms: int | None = None) -> int:
        """Return the time to live without a stale time, for a server without leases."""
        return self._jittered(self.ttl_ms if made_ttl_ms is None else made_ttl_ms, draw)

    def read(self, expired_ms: int, *, leased: bool) -> Reading:
        """Return how to use a value that expired this long ago. `leased`: this caller has its lease."""
        # The first part of the stale time still belongs to the value's whole time to live.
        late_ms = expired_ms - self.refresh_ahead_ms
        if late_ms < 0:
            return Reading(Use.HIT, refresh=leased)
        if late_ms < self.revalidate_ms:
            return Reading(Use.STALE, refresh=leased)
        return Reading(Use.LOAD, fallback=late_ms < self.fail_safe_ms) if leased else Reading(Use.WAIT)

    def _jittered(self, ttl_ms: int, draw: float) -> int:
        return max(1, int(ttl_ms * (1 - self.jitter * draw)))
