"""The connection of the pipelined transport as states and moments. Pure: it opens nothing and asks no clock."""

from __future__ import annotations

from enum import Enum

from larder_cache._internal.transport.outage import Outage, out_of_reach
from larder_cache.errors import UNAUTHENTICATED, UNAVAILABLE, UNIMPLEMENTED, Failure

# Between attempts to connect: doubling to max_back_off_s, each drawn between half and the whole (RETRY-7).
_BACK_OFF_S = 0.050
_MOST_DOUBLINGS = 16


def back_off_s(failures: int, longest_s: float) -> float:
    """Return the longest wait, in seconds, before the next attempt to connect; `failures`: at least 1."""
    return min(longest_s, _BACK_OFF_S * 2 ** min(failures - 1, _MOST_DOUBLINGS))


class LinkPhase(Enum):
    """Where it stands."""

    # There is no stream; one is being opened where calls want one.
    IDLE = "idle"
    OPEN = "open"
    # The server, which is there, takes no stream: no token, say.
    REFUSED = "refused"
    # The server has no pipeline: every call is to go unary (PIPE-15).
    UNARY = "unary"
    CLOSED = "closed"


class LinkState:
    """What follows an opened, a lost or a failed stream, and what calls are told meanwhile."""

    __slots__ = ("_attempts", "_max_back_off_s", "outage", "phase", "refusal")

    def __init__(self, max_back_off_s: float, request_timeout_s: float) -> None:
        self._max_back_off_s = max_back_off_s
        self._attempts = 0
        self.outage = Outage(request_timeout_s)
        self.phase = LinkPhase.IDLE
        # Why the server takes no stream, while it is `REFUSED`.
        self.refusal: Failure | None = None

    def wait_s(self, draw: float) -> float:
        """How long to wait before the next try, by a draw from [0.5, 1.0]."""
        if self._attempts == 0:
            return 0.0
        return draw * back_off_s(self._attempts, self._max_back_off_s)

    def tries(self) -> None:
        """A try to open a stream begins."""
        self._attempts += 1

    def opened(self) -> None:
        """A stream is open. Tries are counted until the server has answered on one."""
        self.outage.over()
        self._move(LinkPhase.OPEN)

    def retired(self) -> None:
        """The stream takes no more calls."""
        if self.phase is LinkPhase.OPEN:
            self._move(LinkPhase.IDLE)

    def heard(self) -> None:
        """A stream ended on which the server had answered: the next try need not wait."""
        self._attempts = 0

    def unreachable(self, why: str, now: float, *, lasting: bool = False) -> bool:
        """No connection could be made. True: for the first time of an outage. `lasting`: as `Outage.seen`."""
        return self.outage.seen(why, now, lasting=lasting)

    def ended(self, failure: Failure, *, heard: bool) -> Failure | None:
        """A stream ended with a failure. Returns what the calls that wait for one are told; None: they wait on."""
        self.outage.reason = failure.message or f"gRPC status {failure.status}"
        if failure.status == UNIMPLEMENTED:
            self._move(LinkPhase.UNARY)
            return Failure(UNIMPLEMENTED, "the server has no pipeline", not_executed=True)
        if failure.status == UNAVAILABLE or heard:
            return None
        # It refuses the stream itself: what waits for one would wait in vain.
        self._move(LinkPhase.REFUSED, failure)
        return failure

    def shows(self, version: int | None) -> None:
        """A call shows the token of this number, or the fixed one: one that was refused is not this one."""
        refusal = self.refusal
        if refusal is not None and refusal.shown != version and refusal.status == UNAUTHENTICATED:
            self._attempts = 0
            self.outage.over()
            self._move(LinkPhase.IDLE)

    def refusal_of(self, now: float) -> Failure | None:
        """Why a call that wants a stream fails at once; None: it waits for one."""
        if self.phase is LinkPhase.UNARY:
            return Failure(UNIMPLEMENTED, self.outage.reason, not_executed=True)
        return self.out_of_reach() if self.phase is LinkPhase.CLOSED or self.outage.past_grace(now) else None

    def out_of_reach(self) -> Failure:
        """What a call is told that waited in vain."""
        why = self.outage.reason
        return out_of_reach(why if self.phase is LinkPhase.CLOSED else f"the server is out of reach: {why}")

    def close(self) -> None:
        """The client is closed: nothing follows."""
        self._move(LinkPhase.CLOSED)
        self.outage.reason = "the client is closed"

    def _move(self, phase: LinkPhase, refusal: Failure | None = None) -> None:
        if self.phase is not LinkPhase.CLOSED:
            self.phase, self.refusal = phase, refusal
