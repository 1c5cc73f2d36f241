"""Implements `get_or_set` with a lease, so that only one process loads the value (spec GOC)."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import TYPE_CHECKING, Union

from larder_cache import responses as r
from larder_cache._internal.calls.single_flight import current_flight
from larder_cache._internal.calls.soft_timeout import Offer, SoftTimeout
from larder_cache._internal.common import log
from larder_cache._internal.leases.expiry_policy import ExpiryPolicy, Use
from larder_cache._internal.leases.lease_calls import LeaseCalls
from larder_cache._internal.leases.made_value import Form, Made
from larder_cache._internal.operations.lease_answers import Elsewhere, Lease, Stale
from larder_cache.errors import ErrorCode
from larder_cache.get_or_set_options import GetOrSetOptions

if TYPE_CHECKING:
    from larder_cache.cache_results import CacheResults

Answer = Union[r.Hit, Lease, Stale, Elsewhere, r.Error]

# The first and the longest wait between two requests while another process loads the value. A caller that waits here
# does not need a permit. A call that waited on the server would need one.
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.01, 0.1


class LeasedLoad:
    """One load of a value. Concurrent callers of the client share it (`calls.flights`)."""

    def __init__(
        self,
        cache: CacheResults,
        key: bytes,
        make: Callable[[Stale | None], Awaitable[Made]],
        times: ExpiryPolicy,
        options: GetOrSetOptions,
        form: Form,
        soft_timeout: SoftTimeout | None,
    ) -> None:
        """Create the load. Nothing is requested before `run`.

        Args:
            make: Calls the factory, with its timeout, and encodes the result. Its argument is the stale value for the
                factory's context, or None.
            form: Decides whether a stored value is usable. An unusable value is a miss.
            soft_timeout: The soft timeout of the first caller.
        """
        self._cache = cache.name
        self._flights = cache.calls.flights
        self._lasting_errors = cache.parts.lasting_errors
        self._calls = LeaseCalls(cache.calls, cache.name, key, cache.timeout_s)
        self._make = make
        self._times = times
        self._options = options
        self._form = form
        self._soft_timeout = soft_timeout
        self._offer: Offer | None = None
        self._began_s = monotonic()

    async def run(self) -> bytes:
        """Return the cached or loaded value.

        Raises the exceptions of the factory, and CacheError if the server rejects the request.
        """
        pause_s = _FIRST_PAUSE_S
        began_s = self._began_s = monotonic()
        while True:
            answer = await self._flights.to_its_end(self._ask, self._give_back)
            self._offer_stale(answer)
            value = await self._of(answer)
            if value is not None:
                return value
            wait_s = pause_s * random.uniform(0.75, 1.25)
            soft_timeout = self._soft_timeout if self._flights.runs_in_caller else None
            if soft_timeout is not None:
                left_s = began_s + soft_timeout.soft_timeout_s - monotonic()
                if left_s <= 0 and (stale := soft_timeout.choose(self._offer, began_s)) is not None:
                    return stale
                wait_s = min(wait_s, left_s) if left_s > 0 else wait_s
            await self._flights.pause(wait_s)
            pause_s = min(pause_s * 2, _LONGEST_PAUSE_S)

    def _offer_stale(self, answer: Answer) -> None:
        """Offer the stale value of a response to the callers of this load, for use after their soft timeouts."""
        self._offer = None
        if isinstance(answer, Stale) and self._form.is_usable(answer.value):
            self._offer = Offer(answer.value, answer.expired_ms, lambda: log.refresh_put_off(self._cache))
        flight = current_flight.get()
        if flight is not None:
            flight.make_offer(self._offer)

    async def _ask(self) -> Answer:
        return await self._calls.get_or_lease(self._options.lease_ms)

    async def _give_back(self, answer: Answer) -> None:
        """Release a lease that arrived after its caller was cancelled.

        Otherwise it would block other callers until it expires.
        """
        if isinstance(answer, (Lease, Stale)) and answer.token:
            await self._calls.release(answer.token)

    async def _of(self, answer: Answer) -> bytes | None:
        """Process one response.

        Returns None if another process loads the value and there is no stale value to return.
        """
        match answer:
            case r.Hit():
                return answer.value if self._form.is_usable(answer.value) else await self._replace()
            case Lease():
                return await self._load(answer.token)
            case r.Error():
                return await self._without(answer)
            case Stale() if self._form.is_usable(answer.value):
                return await self._of_stale(answer)
            case Stale() if answer.token:
                return await self._load(answer.token)
            case _:
                return None

    async def _of_stale(self, stale: Stale) -> bytes | None:
        reading = self._times.read(stale.expired_ms, leased=bool(stale.token))
        match reading.use:
            case Use.HIT | Use.STALE:
                if reading.refresh:
                    await self._refresh(stale)
                return stale.value
            case Use.LOAD:
                return await self._load(stale.token, stale, is_fallback=reading.fallback)
            case Use.WAIT:
                return None

    async def _load(self, token: bytes, stale: Stale | None = None, *, is_fallback: bool = False) -> bytes:
        """Load the value.

        Args:
            stale: The stale value for the factory's context, or None.
            is_fallback: Whether the stale value is returned if the factory raises or exceeds the soft timeout.
        """
        soft_timeout_s = self._options.soft_timeout_s
        if self._offer is not None:
            self._offer.is_loading = True
        if stale is None or not is_fallback:
            return await self._made(token, stale)
        is_loaded = False

        async def load() -> bytes:
            nonlocal is_loaded
            made = await self._made(token, stale)
            is_loaded = True
            return made

        try:
            if soft_timeout_s is None:
                return await self._made(token, stale)
            left_s = max(0.0, self._began_s + soft_timeout_s - monotonic())
            value = await self._flights.outlast(load, left_s, stale.value)
        except Exception as error:
            if self._offer is not None and self._offer.is_in_background:
                raise  # No caller waits. `flights` logs the exception.
            log.stale_answered(self._cache, error)
            return stale.value
        if value is None:
            await self._put_off(token)
            return stale.value
        if not is_loaded:
            log.stale_answered(self._cache, None)
        return value

    async def _made(self, token: bytes, stale: Stale | None) -> bytes:
        """Run the factory and store its result. Release the lease if the factory raises or is cancelled."""
        try:
            made = await self._make(stale)
        except GeneratorExit:
            raise  # A generator that is being closed cannot await. The lease expires by itself.
        except BaseException:
            await self._calls.release(token)
            raise
        if not made.is_stored or isinstance(await self._store(made, token), r.Error):
            # The value was not stored. Release the lease, so that other callers do not wait for it.
            await self._calls.release(token)
        return made.value

    async def _refresh(self, stale: Stale) -> None:
        if not self._flights.begin(lambda: self._made(stale.token, stale)):
            await self._put_off(stale.token)

    async def _put_off(self, token: bytes) -> None:
        """Release the lease, because 32 values are already loading in the background (GOC-13)."""
        log.refresh_put_off(self._cache)
        await self._calls.release(token)

    async def _replace(self) -> bytes:
        """Load and store a value without a lease, for example to replace a value that cannot be decoded."""
        made = await self._make(None)
        if made.is_stored:
            await self._store(made, b"")
        return made.value

    async def _without(self, error: r.Error) -> bytes:
        """Load without a lease, because the request for a lease failed.

        The cache may be unreachable, have its maximum number of leases, or not support leases.
        """
        if error.code is ErrorCode.INVALID_ARGUMENT:
            raise error.to_exception()
        if error.code is ErrorCode.LIMIT_EXCEEDED:
            return await self._replace()
        made = await self._make(None)
        if not made.is_stored:
            return made.value
        # Do not store a value with tags. A server without leases does not support tags either, so `remove_by_tag` could
        # not remove the item.
        if error.is_unsupported and not made.tags:
            self._tell(await self._calls.set(made.value, self._times.plain(random.random(), made.ttl_ms)))
        else:
            self._tell(error)
        return made.value

    async def _store(self, made: Made, token: bytes) -> r.Stored | r.NotStored | r.Error:
        ttl_ms, stale_ms = self._times.stored(random.random(), made.ttl_ms)
        answer = await self._calls.store(made.value, ttl_ms, stale_ms, token, made.tags + made.validator)
        self._tell(answer)
        return answer

    def _tell(self, answer: r.Stored | r.NotStored | r.Success | r.Error) -> None:
        if isinstance(answer, r.Error):
            self._lasting_errors.tell(self._cache, answer)
