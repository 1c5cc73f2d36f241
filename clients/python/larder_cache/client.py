"""`CacheClient`: every operation, by cache name and key."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import TYPE_CHECKING, Self

from larder_cache.arguments import BatchItem, Key, Value
from larder_cache.client_batches import BatchCalls
from larder_cache.client_operations import OperationCalls
from larder_cache.client_scalars import ScalarCalls
from larder_cache.configuration import Configuration
from larder_cache.errors import CacheError, ErrorCode
from larder_cache.statistics import ClientStatistics

if TYPE_CHECKING:
    from larder_cache.bound_cache import BoundCache

__all__ = ["BatchItem", "CacheClient", "Key", "Value"]


class CacheClient(ScalarCalls, OperationCalls, BatchCalls):
    """A client of one server. Use it as `async with`, or call `aclose()`.

    Each event loop, and each forked process, has connections of its own.

    Keys and values are bytes, or text that is sent as UTF-8. Calls answer responses made for `match`, and never raise
    for what a server, a network or an argument's value does; TypeError where an argument is no key or value at all.
    Each takes `timeout_s`: its own deadline in place of the configuration's.
    """

    async def __aenter__(self) -> Self:
        timeout_s = self._configuration.eager_connect_timeout_s
        if timeout_s is not None and not await self.connect(timeout_s=timeout_s):
            await self.aclose()
            endpoint = self._credentials.endpoint
            raise CacheError(ErrorCode.UNAVAILABLE, f"no connection to {endpoint} within {timeout_s:g} s")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def connect(self, *, timeout_s: float = 10.0) -> bool:
        """Connect before the first call. False: not within the time; calls will go on trying."""
        return await self._started().connect(timeout_s)

    async def aclose(self) -> None:
        """End the calls in flight with CANCELLED and close the connections. Calling it again does nothing."""
        self._closed = True
        self._run = self._run_first
        runners, self._runners = self._runners, {}
        for loop, runner in runners.items():
            if loop is asyncio.get_running_loop():
                await runner.aclose()
            elif loop.is_running():
                await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(runner.aclose(), loop))

    @property
    def configuration(self) -> Configuration:
        """The settings in effect."""
        return self._configuration

    def cache(self, name: str) -> BoundCache:
        """Return a handle on one cache, with the ecosystem's short names; its calls return plain values."""
        from larder_cache.bound_cache import BoundCache

        return BoundCache(self, name)

    def statistics(self) -> ClientStatistics:
        """What the client holds now."""
        runner = self._started()
        limiter = runner.limiter if runner.pipelined else runner.unary_limiter
        return ClientStatistics(
            in_flight=runner.limiter.in_flight + runner.unary_limiter.in_flight,
            in_flight_limit=limiter.limit,
            target_out_of_reach=runner.target_out_of_reach,
            queued=runner.limiter.queued + runner.unary_limiter.queued,
            connections=runner.connections,
            pipelined=runner.pipelined,
        )

    def held(self) -> dict[str, int]:
        """What must be nothing once every call has ended, by name."""
        held = self._started().held()
        return held | {"flights": self.flights.under_way}

    async def held_there(self) -> dict[str, int]:
        """As `held`, on the event loop that the calls are on."""
        return self.held()

    async def statistics_there(self) -> ClientStatistics:
        """As `statistics`, on the event loop that the calls are on."""
        return self.statistics()

    @property
    def pipelined(self) -> bool:
        """Whether calls travel by the pipeline, as far as is known."""
        return all(runner.pipelined for runner in self._runners.values())
