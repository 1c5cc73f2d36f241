"""Decides how long `get_or_set` stores a value and how it uses a stale value (GOC-4, 5, 7, 12, 14).

The functions are pure and read no clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Use(Enum):
    """How to use a stale value."""

    # Return the value, either as a hit or as a stale value.
    HIT = "hit"
    STALE = "stale"
    # Do not return the stale value. With `LOAD`, this caller loads a new value. With `WAIT`, another caller has the
    # lease, so this caller waits for the value of the other caller.
    LOAD = "load"
    WAIT = "wait"


@dataclass(frozen=True, slots=True)
class Reading:
    """How to use a value.

    `refresh`: whether to reload the value in the background. `fallback`: whether to use the value if the factory
    raises.
    """

    use: Use
    refresh: bool = False
    fallback: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpiryPolicy:
    """The times of one `get_or_set` in milliseconds. `jitter` is a fraction from 0 to 1."""

    ttl_ms: int
    refresh_ahead_ms: int = 0
    revalidate_ms: int = 0
    fail_safe_ms: int = 0
    jitter: float = 0

    @property
    def fits(self) -> bool:
        """Whether the refresh-ahead time is at most half the time to live."""
        return self.refresh_ahead_ms * 2 <= self.ttl_ms

    def stored(self, draw: float, made_ttl_ms: int | None = None) -> tuple[int, int]:
        """Return the time to live and the stale time with which to store a loaded value.

        Args:
            draw: A random number from 0 to 1.
            made_ttl_ms: The value's own time to live. None selects the time to live of the call.
        """
        whole_ms = self.ttl_ms if made_ttl_ms is None else made_ttl_ms
        ahead_ms = min(self.refresh_ahead_ms, whole_ms // 2)
        return self._jittered(whole_ms - ahead_ms, draw), ahead_ms + max(self.revalidate_ms, self.fail_safe_ms)

    def plain(self, draw: float, made_ttl_ms: int | None = None) -> int:
        """Return the time to live for a server without leases, which does not support a stale time."""
        return self._jittered(self.ttl_ms if made_ttl_ms is None else made_ttl_ms, draw)

    def read(self, expired_ms: int, *, leased: bool) -> Reading:
        """Return how to use a value that expired `expired_ms` ago.

        `leased`: whether this caller has the lease of the value.
        """
        # `stored` shortens the time to live by the refresh-ahead time and lengthens the stale time by it. During that
        # part of the stale time, the value is still fresh for the caller.
        late_ms = expired_ms - self.refresh_ahead_ms
        if late_ms < 0:
            return Reading(Use.HIT, refresh=leased)
        if late_ms < self.revalidate_ms:
            return Reading(Use.STALE, refresh=leased)
        return Reading(Use.LOAD, fallback=self.falls_back(expired_ms)) if leased else Reading(Use.WAIT)

    def falls_back(self, expired_ms: int) -> bool:
        """Return whether a value that expired `expired_ms` ago may be returned if a load fails or is slow."""
        return expired_ms - self.refresh_ahead_ms < self.fail_safe_ms

    def _jittered(self, ttl_ms: int, draw: float) -> int:
        return max(1, int(ttl_ms * (1 - self.jitter * draw)))
