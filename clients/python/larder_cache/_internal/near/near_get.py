"""The state of a near get in flight."""

from __future__ import annotations


class NearFlight:
    """The near gets of one key that are in flight. One event number determines which of them are poisoned."""

    __slots__ = ("cache", "key", "count", "poisoned_at")

    def __init__(self, cache: str, key: bytes) -> None:
        self.cache = cache
        self.key = key
        self.count = 0
        # The sequence number of the last event for this key. Gets that were sent before this event are poisoned.
        self.poisoned_at = 0


class NearGet:
    """One near get: its key, its stream, the time at which it was sent, and the last event before that time."""

    __slots__ = ("flight", "stream", "begun_at", "sent_at", "in_flight")

    def __init__(self, flight: NearFlight, stream: object, begun_at: int, sent_at: float) -> None:
        self.flight = flight
        # The near stream on which the get was sent, or None if it was sent elsewhere.
        self.stream = stream
        # The sequence number of the last event before the get was sent.
        self.begun_at = begun_at
        self.sent_at = sent_at
        # Whether the get is waiting for its response.
        self.in_flight = True
