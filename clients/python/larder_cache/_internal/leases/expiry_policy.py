"""How long a `get_or_set` keeps what is made, and what becomes of a value whose time is over (GOC-4, 5, 7, 12, 14).

Numbers alone: nothing here reads a clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Use(Enum):
    """What becomes of a stale value."""

    # It is answered as any hit, or as stale.
    HIT = "hit"
    STALE = "stale"
    # It is made before anything is answered: by who has its lease, or by another, who is waited for.
    LOAD = "load"
    WAIT = "wait"


@dataclass(frozen=True, slots=True)
class Reading:
    """`refresh`: it is made anew in the background. `fallback`: it is there for a factory that raises."""

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
        """Return the time to live and the stale time of what was made. `draw`: 0 to 1.

        `made_ttl_ms`: what its own time to live is; None: the one of the call.
        """
        whole_ms = self.ttl_ms if made_ttl_ms is None else made_ttl_ms
        ahead_ms = min(self.refresh_ahead_ms, whole_ms // 2)
        return self._jittered(whole_ms - ahead_ms, draw), ahead_ms + max(self.revalidate_ms, self.fail_safe_ms)

    def plain(self, draw: float, made_ttl_ms: int | None = None) -> int:
        """Return the time to live where nothing can be stale: with a server that has no leases."""
        return self._jittered(self.ttl_ms if made_ttl_ms is None else made_ttl_ms, draw)

    def read(self, expired_ms: int, *, leased: bool) -> Reading:
        """Return what becomes of a value that expired so long ago. `leased`: its lease came with it."""
        # Of what is stored as stale the first part is still within the whole time to live.
        late_ms = expired_ms - self.refresh_ahead_ms
        if late_ms < 0:
            return Reading(Use.HIT, refresh=leased)
        if late_ms < self.revalidate_ms:
            return Reading(Use.STALE, refresh=leased)
        return Reading(Use.LOAD, fallback=late_ms < self.fail_safe_ms) if leased else Reading(Use.WAIT)

    def _jittered(self, ttl_ms: int, draw: float) -> int:
        return max(1, int(ttl_ms * (1 - self.jitter * draw)))
