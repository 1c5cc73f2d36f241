"""Calls from any event loop over the connections of the background loop, which outlive the caller's loop."""

from __future__ import annotations

from typing import Any

from larder_cache._internal.blocking.background_loop import ask, awaited
from larder_cache._internal.blocking.loop_job import LoopUnavailable
from larder_cache._internal.calls.loop_calls import LoopCalls
from larder_cache._internal.calls.single_flight import SingleFlight
from larder_cache._internal.operations.operation import Operation
from larder_cache._internal.telemetry.statistics import ClientStatistics
from larder_cache._internal.topics.topic_buffer import TopicBuffer
from larder_cache._internal.topics.topic_messages import Wanted


class CrossLoopCalls:
    """Calls of programs with many short-lived event loops, such as one for each web request.

    They share one connection.
    """

    def __init__(self, remote: LoopCalls) -> None:
        """`remote`: the calls on the background loop; their settings are used."""
        self._remote = remote
        self.credentials = remote.credentials
        self.configuration = remote.configuration
        self.near = remote.near
        self.flights: SingleFlight[tuple[str, bytes], bytes] = SingleFlight()

    async def run(self, operation: Operation[Any], cache: str, payload: bytes, *rest: Any) -> Any:
        try:
            return await awaited(self._remote.run(operation, cache, payload, *rest))
        except LoopUnavailable as error:
            return error.response(operation.name)
        except BaseException:
            self._given_up(operation, cache, [payload])
            raise

    async def run_each(
        self, operation: Operation[Any], cache: str, payloads: list[bytes], timeout_s: float | None = None
    ) -> list[Any]:
        try:
            return await awaited(self._remote.run_each(operation, cache, payloads, timeout_s))
        except LoopUnavailable as error:
            return [error.response(operation.name)] * len(payloads)
        except BaseException:
            self._given_up(operation, cache, payloads)
            raise

    def _given_up(self, operation: Operation[Any], cache: str, payloads: list[bytes]) -> None:
        """The caller does not wait; the background loop records the end of the call later."""
        if self.near is not None:
            for payload in payloads:
                self.near.ended(operation, cache, payload)

    def follow(self, wanted: Wanted, buffer: TopicBuffer) -> None:
        """Unsupported: a subscription's events need an event loop that stays."""
        raise RuntimeError(
            "a framework adapter's cache does not support subscriptions; use a larder_cache.CacheClient for them"
        )

    async def gone(self, buffer: TopicBuffer) -> None:
        """Do nothing: there are no subscriptions."""

    async def connect(self, timeout_s: float) -> bool:
        try:
            return await awaited(self._remote.connect(timeout_s))
        except LoopUnavailable:
            return False

    async def aclose(self) -> None:
        """Do nothing: other callers use the connections too."""

    def statistics(self) -> ClientStatistics:
        return ask(self._remote.statistics)

    def held(self) -> dict[str, int]:
        return ask(self._remote.held)
