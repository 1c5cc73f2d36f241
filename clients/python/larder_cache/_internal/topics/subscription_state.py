"""The state of a subscription: what to request from the server, and what to do after a message or the end of a stream.

The decisions depend only on messages, a clock and random numbers (TOP-20).
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass
from typing import NamedTuple

from larder_cache.errors import (
    DEADLINE_EXCEEDED,
    FAILED_PRECONDITION,
    INVALID_ARGUMENT,
    NOT_FOUND,
    PERMISSION_DENIED,
    RESOURCE_EXHAUSTED,
    UNAUTHENTICATED,
    UNAVAILABLE,
    UNIMPLEMENTED,
)
from larder_cache.topic_event import HEARTBEAT, Discontinuity, Item, TopicEvent

GREATEST = 2**64 - 1

# Statuses of errors that a retry does not fix (TOP-24).
_FINAL = frozenset(
    (INVALID_ARGUMENT, NOT_FOUND, PERMISSION_DENIED, FAILED_PRECONDITION, UNIMPLEMENTED, UNAUTHENTICATED)
)
# TOP-26: a stream is considered lost if it is silent for longer than the larger of two times. One is this minimum. The
# other is the longest silence so far, multiplied by this factor. By default a server ends each silence after a second.
_SILENCE_S = 5.0
_SILENCES = 5
# Two numbers of at most 20 digits each. A 64-bit number has at most 20 digits.
_POSITION = re.compile(r"([0-9]{1,20})-([0-9]{1,20})")


class Phase(enum.Enum):
    """The phase of a subscription.

    LIVE: the stream is open and has received a message. WAITING: the subscription waits before it reconnects.
    """

    IDLE = "idle"
    CONNECTING = "connecting"
    LIVE = "live"
    WAITING = "waiting"
    ENDED = "ended"


class Position(NamedTuple):
    """The position of the next expected message. Page 0 means any page."""

    page: int
    number: int


class Ask(NamedTuple):
    """What to request from the server. `now` requests only messages that are published from now on."""

    resume_at: int
    page: int
    now: bool


class Verdict(NamedTuple):
    """The reaction to the end of a stream: wait and reconnect, or end the subscription with a status."""

    wait_s: float | None = None
    error: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionOptions:
    """The options of a subscription: where to start, what to deliver, and the timeouts of the client."""

    resume_at: int = 0
    page: int = 0
    now: bool = False
    heartbeats: bool = False
    request_timeout_s: float
    initial_back_off_s: float
    max_back_off_s: float


class SubscriptionState:
    """The state machine of a subscription. Times are seconds of one monotonic clock."""

    def __init__(self, options: SubscriptionOptions) -> None:
        self._options = options
        self.phase = Phase.IDLE
        self.position = Position(options.page, options.resume_at) if options.resume_at else None
        # Whether any message has arrived so far, and when the first connection attempt started.
        self.begun = False
        self._began_at: float | None = None
        # The time at which the current silence began: when the stream was requested, received a message, or resumed
        # reading.
        self._heard_at = 0.0
        self._longest_silence_s = 0.0
        # The number of stream ends since the last message.
        self._ends = 0

    @property
    def open(self) -> bool:
        """Whether there is a stream."""
        return self.phase in (Phase.CONNECTING, Phase.LIVE)

    def connect(self, now: float) -> Ask | None:
        """Record that a stream is being opened, and return what to request.

        Returns None if the subscription has ended.
        """
        if self.phase is Phase.ENDED:
            return None
        self.phase = Phase.CONNECTING
        self._heard_at = now
        if self._began_at is None:
            self._began_at = now
        if self.position is None and self.begun:
            # A message has arrived but its position is unknown. Request all stored messages (TOP-23).
            self.position = Position(0, 1)
        if self.position is None:
            return Ask(0, 0, self._options.now)
        return Ask(self.position.number, self.position.page, False)

    def opened(self, told: str | None) -> None:
        """Process the position that the server sent at the start of the stream, in the header `topic-position`."""
        there = position_of(told)
        if there is None or not self.open:
            return
        if self.position is None or (self.position.page == 0 and self.position.number == there.number):
            self.position = there

    def item(self, item: Item, now: float) -> tuple[TopicEvent, ...]:
        """Return the events for a message.

        The result is empty for a duplicate. Otherwise it contains the item, preceded by a Discontinuity if messages are
        missing.
        """
        if not self._heard(now):
            return ()
        at = self.position
        same_page = at is not None and at.page in (0, item.page)
        if at is not None and same_page and item.number < at.number:
            return ()
        self.position = Position(item.page, min(item.number + 1, GREATEST))
        if at is None or (same_page and item.number == at.number):
            return (item,)
        return Discontinuity(at.number - 1, item.number, item.page), item

    def discontinuity(self, last: int, new: int, page: int, now: float) -> tuple[TopicEvent, ...]:
        """Return the events for a gap that the server reported. Empty if the gap is already known."""
        if not self._heard(now):
            return ()
        there = Position(page, min(new + 1, GREATEST))
        if there == self.position:
            return ()
        self.position = there
        return (Discontinuity(last, there.number, page),)

    def heartbeat(self, now: float) -> tuple[TopicEvent, ...]:
        """Return the events for a heartbeat. Empty unless the subscriber requested heartbeats."""
        was_live, silence = self.phase is Phase.LIVE, now - self._heard_at
        if not self._heard(now):
            return ()
        if was_live:
            self._longest_silence_s = max(self._longest_silence_s, silence)
        return (HEARTBEAT,) if self._options.heartbeats else ()

    def failed(self, status: int, random: float, now: float) -> Verdict:
        """Record the end of a stream and return the reaction.

        Args:
            status: The gRPC status of the end.
            random: A random number from 0 to 1.
            now: The current time.
        """
        if not self.open:
            return Verdict()
        full = status == RESOURCE_EXHAUSTED and not self.begun
        if status in _FINAL or full:
            self.phase = Phase.ENDED
            return Verdict(error=status)
        options = self._options
        # 32 doublings far exceed the longest wait. The limit avoids computing a huge number.
        ceiling = min(options.max_back_off_s, options.initial_back_off_s * 2 ** min(self._ends, 32))
        wait_s = ceiling * (0.5 + 0.5 * random)
        self._ends += 1
        if not self.begun and now + wait_s - (self._began_at or 0.0) >= options.request_timeout_s:
            self.phase = Phase.ENDED
            return Verdict(error=status or UNAVAILABLE)
        self.phase = Phase.WAITING
        return Verdict(wait_s=wait_s)

    @property
    def lost_at(self) -> float | None:
        """The time at which the stream is lost if no message arrives before then. None if there is no stream."""
        if self.phase is Phase.CONNECTING:
            return self._heard_at + self._options.request_timeout_s
        if self.phase is Phase.LIVE:
            return self._heard_at + max(_SILENCE_S, _SILENCES * self._longest_silence_s)
        return None

    def lost(self, now: float) -> int | None:
        """Return the status with which to fail the stream if it is lost, otherwise None."""
        at = self.lost_at
        if at is None or now < at:
            return None
        return DEADLINE_EXCEEDED if self.phase is Phase.CONNECTING else UNAVAILABLE

    def silence_s(self, now: float) -> float:
        """Return the length of the current silence in seconds."""
        return now - self._heard_at

    def resumed(self, now: float) -> None:
        """Record that reading continues after the buffer was full.

        The pause does not count as silence of the server.
        """
        self._heard_at = now

    def close(self) -> None:
        """End the subscription, because the consumer has left."""
        self.phase = Phase.ENDED

    def _heard(self, now: float) -> bool:
        """Record a message. Returns False if no stream is open, so the message must be ignored."""
        if not self.open:
            return False
        self.phase = Phase.LIVE
        self.begun = True
        self._heard_at = now
        self._ends = 0
        return True


def position_of(told: str | None) -> Position | None:
    """Parse the value of `topic-position`. Returns None if the value is invalid."""
    parts = None if told is None else _POSITION.fullmatch(told)
    if parts is None:
        return None
    page, number = int(parts[1]), int(parts[2])
    return Position(page, number) if page <= GREATEST and 1 <= number <= GREATEST else None
