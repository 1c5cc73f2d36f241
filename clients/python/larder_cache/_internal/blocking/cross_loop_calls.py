"""Runs calls from any event loop on connections of the background loop.

The connections outlive the caller's loop.
"""

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
    """The calls of programs with many short-lived event loops, for example one for each web request.

    All event loops share the connections of the background loop.
    """

    def __init__(self, remote: LoopCalls) -> None:
        """Create the calls. They use the connections and settings of `remote`.

        Args:
            remote: Runs the calls on the background loop.
        """
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
        """Record in the near cache that the caller no longer waits for these calls.

        The background loop records the end of the calls later.
        """
        if self.near is not None:
            for payload in payloads:
                self.near.ended(operation, cache, payload)

    def follow(self, wanted: Wanted, buffer: TopicBuffer) -> None:
        """Raise RuntimeError, because a subscription needs an event loop that keeps running."""
        raise RuntimeError(
            "a framework adapter's cache does not support subscriptions; use a larder_cache.CacheClient for them"
        )

    async def gone(self, buffer: TopicBuffer) -> None:
        """Do nothing, because subscriptions are not supported here."""

    async def connect(self, timeout_s: float) -> bool:
        try:
            return await awaited(self._remote.connect(timeout_s))
        except LoopUnavailable:
            return False

    async def aclose(self) -> None:
        """Do nothing, because other callers use the same connections."""

    def statistics(self) -> ClientStatistics:
        return ask(self._remote.statistics)

    def held(self) -> dict[str, int]:
        return ask(self._remote.held)
