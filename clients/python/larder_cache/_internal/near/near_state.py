"""Decides which values a client keeps and returns from its near cache (NEAR-20 to NEAR-27).

Uses no clock, network or threads.
"""

from __future__ import annotations

from larder_cache._internal.near.near_copies import KeptObject, NearCopies, NearCopy
from larder_cache._internal.near.near_flights import NearFlights
from larder_cache._internal.near.near_get import NearGet

# NEAR-24: the maximum length of a value that is kept. A server sends longer values over the unary transport (PIPE-9).
MOST_VALUE_BYTES = 65_536
# NEAR-21: the maximum duration of a lease, in seconds.
LONGEST_LEASE_S = 10.0

_NEVER = float("-inf")


class NearState:
    """The near-cache state of one client. All times are of one clock and have the same unit.

    `find` is thread-safe. All other methods change the state and must be called from one thread at a time. Any object
    can identify a stream. None means that there is no stream.
    """

    def __init__(self, max_bytes: int, max_age: float, longest_lease: float = LONGEST_LEASE_S) -> None:
        """Create an empty state.

        Args:
            max_bytes: The maximum size of all copies.
            max_age: The maximum age of a copy.
            longest_lease: The maximum duration of a lease.
        """
        self._max_age = max_age
        self._longest_lease = longest_lease
        self._copies = NearCopies(max_bytes)
        self._flights = NearFlights()
        self._stream: object = None
        self._lease = 0.0
        self._lease_end = _NEVER
        self.hits = 0
        self.kept = 0
        self.invalidations = 0
        self.clears = 0
        self.poisoned = 0

    @property
    def copies(self) -> NearCopies:
        """The copies, including copies that may not be returned now."""
        return self._copies

    @property
    def flights(self) -> NearFlights:
        """The near gets in flight."""
        return self._flights

    def opened(self, stream: object, sent_at: float, lease: float) -> None:
        """Record that a stream became the near stream. Remove the copies of the previous near stream.

        `sent_at` is the time at which the near_open message was sent.
        """
        self._forget()
        self._lease = min(lease, self._longest_lease)
        self._stream = stream
        self._lease_end = sent_at + self._lease

    def renewed(self, stream: object, sent_at: float) -> None:
        """Record the response to a near_renew message that was sent at `sent_at`."""
        if stream is not None and stream == self._stream:
            self._lease_end = max(self._lease_end, sent_at + self._lease)

    def lost(self, stream: object) -> None:
        """Record that a stream is lost, replaced, draining or ended."""
        if stream is not None and stream == self._stream:
            self._forget()

    def _forget(self) -> None:
        # End the lease before removing the copies, so that concurrent `find` calls return nothing from now on.
        self._lease_end = _NEVER
        self._stream = None
        self._copies.clear()
        self._flights.poison_all()

    def restart(self) -> None:
        """Remove all copies and gets, because an exception interrupted a change."""
        evictions = self._copies.evictions
        self._copies = NearCopies(self._copies.max_bytes)
        self._copies.evictions = evictions
        self._flights.forget()

    def invalidated(self, stream: object, tickets: list[int]) -> None:
        """Process tickets that the server invalidated on the near stream."""
        if stream is None or stream != self._stream:
            return
        for ticket in tickets:
            self.invalidations += self._copies.drop_ticket(ticket)
            self._flights.came(ticket)

    def cleared(self, stream: object) -> None:
        """Remove all copies, because the server requested it on the near stream."""
        if stream is not None and stream == self._stream:
            self.clears += 1
            self._copies.clear()
            self._flights.poison_all()

    def find(self, cache: str, key: bytes, now: float) -> NearCopy | None:
        """Return the copy of a key, or None if there is no valid copy."""
        # The order of the reads matters: the caller has read `now`, then the lease is read here, and then the copy. If
        # another thread adds the copy in the meantime, its response arrived after `now`, so the copy is valid.
        if now >= self._lease_end:
            return None
        of_cache = self._copies.of.get(cache)
        if of_cache is None:
            return None
        copy = of_cache.get(key)
        if copy is None or now >= copy.ends_at:
            return None
        copy.used = True
        # This needs no lock. It contains no function call, so the interpreter does not switch threads within it.
        self.hits += 1
        return copy

    def attach(self, copy: NearCopy, decoded: KeptObject, decoded_bytes: int) -> None:
        """Keep a decoded value with a copy. See `NearCopies.attach`."""
        self._copies.attach(copy, decoded, decoded_bytes)

    def begin(self, cache: str, key: bytes, stream: object, now: float) -> NearGet:
        """Record that a near get is sent on a stream."""
        # On another stream the server does not report concurrent changes, so the response must not be kept.
        return self._flights.begin(cache, key, stream if stream == self._stream else None, now)

    def answered(self, get: NearGet, value: bytes | None, ticket: int, ttl_left: float, now: float) -> None:
        """Process the response to a near get.

        Args:
            get: The near get.
            value: The value, or None for a miss.
            ticket: The ticket as sent: the key's ticket plus 1, or 0 if there is no ticket.
            ttl_left: The value's remaining time.
            now: The current time.
        """
        if not get.in_flight:
            return
        cache, key = get.flight.cache, get.flight.key
        copy = self._copy_of(get, value, ticket, ttl_left, now)
        if copy is not None and self._flights.is_poisoned(get, copy.ticket):
            self.poisoned += 1
            copy = None
        self._flights.end(get)
        self._flights.poison(cache, key)
        if copy is None:
            # A response that equals the copy does not remove the copy. Example: many callers read one key concurrently.
            # The first response is kept and poisons the other gets. Without this rule their responses would remove the
            # copy again.
            held = self._copies.find(cache, key)
            if held is not None and held.value != value:
                self._copies.drop(cache, key)
        elif self._copies.add(copy):
            self.kept += 1

    def _copy_of(self, get: NearGet, value: bytes | None, ticket: int, ttl_left: float, now: float) -> NearCopy | None:
        """Return the copy to keep from a response, or None if there is none.

        Does not check whether the get was poisoned.
        """
        if value is None or ticket <= 0 or get.stream is None or get.stream != self._stream:
            return None
        ends_at = get.sent_at + min(ttl_left, self._max_age)
        if ends_at <= now or len(value) > MOST_VALUE_BYTES:
            return None
        return NearCopy(get.flight.cache, get.flight.key, value, ticket - 1, ends_at)

    def failed(self, get: NearGet) -> None:
        """Record that a near get has no response, because it failed, was lost, or was abandoned.

        May be called several times.
        """
        if get.in_flight:
            self._flights.end(get)

    def ended(self, cache: str, key: bytes) -> None:
        """Record the end of another call on the key, whatever its outcome, before its caller is notified."""
        self._copies.drop(cache, key)
        self._flights.poison(cache, key)

    def flushed(self, cache: str) -> None:
        """Record the end of this client's flush or deletion of a cache, whatever its outcome."""
        self._copies.drop_cache(cache)
        self._flights.poison_cache(cache)

    def assert_valid(self) -> None:
        """Check the invariants. Raises AssertionError if one is violated."""
        self._copies.assert_valid()
        self._flights.assert_valid()
        assert self._stream is not None or not len(self._copies), "copies are stored although no near stream is open"
