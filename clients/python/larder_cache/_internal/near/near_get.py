"""One near get in flight."""

from __future__ import annotations


class NearFlight:
    """The near gets of one key that are in flight: what poisons them is one number, however many they are."""

    __slots__ = ("cache", "key", "count", "poisoned_at")

    def __init__(self, cache: str, key: bytes) -> None:
        self.cache = cache
        self.key = key
        self.count = 0
        # Those that began before this event are poisoned.
        self.poisoned_at = 0


class NearGet:
    """What it asked, where and when, and what had happened by then."""

    __slots__ = ("flight", "stream", "begun_at", "sent_at", "in_flight")

    def __init__(self, flight: NearFlight, stream: object, begun_at: int, sent_at: float) -> None:
        self.flight = flight
        # The stream that it was written into; None: one that was not the near stream.
        self.stream = stream
        # The number of the last event before it.
        self.begun_at = begun_at
        self.sent_at = sent_at
        # Until it is answered, or has failed.
        self.in_flight = True
