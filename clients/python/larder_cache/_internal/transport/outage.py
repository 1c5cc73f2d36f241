"""A time in which no connection can be made. Pure: what happened and when decide."""

from __future__ import annotations

import math

from larder_cache.errors import UNAVAILABLE, ErrorCode, Failure

# The time for which calls wait for a lost server before they fail at once: long enough for a restart (docs/faults.md
# S2: a successor listens within 1 s), short enough that an outage is not amplified.
_GRACE_S = 2.0


class Outage:
    """Since when, why, and whether calls still wait for its end (RETRY-9). Moments are in seconds, of any one clock."""

    __slots__ = ("_grace_s", "_since", "reason")

    def __init__(self, request_timeout_s: float) -> None:
        # No call waits longer than its deadline: once as much has passed, the next need not find that out again.
        self._grace_s = min(_GRACE_S, request_timeout_s)
        self._since: float | None = None
        # Why no connection could be made at the last try; once one was made, why the last one ended.
        self.reason = "not connected yet"

    @property
    def lasts(self) -> bool:
        return self._since is not None

    def past_grace(self, now: float) -> bool:
        """Whether it has lasted so long that calls no longer wait."""
        return self._since is not None and now - self._since >= self._grace_s

    def seen(self, reason: str, now: float, *, lasting: bool = False) -> bool:
        """A try failed. True: it is the first of the outage. `lasting`: waiting does not help, so no call waits."""
        self.reason = reason
        is_first = self._since is None
        if lasting:
            self._since = -math.inf
        elif is_first:
            self._since = now
        return is_first

    def over(self) -> None:
        """A connection could be made."""
        self._since = None


def out_of_reach(why: str) -> Failure:
    """What a call is told that no connection can be made for: to try again is the next probe's, not each call's."""
    return Failure(UNAVAILABLE, why, not_executed=True, code=ErrorCode.UNAVAILABLE)
