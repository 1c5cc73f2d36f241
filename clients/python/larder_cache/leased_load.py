"""One `get_or_set` with a lease: of all processes one makes the value (spec GOC-1 to 11)."""

from __future__ import annotations

import logging
import random
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Union

from larder_cache import responses as r
from larder_cache.errors import ErrorCode
from larder_cache.get_or_set_options import GetOrSetOptions
from larder_cache.lease_answers import Elsewhere, Lease, Stale
from larder_cache.requests import tag_fields

if TYPE_CHECKING:
    from larder_cache.client import CacheClient

Answer = Union[r.Hit, Lease, Stale, Elsewhere, r.Error]

_log = logging.getLogger("larder_cache")
# Between two questions while somebody else loads: a question holds no permit of the cap while it waits, as one that
# waited at the server would.
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.01, 0.1


class LeasedLoad:
    """What its callers in this process share is a flight of the client's (`client.flights`)."""

    def __init__(
        self,
        client: CacheClient,
        cache: str,
        key: bytes,
        make: Callable[[], Awaitable[bytes]],
        ttl_ms: int,
        options: GetOrSetOptions,
        usable: Callable[[bytes], bool] | None,
    ) -> None:
        """`make`: the factory, within its time. `usable`: a value that it refuses is a miss."""
        self._client = client
        self._cache = cache
        self._calls = client.lease_calls(cache, key)
        self._make = make
        self._ttl_ms = ttl_ms
        self._options = options
        self._usable = usable

    async def run(self) -> bytes:
        """Return what the cache has, or is made. Raises what the factory raises, CacheError for what is refused."""
        pause_s = _FIRST_PAUSE_S
        while True:
            value = await self._of(await self._client.flights.to_its_end(self._ask, self._give_back))
            if value is not None:
                return value
            await self._client.flights.pause(pause_s * random.uniform(0.75, 1.25))
            pause_s = min(pause_s * 2, _LONGEST_PAUSE_S)

    async def _ask(self) -> Answer:
        return await self._calls.get_or_lease(self._options.lease_ms)

    async def _give_back(self, answer: Answer) -> None:
        """Nobody wants a lease any more that would be nobody's until its time is over."""
        if isinstance(answer, (Lease, Stale)) and answer.token:
            await self._calls.release(answer.token)

    async def _of(self, answer: Answer) -> bytes | None:
        """None: somebody else loads, and there is nothing to be served meanwhile."""
        match answer:
            case r.Hit():
                return answer.value if self._is_usable(answer.value) else await self._replace()
            case Lease():
                return await self._load(answer.token, None)
            case r.Error():
                return await self._without(answer)
            case Stale() if self._is_usable(answer.value) and answer.expired_ms < self._options.revalidate_ms:
                if answer.token:
                    await self._refresh(answer.token)
                return answer.value
            case Stale() if answer.token:
                is_safe = self._is_usable(answer.value) and answer.expired_ms < self._options.fail_safe_ms
                return await self._load(answer.token, answer.value if is_safe else None)
            case _:
                return None

    async def _load(self, token: bytes, stale: bytes | None) -> bytes:
        """`stale`: what is answered where the factory raises, or takes longer than the soft timeout."""
        patience_s = self._options.soft_timeout_s
        if stale is None:
            return await self._made(token)
        try:
            if patience_s is None:
                return await self._made(token)
            return await self._client.flights.outlast(lambda: self._made(token), patience_s, stale)
        except Exception as error:
            what = "Cache %r: what is stale is answered, as its factory raised %s"
            _log.warning(what, self._cache, type(error).__name__, exc_info=error)
            return stale

    async def _made(self, token: bytes) -> bytes:
        """Return what the factory makes, stored. A lease whose factory fails, or is given up, is given back."""
        try:
            value = await self._make()
        except GeneratorExit:
            raise  # Nothing can be waited for any more; the lease ends by itself.
        except BaseException:
            await self._calls.release(token)
            raise
        if isinstance(await self._store(value, token), r.Error):
            # The others are not to wait for what does not come.
            await self._calls.release(token)
        return value

    async def _refresh(self, token: bytes) -> None:
        if not self._client.flights.begin(lambda: self._made(token)):
            await self._calls.release(token)

    async def _replace(self) -> bytes:
        """In the place of a value that is of no use, for which there is no lease."""
        value = await self._make()
        await self._store(value, b"")
        return value

    async def _without(self, error: r.Error) -> bytes:
        """Without a lease: the cache cannot be reached, has its most leases, or has no such call."""
        if error.code is ErrorCode.INVALID_ARGUMENT:
            raise error.to_exception()
        if error.code is ErrorCode.LIMIT_EXCEEDED:
            return await self._replace()
        value = await self._make()
        # A server that knows no tags would keep what is to be removed by them.
        if error.code is ErrorCode.UNKNOWN and not self._options.tags:
            self._tell(await self._calls.set(value, self._ttl()))
        else:
            self._tell(error)
        return value

    async def _store(self, value: bytes, token: bytes) -> r.Stored | r.NotStored | r.Error:
        stale_ms = max(self._options.revalidate_ms, self._options.fail_safe_ms)
        tags = tag_fields(6, self._options.tags, least=0)
        answer = await self._calls.store(value, self._ttl(), stale_ms, token, tags)
        self._tell(answer)
        return answer

    def _ttl(self) -> int:
        return max(1, int(self._ttl_ms * (1 - self._options.jitter * random.random())))

    def _is_usable(self, value: bytes) -> bool:
        return self._usable is None or self._usable(value)

    def _tell(self, answer: r.Stored | r.NotStored | r.Success | r.Error) -> None:
        if isinstance(answer, r.Error):
            self._client.lasting_errors.tell(self._cache, answer)
