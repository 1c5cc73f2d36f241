"""What a subscription asks for, and what it makes of what comes. Pure: messages, a clock and a draw decide (TOP-20)."""

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

# What no other attempt mends (TOP-24).
_FINAL = frozenset(
    (INVALID_ARGUMENT, NOT_FOUND, PERMISSION_DENIED, FAILED_PRECONDITION, UNIMPLEMENTED, UNAUTHENTICATED)
)
# TOP-26: a server says something after each second of silence, unless it is set otherwise.
_SILENCE_S = 5.0
_SILENCES = 5
# Two numbers of at most 20 digits each, as many as 64 bits can have.
_POSITION = re.compile(r"([0-9]{1,20})-([0-9]{1,20})")


class Phase(enum.Enum):
    """LIVE: a message has come on the stream that is open. WAITING: before the next connection."""

    IDLE = "idle"
    CONNECTING = "connecting"
    LIVE = "live"
    WAITING = "waiting"
    ENDED = "ended"


class Position(NamedTuple):
    """The message that is waited for. Page 0: whichever there is."""

    page: int
    number: int


class Ask(NamedTuple):
    """What to ask the server for. `now`: what is published from now on."""

    resume_at: int
    page: int
    now: bool


class Verdict(NamedTuple):
    """What follows from a stream's end: a wait, or the status that ends the subscription."""

    wait_s: float | None = None
    error: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionOptions:
    """Where to begin, what to tell, and the configuration's times."""

    resume_at: int = 0
    page: int = 0
    now: bool = False
    heartbeats: bool = False
    request_timeout_s: float
    initial_back_off_s: float
    max_back_off_s: float


class SubscriptionState:
    """Times are seconds of one clock that never goes back."""

    def __init__(self, options: SubscriptionOptions) -> None:
        self._options = options
        self.phase = Phase.IDLE
        self.position = Position(options.page, options.resume_at) if options.resume_at else None
        # Whether a message has ever come; when the first connection was begun.
        self.begun = False
        self._began_at: float | None = None
        # When the stream was asked for, or last brought something.
        self._heard_at = 0.0
        self._longest_silence_s = 0.0
        # Ends since the last message.
        self._ends = 0

    @property
    def open(self) -> bool:
        """Whether there is a stream."""
        return self.phase in (Phase.CONNECTING, Phase.LIVE)

    def connect(self, now: float) -> Ask | None:
        """Begin a stream. None: it has ended."""
        if self.phase is Phase.ENDED:
            return None
        self.phase = Phase.CONNECTING
        self._heard_at = now
        if self._began_at is None:
            self._began_at = now
        if self.position is None and self.begun:
            # Something came, and nothing of it is known: all that is kept (TOP-23).
            self.position = Position(0, 1)
        if self.position is None:
            return Ask(0, 0, self._options.now)
        return Ask(self.position.number, self.position.page, False)

    def opened(self, told: str | None) -> None:
        """Take the position that the server told with the stream: the text of `topic-position`."""
        there = position_of(told)
        if there is None or not self.open:
            return
        if self.position is None or (self.position.page == 0 and self.position.number == there.number):
            self.position = there

    def item(self, item: Item, now: float) -> tuple[TopicEvent, ...]:
        """Return what a message is to the caller: itself, nothing, or itself behind a gap that nobody told."""
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
        """Return what the server's word of a gap is to the caller; nothing where it was told of it before."""
        if not self._heard(now):
            return ()
        there = Position(page, min(new + 1, GREATEST))
        if there == self.position:
            return ()
        self.position = there
        return (Discontinuity(last, there.number, page),)

    def heartbeat(self, now: float) -> tuple[TopicEvent, ...]:
        """Return what a heartbeat is to the caller."""
        was_live, silence = self.phase is Phase.LIVE, now - self._heard_at
        if not self._heard(now):
            return ()
        if was_live:
            self._longest_silence_s = max(self._longest_silence_s, silence)
        return (HEARTBEAT,) if self._options.heartbeats else ()

    def failed(self, status: int, random: float, now: float) -> Verdict:
        """Note a stream's end. `random` is from 0 to 1."""
        if not self.open:
            return Verdict()
        full = status == RESOURCE_EXHAUSTED and not self.begun
        if status in _FINAL or full:
            self.phase = Phase.ENDED
            return Verdict(error=status)
        options = self._options
        # Past the longest wait by far, and no number too large.
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
        """When the stream is to be given up if nothing comes before; None: there is none."""
        if self.phase is Phase.CONNECTING:
            return self._heard_at + self._options.request_timeout_s
        if self.phase is Phase.LIVE:
            return self._heard_at + max(_SILENCE_S, _SILENCES * self._longest_silence_s)
        return None

    def lost(self, now: float) -> int | None:
        """Return the status to fail the stream with; None: it is not lost."""
        at = self.lost_at
        if at is None or now < at:
            return None
        return DEADLINE_EXCEEDED if self.phase is Phase.CONNECTING else UNAVAILABLE

    def silence_s(self, now: float) -> float:
        """Return since when nothing has come, in seconds."""
        return now - self._heard_at

    def resumed(self, now: float) -> None:
        """Reading goes on, which had stood still because the buffer was full: that was no silence of the server's."""
        self._heard_at = now

    def close(self) -> None:
        """End it: the caller has left."""
        self.phase = Phase.ENDED

    def _heard(self, now: float) -> bool:
        """Note that a message came. False: there is no stream that it could have come on."""
        if not self.open:
            return False
        self.phase = Phase.LIVE
        self.begun = True
        self._heard_at = now
        self._ends = 0
        return True


def position_of(told: str | None) -> Position | None:
    """Read `topic-position`; None: it is none."""
    parts = None if told is None else _POSITION.fullmatch(told)
    if parts is None:
        return None
    page, number = int(parts[1]), int(parts[2])
    return Position(page, number) if page <= GREATEST and 1 <= number <= GREATEST else None
