"""The state machine of the pipelined transport's connection.

It opens no connection and reads no clock.
"""

from __future__ import annotations

from enum import Enum

from larder_cache._internal.transport.outage import Outage, out_of_reach
from larder_cache.errors import UNAUTHENTICATED, UNAVAILABLE, UNIMPLEMENTED, Failure

# The maximum of the first wait before reconnecting, in seconds. The maximum doubles after each failure, up to
# max_back_off_s. The actual wait is a random value between half the maximum and the maximum (RETRY-7).
_BACK_OFF_S = 0.050
_MOST_DOUBLINGS = 16


def back_off_s(failures: int, longest_s: float) -> float:
    """Return the maximum wait before the next attempt to connect, in seconds. `failures` must be at least 1."""
    return min(longest_s, _BACK_OFF_S * 2 ** min(failures - 1, _MOST_DOUBLINGS))


class LinkPhase(Enum):
    """The phase of the connection."""

    # There is no stream. A stream is being opened if calls need one.
    IDLE = "idle"
    OPEN = "open"
    # The server is reachable but rejects the stream, for example without a token.
    REFUSED = "refused"
    # The server has no pipeline. Every call must be unary (PIPE-15).
    UNARY = "unary"
    CLOSED = "closed"


class LinkState:
    """Decides what happens after a stream was opened, lost or rejected, and whether waiting calls fail."""

    __slots__ = ("_attempts", "_max_back_off_s", "outage", "phase", "refusal")

    def __init__(self, max_back_off_s: float, request_timeout_s: float) -> None:
        self._max_back_off_s = max_back_off_s
        self._attempts = 0
        self.outage = Outage(request_timeout_s)
        self.phase = LinkPhase.IDLE
        # The reason why the server rejects the stream. Set only in the phase `REFUSED`.
        self.refusal: Failure | None = None

    def wait_s(self, draw: float) -> float:
        """Return the wait before the next attempt, in seconds. `draw` is a random number in [0.5, 1.0]."""
        if self._attempts == 0:
            return 0.0
        return draw * back_off_s(self._attempts, self._max_back_off_s)

    def tries(self) -> None:
        """Record the start of an attempt to open a stream."""
        self._attempts += 1

    def opened(self) -> None:
        """Record that a stream is open.

        The number of attempts is reset by `heard`, after the server has responded on a stream.
        """
        self.outage.over()
        self._move(LinkPhase.OPEN)

    def retired(self) -> None:
        """Record that the stream accepts no more calls."""
        if self.phase is LinkPhase.OPEN:
            self._move(LinkPhase.IDLE)

    def heard(self) -> None:
        """Record the end of a stream on which the server had responded. The next attempt to connect need not wait."""
        self._attempts = 0

    def unreachable(self, why: str, now: float, *, lasting: bool = False) -> bool:
        """Record a failed attempt to connect. Returns True at the start of an outage.

        `lasting`: see `Outage.seen`.
        """
        return self.outage.seen(why, now, lasting=lasting)

    def ended(self, failure: Failure, *, heard: bool) -> Failure | None:
        """Record a failed stream. Returns the failure for the waiting calls, or None if they continue to wait."""
        self.outage.reason = failure.message or f"gRPC status {failure.status}"
        if failure.status == UNIMPLEMENTED:
            self._move(LinkPhase.UNARY)
            return Failure(UNIMPLEMENTED, "the server does not support the pipeline", not_executed=True)
        if failure.status == UNAVAILABLE or heard:
            return None
        # The server rejects the stream itself, so waiting calls would never get a stream.
        self._move(LinkPhase.REFUSED, failure)
        return failure

    def shows(self, version: int | None) -> None:
        """Record which token calls use.

        `version` is the version of a provider's token, or None for the fixed token. If the server rejected another
        token, that rejection no longer applies.
        """
        refusal = self.refusal
        if refusal is not None and refusal.shown != version and refusal.status == UNAUTHENTICATED:
            self._attempts = 0
            self.outage.over()
            self._move(LinkPhase.IDLE)

    def refusal_of(self, now: float) -> Failure | None:
        """Return why a call that needs a stream must fail immediately, or None if it may wait for a stream."""
        if self.phase is LinkPhase.UNARY:
            return Failure(UNIMPLEMENTED, self.outage.reason, not_executed=True)
        return self.out_of_reach() if self.phase is LinkPhase.CLOSED or self.outage.past_grace(now) else None

    def out_of_reach(self) -> Failure:
        """Return the failure of a call for which there is no connection."""
        why = self.outage.reason
        return out_of_reach(why if self.phase is LinkPhase.CLOSED else f"the server is unreachable: {why}")

    def close(self) -> None:
        """Record that the client is closed."""
        self._move(LinkPhase.CLOSED)
        self.outage.reason = "the client is closed"

    def _move(self, phase: LinkPhase, refusal: Failure | None = None) -> None:
        if self.phase is not LinkPhase.CLOSED:
            self.phase, self.refusal = phase, refusal
