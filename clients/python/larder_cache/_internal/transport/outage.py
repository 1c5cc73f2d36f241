"""A period without any connection. Pure: depends only on events and their times."""

from __future__ import annotations

import math

from larder_cache.errors import UNAVAILABLE, ErrorCode, Failure

# How long calls wait for a lost server before they fail at once, in seconds. Long enough for a restart (docs/faults.md
# S2: a successor listens within 1 s), short enough not to amplify an outage.
_GRACE_S = 2.0


class Outage:
    """When it started, why, and whether calls still wait for its end (RETRY-9). Times are seconds of any one clock."""

    __slots__ = ("_grace_s", "_since", "reason")

    def __init__(self, request_timeout_s: float) -> None:
        # No call waits longer than its deadline. After that time later calls need not wait to find out the same.
        self._grace_s = min(_GRACE_S, request_timeout_s)
        self._since: float | None = None
        # Why the last attempt to connect failed; after a connection, why it ended.
        self.reason = "not connected yet"

    @property
    def lasts(self) -> bool:
        return self._since is not None

    def past_grace(self, now: float) -> bool:
        """Whether it has lasted so long that calls no longer wait."""
        return self._since is not None and now - self._since >= self._grace_s

    def seen(self, reason: str, now: float, *, lasting: bool = False) -> bool:
        """Record a failed attempt. Returns True for the first one of the outage.

        `lasting`: calls do not wait, as that does not help.
        """
        self.reason = reason
        is_first = self._since is None
        if lasting:
            self._since = -math.inf
        elif is_first:
            self._since = now
        return is_first

    def over(self) -> None:
        """Record that a connection was established."""
        self._since = None


def out_of_reach(why: str) -> Failure:
    """Return the failure of calls.

    They are not retried: the next connection attempt finds out whether the server is back.
    """
    return Failure(UNAVAILABLE, why, not_executed=True, code=ErrorCode.UNAVAILABLE)
