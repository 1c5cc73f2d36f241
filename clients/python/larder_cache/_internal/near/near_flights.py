"""The near gets in flight.

Also records the changes that occur while a get is in flight, because they can make the get's response unusable for the
near cache.
"""

from __future__ import annotations

from larder_cache._internal.near.near_get import NearFlight, NearGet

# NEAR-26: the maximum number of recorded tickets.
MOST_TICKETS = 65_536


class NearFlights:
    """Numbers events, to recognize those that occurred after a get was sent.

    An event is a change that this client made or that the server reported. It concerns a key, a ticket, or all keys. A
    get is poisoned if a later event concerns its key, its ticket, or all keys. The response of a poisoned get must not
    be kept.

    The size is limited by the number of calls in flight and by `MOST_TICKETS`. If there are more tickets, all gets are
    poisoned and the tickets are removed.
    """

    def __init__(self) -> None:
        self._of_key: dict[tuple[str, bytes], NearFlight] = {}
        self._events = 0
        self._all_poisoned_at = 0
        # The sequence number of the last event of each ticket. Recorded only while a get is in flight.
        self._came_at: dict[int, int] = {}

    def __len__(self) -> int:
        return sum(flight.count for flight in self._of_key.values())

    def begin(self, cache: str, key: bytes, stream: object, now: float) -> NearGet:
        """Add a get. `stream` is None if the get is not sent on the near stream."""
        flight = self._of_key.get((cache, key))
        if flight is None:
            flight = self._of_key[cache, key] = NearFlight(cache, key)
        flight.count += 1
        return NearGet(flight, stream, self._events, now)

    def end(self, get: NearGet) -> None:
        """Remove a get that is in flight."""
        get.in_flight = False
        flight = get.flight
        if self._of_key.get((flight.cache, flight.key)) is not flight:
            return  # The get started before `forget` was called.
        flight.count -= 1
        if not flight.count:
            del self._of_key[flight.cache, flight.key]
            if not self._of_key:
                self._came_at.clear()

    def poison(self, cache: str, key: bytes) -> None:
        """Exclude the responses of a key's gets in flight from the near cache."""
        flight = self._of_key.get((cache, key))
        if flight is not None:
            self._events += 1
            flight.poisoned_at = self._events

    def poison_cache(self, cache: str) -> None:
        """Exclude the responses of a cache's gets in flight from the near cache."""
        self._events += 1
        for flight in self._of_key.values():
            if flight.cache == cache:
                flight.poisoned_at = self._events

    def poison_all(self) -> None:
        """Exclude the responses of all gets in flight from the near cache.

        Remove the recorded tickets, because they have no further effect.
        """
        self._events += 1
        self._all_poisoned_at = self._events
        self._came_at.clear()

    def came(self, ticket: int) -> None:
        """Record an invalidated ticket, because a later response may still contain it."""
        if not self._of_key:
            return
        if len(self._came_at) >= MOST_TICKETS and ticket not in self._came_at:
            self.poison_all()
            return
        self._events += 1
        self._came_at[ticket] = self._events

    def is_poisoned(self, get: NearGet, ticket: int) -> bool:
        """Return whether the value may have changed since the get was sent."""
        latest = max(self._all_poisoned_at, get.flight.poisoned_at, self._came_at.get(ticket, 0))
        return latest > get.begun_at

    def forget(self) -> None:
        """Remove everything. Gets in flight stay poisoned."""
        self._of_key = {}
        self.poison_all()

    @property
    def tickets(self) -> int:
        """The number of recorded tickets."""
        return len(self._came_at)

    def assert_valid(self) -> None:
        """Check the invariants. Raises AssertionError if one is violated."""
        assert all(flight.count > 0 for flight in self._of_key.values()), "a key is recorded but has no get in flight"
        assert len(self._came_at) <= MOST_TICKETS
        assert self._of_key or not self._came_at, "tickets are stored although no get is in flight"
