"""The calls of a handle with an invalid name or timeout. Each call returns the same Error."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from larder_cache import responses as r
from larder_cache._internal.calls.single_flight import SingleFlight
from larder_cache._internal.client.calls import Calls
from larder_cache._internal.near.near_reads import NearReads
from larder_cache._internal.operations.operation import Operation
from larder_cache._internal.telemetry.statistics import ClientStatistics
from larder_cache._internal.topics.topic_buffer import TopicBuffer
from larder_cache._internal.topics.topic_messages import Wanted


class RefusedCalls:
    """Implements `Calls` for one invalid handle. Nothing is sent."""

    near: NearReads | None = None

    def __init__(self, error: r.Error, calls: Calls) -> None:
        """Create the calls of an invalid handle.

        Args:
            error: The Error that each call returns.
            calls: The client's calls. Used to connect and to read statistics, which do not depend on the handle.
        """
        self._error = error
        self._calls = calls
        self.credentials = calls.credentials
        self.configuration = calls.configuration
        self.run: Callable[..., Coroutine[Any, Any, Any]] = self._run

    @property
    def flights(self) -> SingleFlight[tuple[str, bytes], bytes]:
        return self._calls.flights

    async def _run(self, *_: object) -> r.Error:
        return self._error

    async def run_each(
        self, operation: Operation[Any], cache: str, payloads: list[bytes], timeout_s: float | None = None
    ) -> list[Any]:
        return [self._error]

    def follow(self, wanted: Wanted, buffer: TopicBuffer) -> None:
        buffer.end(self._error)

    async def gone(self, buffer: TopicBuffer) -> None:
        """Do nothing, because a rejected subscription has no resources."""

    async def connect(self, timeout_s: float) -> bool:
        return await self._calls.connect(timeout_s)

    async def aclose(self) -> None:
        """Do nothing, because the client closes its own calls."""

    def statistics(self) -> ClientStatistics:
        return self._calls.statistics()

    def held(self) -> dict[str, int]:
        return self._calls.held()
