"""A near get in flight."""

from __future__ import annotations


class NearFlight:
    """The near gets of one key that are in flight. One number records what poisons them."""

    __slots__ = ("cache", "key", "count", "poisoned_at")

    def __init__(self, cache: str, key: bytes) -> None:
        self.cache = cache
        self.key = key
        self.count = 0
        # Gets that started before this event are poisoned.
        self.poisoned_at = 0


class NearGet:
    """What it requested, on which stream, when, and the last event before it."""

    __slots__ = ("flight", "stream", "begun_at", "sent_at", "in_flight")

    def __init__(self, flight: NearFlight, stream: object, begun_at: int, sent_at: float) -> None:
        self.flight = flight
        # The stream that it was written to; None: it was not the near stream.
        self.stream = stream
        # The number of the last event before it.
        self.begun_at = begun_at
        self.sent_at = sent_at
        # Until it has a response or has failed.
        self.in_flight = True
