"""The calls of a client, which a fake server processes in the caller's thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from larder_cache import responses as r
from larder_cache._internal.blocking.background_loop import background_loop, close_with_loop
from larder_cache._internal.blocking.loop_job import LoopUnavailable
from larder_cache._internal.calls.single_flight import SingleFlight
from larder_cache._internal.calls.thread_flights import ThreadFlights
from larder_cache._internal.near.near_reads import NearReads
from larder_cache._internal.operations.arguments import Refusal, check_timeout
from larder_cache._internal.operations.operation import Operation
from larder_cache._internal.telemetry.statistics import ClientStatistics, TopicStatistics
from larder_cache._internal.topics.topic_buffer import TopicBuffer
from larder_cache._internal.topics.topic_messages import Wanted
from larder_cache.configuration import Configuration
from larder_cache.credential_provider import CredentialProvider
from larder_cache.errors import ErrorCode


class Answering(Protocol):
    """The interface through which clients call a fake server. Thread-safe."""

    def answer(self, operation: Operation[Any], cache: str, payload: bytes) -> Any:
        """Run a call. Returns the response or an Error."""
        ...

    def follow(self, wanted: Wanted, buffer: TopicBuffer, loop: asyncio.AbstractEventLoop) -> r.Error | None:
        """Start a subscription. Returns an Error if it fails."""
        ...

    def end(self, buffers: set[TopicBuffer]) -> None:
        """End the subscriptions with these buffers. The consumers get no error."""
        ...


class FakeCalls:
    """The calls of a client of a fake server. Nothing is sent. There are no attempts, deadlines, limits or near copies.

    Each asynchronous call yields to the event loop once, as a real call does. A blocking call never yields.
    """

    near: NearReads | None = None

    def __init__(
        self, fake: Answering, credentials: CredentialProvider, configuration: Configuration, *, blocks: bool
    ) -> None:
        self.credentials = credentials
        self.configuration = configuration
        self._fake = fake
        self._blocks = blocks
        self._closed = False
        self._buffers: set[TopicBuffer] = set()
        self.flights: SingleFlight[tuple[str, bytes], bytes] = ThreadFlights() if blocks else SingleFlight()
        self.run: Callable[..., Coroutine[Any, Any, Any]] = self._run

    async def _run(self, operation: Operation[Any], cache: str, payload: bytes, timeout_s: float | None = None) -> Any:
        if timeout_s is not None:
            try:
                check_timeout(timeout_s)
            except Refusal as refusal:
                return refusal.error
        if not self._blocks:
            await asyncio.sleep(0)
        if self._closed:
            return r.Error(ErrorCode.CANCELLED, f"{operation.name}: the client is closed")
        return self._fake.answer(operation, cache, payload)

    async def run_each(
        self, operation: Operation[Any], cache: str, payloads: list[bytes], timeout_s: float | None = None
    ) -> list[Any]:
        return [await self._run(operation, cache, payload, timeout_s) for payload in payloads]

    def follow(self, wanted: Wanted, buffer: TopicBuffer) -> None:
        if buffer.is_followed:
            return  # A signal handler has interrupted the caller that started the subscription.
        if self._closed:
            buffer.end(r.Error(ErrorCode.CANCELLED, "subscribe: the client is closed"))
            return
        try:
            loop = background_loop() if self._blocks else asyncio.get_running_loop()
        except LoopUnavailable as error:
            buffer.end(error.response("subscribe"))
            return
        refused = self._fake.follow(wanted, buffer, loop)
        if refused is not None:
            buffer.end(refused)
            return
        self._forget_ended()
        self._buffers.add(buffer)
        if self._blocks:
            close_with_loop(buffer)

    def _forget_ended(self) -> None:
        self._buffers = {buffer for buffer in self._buffers if not buffer.over}

    async def gone(self, buffer: TopicBuffer) -> None:
        """Do nothing, because `leave` has already released the resources of the subscription."""

    async def connect(self, timeout_s: float) -> bool:
        return not self._closed

    async def aclose(self) -> None:
        self._closed = True
        buffers, self._buffers = self._buffers, set()
        self._fake.end(buffers)

    def statistics(self) -> ClientStatistics:
        self._forget_ended()
        return ClientStatistics(
            in_flight=0,
            in_flight_limit=None,
            target_out_of_reach=False,
            queued=0,
            connections=0,
            pipelined=False,
            topics=TopicStatistics(subscriptions=len(self._buffers)),
        )

    def held(self) -> dict[str, int]:
        self._forget_ended()
        return {"flights": self.flights.under_way, "subscriptions": len(self._buffers)}
