"""What a client keeps and serves of what it reads (NEAR-20 to NEAR-27). Pure: no clock, no network, no threads."""

from __future__ import annotations

from larder_cache._internal.near.near_copies import NearCopies, NearCopy
from larder_cache._internal.near.near_flights import NearFlights
from larder_cache._internal.near.near_get import NearGet

# NEAR-24: longer values are not kept. A server has them travel unary anyway (PIPE-9).
MOST_VALUE_BYTES = 65_536
# NEAR-21, in seconds.
LONGEST_LEASE_S = 10.0

_NEVER = float("-inf")


class NearState:
    """One client's. Times are of one clock from any beginning, in the unit of what it is made with.

    `find` may run on any thread at any time; all else, which changes what there is, on one at a time. Streams are
    whatever tells them apart; None is no stream.
    """

    def __init__(self, max_bytes: int, max_age: float, longest_lease: float = LONGEST_LEASE_S) -> None:
        """`max_age`: how long a copy lives at most."""
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
        """The copies held, whether they may be served now or not."""
        return self._copies

    @property
    def flights(self) -> NearFlights:
        """The near gets in flight."""
        return self._flights

    # The near stream.

    def opened(self, stream: object, sent_at: float, lease: float) -> None:
        """A stream became the near stream, by a near_open that was sent then. What belonged to another goes."""
        self._forget()
        self._lease = min(lease, self._longest_lease)
        self._stream = stream
        self._lease_end = sent_at + self._lease

    def renewed(self, stream: object, sent_at: float) -> None:
        """A near_renew that was sent then was answered."""
        if stream is not None and stream == self._stream:
            self._lease_end = max(self._lease_end, sent_at + self._lease)

    def lost(self, stream: object) -> None:
        """A stream is lost, replaced, drains or is at its end."""
        if stream is not None and stream == self._stream:
            self._forget()

    def _forget(self) -> None:
        # The lease first: a thread that finds meanwhile finds nothing more.
        self._lease_end = _NEVER
        self._stream = None
        self._copies.clear()
        self._flights.poison_all()

    def restart(self) -> None:
        """Go on without copies where a change was interrupted in its middle, whatever that left of them."""
        evictions = self._copies.evictions
        self._copies = NearCopies(self._copies.max_bytes)
        self._copies.evictions = evictions
        self._flights.forget()

    def invalidated(self, stream: object, tickets: list[int]) -> None:
        """The near stream told these tickets."""
        if stream is None or stream != self._stream:
            return
        for ticket in tickets:
            self.invalidations += self._copies.drop_ticket(ticket)
            self._flights.came(ticket)

    def cleared(self, stream: object) -> None:
        """The near stream told to drop everything."""
        if stream is not None and stream == self._stream:
            self.clears += 1
            self._copies.clear()
            self._flights.poison_all()

    # Calls.

    def find(self, cache: str, key: bytes, now: float) -> NearCopy | None:
        """The copy of a key that may be served now."""
        # `now` is read first, then the lease, then the copy: one that is kept meanwhile came from the server meanwhile.
        if now >= self._lease_end:
            return None
        of_cache = self._copies.of.get(cache)
        if of_cache is None:
            return None
        copy = of_cache.get(key)
        if copy is None or now >= copy.ends_at:
            return None
        copy.used = True
        # One step without a call in it: the interpreter changes threads elsewhere.
        self.hits += 1
        return copy

    def begin(self, cache: str, key: bytes, stream: object, now: float) -> NearGet:
        """A near get is written into a stream."""
        # On another than the near stream nobody says what changes meanwhile: that answer is not kept.
        return self._flights.begin(cache, key, stream if stream == self._stream else None, now)

    def answered(self, get: NearGet, value: bytes | None, ticket: int, ttl_left: float, now: float) -> None:
        """A near get was answered: a value or none; the wire's ticket (the key's and 1; 0: none); what it has left."""
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
            # What says the same as the copy is no reason to drop it: nobody can tell the two apart. So of many that
            # read one key at once the first keeps it for all; the others, which it poisons, would drop it again.
            held = self._copies.find(cache, key)
            if held is not None and held.value != value:
                self._copies.drop(cache, key)
        elif self._copies.add(copy):
            self.kept += 1

    def _copy_of(self, get: NearGet, value: bytes | None, ticket: int, ttl_left: float, now: float) -> NearCopy | None:
        """What may be kept of an answer, but for what poisoned it."""
        if value is None or ticket <= 0 or get.stream is None or get.stream != self._stream:
            return None
        ends_at = get.sent_at + min(ttl_left, self._max_age)
        if ends_at <= now or len(value) > MOST_VALUE_BYTES:
            return None
        return NearCopy(get.flight.cache, get.flight.key, value, ticket - 1, ends_at)

    def failed(self, get: NearGet) -> None:
        """A near get has no answer: it failed, was lost, or nobody waits for it. Again: nothing happens."""
        if get.in_flight:
            self._flights.end(get)

    def ended(self, cache: str, key: bytes) -> None:
        """Another call that names the key has ended, in whatever way, before its caller sees it."""
        self._copies.drop(cache, key)
        self._flights.poison(cache, key)

    def flushed(self, cache: str) -> None:
        """This client's flush or deletion of a cache has ended, in whatever way."""
        self._copies.drop_cache(cache)
        self._flights.poison_cache(cache)

    def assert_valid(self) -> None:
        """Walk the invariants. Raises AssertionError."""
        self._copies.assert_valid()
        self._flights.assert_valid()
        assert self._stream is not None or not len(self._copies), "copies belong to the near stream"
