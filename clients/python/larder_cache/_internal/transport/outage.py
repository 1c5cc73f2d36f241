"""A period without any connection to a server. The state depends only on events and their times."""

from __future__ import annotations

import math

from larder_cache.errors import UNAVAILABLE, ErrorCode, Failure

# How long calls wait for a lost server before they fail immediately, in seconds. The time is long enough for a restart
# (docs/faults.md S2: a successor listens within 1 s), and short enough not to amplify an outage.
_GRACE_S = 2.0


class Outage:
    """Records when an outage started and why, and decides whether calls still wait for its end (RETRY-9).

    Times are in seconds. Any clock may be used.
    """

    __slots__ = ("_grace_s", "_since", "reason")

    def __init__(self, request_timeout_s: float) -> None:
        # A call waits at most until its deadline. If one call has waited that long, later calls need not wait.
        self._grace_s = min(_GRACE_S, request_timeout_s)
        self._since: float | None = None
        # The reason why the last attempt to connect failed, or why the last connection ended.
        self.reason = "not connected yet"

    @property
    def lasts(self) -> bool:
        return self._since is not None

    def past_grace(self, now: float) -> bool:
        """Return whether the outage has lasted so long that calls no longer wait."""
        return self._since is not None and now - self._since >= self._grace_s

    def seen(self, reason: str, now: float, *, lasting: bool = False) -> bool:
        """Record a failed attempt to connect. Returns True for the first failed attempt of an outage.

        `lasting`: whether a retry would fail in the same way. In that case calls do not wait.
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
    """Return the failure of calls during an outage.

    The calls are not retried, because the next attempt to connect detects whether the server is available again.
    """
    return Failure(UNAVAILABLE, why, not_executed=True, code=ErrorCode.UNAVAILABLE)
