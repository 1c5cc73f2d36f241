"""Which read values a client keeps and serves (NEAR-20 to NEAR-27). Pure: no clock, no network, no threads."""

from __future__ import annotations

from larder_cache._internal.near.near_copies import NearCopies, NearCopy
from larder_cache._internal.near.near_flights import NearFlights
from larder_cache._internal.near.near_get import NearGet

# NEAR-24: longer values are not kept. A server sends them unary anyway (PIPE-9).
MOST_VALUE_BYTES = 65_536
# NEAR-21, in seconds.
LONGEST_LEASE_S = 10.0

_NEVER = float("-inf")


class NearState:
    """The state of one client. Times come from one clock and have the unit of the constructor's arguments.

    `find` is thread-safe. All other methods change the state and must be called from one thread at a time. A stream is
    identified by any object; None is no stream.
    """

    def __init__(self, max_bytes: int, max_age: float, longest_lease: float = LONGEST_LEASE_S) -> None:
        """`max_age`: the maximum age of a copy."""
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
        """The number of copies, including ones that may not be served now."""
        return self._copies

    @property
    def flights(self) -> NearFlights:
        """The number of near gets in flight."""
        return self._flights

    # The near stream.

    def opened(self, stream: object, sent_at: float, lease: float) -> None:
        """Record that a stream became the near stream, with a near_open sent at that time.

        Drops the previous one's copies.
        """
        self._forget()
        self._lease = min(lease, self._longest_lease)
        self._stream = stream
        self._lease_end = sent_at + self._lease

    def renewed(self, stream: object, sent_at: float) -> None:
        """Record the response to a near_renew sent at that time."""
        if stream is not None and stream == self._stream:
            self._lease_end = max(self._lease_end, sent_at + self._lease)

    def lost(self, stream: object) -> None:
        """Record that a stream is lost, replaced, draining or ended."""
        if stream is not None and stream == self._stream:
            self._forget()

    def _forget(self) -> None:
        # End the lease first, so that concurrent `find` calls return nothing from now on.
        self._lease_end = _NEVER
        self._stream = None
        self._copies.clear()
        self._flights.poison_all()

    def restart(self) -> None:
        """Continue without copies after a change was interrupted halfway."""
        evictions = self._copies.evictions
        self._copies = NearCopies(self._copies.max_bytes)
        self._copies.evictions = evictions
        self._flights.forget()

    def invalidated(self, stream: object, tickets: list[int]) -> None:
        """Process tickets that the near stream invalidated."""
        if stream is None or stream != self._stream:
            return
        for ticket in tickets:
            self.invalidations += self._copies.drop_ticket(ticket)
            self._flights.came(ticket)

    def cleared(self, stream: object) -> None:
        """Drop everything, as the near stream requested."""
        if stream is not None and stream == self._stream:
            self.clears += 1
            self._copies.clear()
            self._flights.poison_all()

    # Calls.

    def find(self, cache: str, key: bytes, now: float) -> NearCopy | None:
        """Return the copy of a key if it is valid now."""
        # `now` is read first, then the lease, then the copy. A copy added in between
        # came from the server in between, so it is valid.
        if now >= self._lease_end:
            return None
        of_cache = self._copies.of.get(cache)
        if of_cache is None:
            return None
        copy = of_cache.get(key)
        if copy is None or now >= copy.ends_at:
            return None
        copy.used = True
        # One step without a call; the interpreter does not switch threads within it.
        self.hits += 1
        return copy

    def begin(self, cache: str, key: bytes, stream: object, now: float) -> NearGet:
        """Record that a near get is written to a stream."""
        # On any other stream, concurrent changes are not reported, so the response is not kept.
        return self._flights.begin(cache, key, stream if stream == self._stream else None, now)

    def answered(self, get: NearGet, value: bytes | None, ticket: int, ttl_left: float, now: float) -> None:
        """Process the response to a near get.

        `value`: None on a miss. `ticket`: as sent, the key's plus 1; 0: none. `ttl_left`: the remaining time.
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
            # A response equal to the copy does not drop it. If many callers read one key at once, the first response is
            # kept and poisons the other gets, which would otherwise drop the copy again.
            held = self._copies.find(cache, key)
            if held is not None and held.value != value:
                self._copies.drop(cache, key)
        elif self._copies.add(copy):
            self.kept += 1

    def _copy_of(self, get: NearGet, value: bytes | None, ticket: int, ttl_left: float, now: float) -> NearCopy | None:
        """Return the copy to keep of a response, ignoring what poisoned it."""
        if value is None or ticket <= 0 or get.stream is None or get.stream != self._stream:
            return None
        ends_at = get.sent_at + min(ttl_left, self._max_age)
        if ends_at <= now or len(value) > MOST_VALUE_BYTES:
            return None
        return NearCopy(get.flight.cache, get.flight.key, value, ticket - 1, ends_at)

    def failed(self, get: NearGet) -> None:
        """Record that a near get has no response: it failed, was lost, or was abandoned. Idempotent."""
        if get.in_flight:
            self._flights.end(get)

    def ended(self, cache: str, key: bytes) -> None:
        """Record the end of another call that names the key, whatever its outcome, before its caller is notified."""
        self._copies.drop(cache, key)
        self._flights.poison(cache, key)

    def flushed(self, cache: str) -> None:
        """Record the end of this client's flush or deletion of a cache, whatever its outcome."""
        self._copies.drop_cache(cache)
        self._flights.poison_cache(cache)

    def assert_valid(self) -> None:
        """Check the invariants. Raises AssertionError."""
        self._copies.assert_valid()
        self._flights.assert_valid()
        assert self._stream is not None or not len(self._copies), "copies exist without a near stream"
