"""The calls of blocking clients: coroutines that complete without an event loop."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections import Counter
from collections.abc import Callable, Coroutine
from random import random
from time import monotonic
from typing import Any

from larder_cache import responses as r
from larder_cache._internal.blocking.background_loop import ask, close_with_loop, wait_for
from larder_cache._internal.blocking.blocking_pool import BlockingPool, Opening
from larder_cache._internal.blocking.blocking_stream import BlockingStream
from larder_cache._internal.blocking.loop_job import LoopUnavailable
from larder_cache._internal.calls.loop_calls import AT_ONCE, LoopCalls
from larder_cache._internal.calls.observers import NOBODY, Observers
from larder_cache._internal.calls.thread_flights import ThreadFlights
from larder_cache._internal.common import forks, log
from larder_cache._internal.configuration.token_source import CallMetadata
from larder_cache._internal.gateways.gateway_choice import choose
from larder_cache._internal.near.near_reads import NearReads
from larder_cache._internal.operations import pipeline_codec as codec
from larder_cache._internal.operations._generated.operations import GET
from larder_cache._internal.operations.arguments import Refusal, check_timeout
from larder_cache._internal.operations.operation import Operation
from larder_cache._internal.telemetry.statistics import ClientStatistics
from larder_cache._internal.topics.topic_buffer import TopicBuffer
from larder_cache._internal.topics.topic_messages import Wanted
from larder_cache._internal.transport.pipeline_stream import LARGE_REQUEST_BYTES
from larder_cache.configuration import Configuration, Transport
from larder_cache.credential_provider import CredentialProvider
from larder_cache.errors import UNIMPLEMENTED, ErrorCode, Failure

# The maximum number of connections that threads use exclusively. Additional threads share the pipeline of the
# background loop, which combines many calls in one message (docs/decisions/ADR-0050, measured with 32 threads).
_MOST_CONNECTIONS = 32


class BlockingCalls:
    """The calls of a blocking client. Run its coroutines with `background_loop.drive`. Thread-safe.

    A call takes a connection for its exclusive use and waits for the response in the caller's thread. The call runs on
    the background loop instead:

    - if no connection is available: no server is reachable, the value is large, the server has no pipeline, or there
      are more threads than connections
    - after any failure, because only the background loop waits, retries and creates error messages
    - if metrics, tracing or an adaptive limit are configured

    One limit applies to calls on exclusive connections and to calls on the background loop. The permits of exclusive
    connections are subtracted from the limit of the background loop. Only the background loop has a queue.
    """

    def __init__(
        self, credentials: CredentialProvider, configuration: Configuration, observers: Observers | None
    ) -> None:
        """Validate the settings. Does not connect."""
        self.credentials = credentials
        self.configuration = configuration
        cap = configuration.max_in_flight_pipeline
        most = _MOST_CONNECTIONS if cap is None else min(_MOST_CONNECTIONS, cap // 2)
        one_way = configuration.transport is Transport.UNARY
        if (observers or NOBODY) != NOBODY or configuration.adaptive_target_s is not None or one_way:
            most = 0
        rest = configuration if cap is None else configuration.with_settings(max_in_flight_pipeline=cap - most)
        # Runs calls on the background loop.
        self.remote = LoopCalls(credentials, rest, observers)
        self.near = self.remote.near
        self.run: Callable[..., Coroutine[Any, Any, Any]] = self._run
        if self.near is not None:
            self.run = functools.partial(self._run_near, self.near)
        self._metadata = CallMetadata(credentials.token, configuration.headers, self.remote.tokens)
        self._timeout_s = configuration.request_timeout_s
        self._pool = BlockingPool(self._choose, most)
        self.remote.on_doubt = self._pool.doubt
        # The permits of exclusive connections are part of the limit only while the background loop uses the pipeline.
        self.remote.apart = lambda: (self._pool.in_flight, self._pool.most if self.remote.pipelined else 0)
        self._fields: dict[str, bytes] = {}
        self._closed = False
        self.flights: ThreadFlights[tuple[str, bytes], bytes] = ThreadFlights()
        forks.tell(self)

    def after_fork(self) -> None:
        """Reset the state in a forked child process (forks.Forked)."""
        self._pool.after_fork()
        self.flights.forget()

    def _choose(self, load: Counter[str]) -> Opening | None:
        timeout_s = min(self._timeout_s, self.configuration.connect_timeout_s)
        gap_since = self.remote.gap_since
        gateways = self.remote.gateways_up()
        if gateways is None:
            return "", lambda: BlockingStream(self.credentials, self._metadata, timeout_s, gap_since=gap_since)
        if not gateways:
            return None
        # A connection carries one call at a time. Therefore the gateway with the fewest connections has the fewest
        # calls.
        gateway = gateways[choose([load[each.name] for each in gateways], random(), random())]
        metadata = CallMetadata(gateway.credentials.token, self.configuration.headers, self.remote.tokens)
        made = gateway.credentials, metadata, timeout_s, gateway.address, gateway.name
        return gateway.name, lambda: BlockingStream(*made, gap_since=gap_since)

    async def _run_near(
        self, near: NearReads, operation: Operation[Any], cache: str, payload: bytes, timeout_s: float | None = None
    ) -> Any:
        """Run a call of a client that has a near cache."""
        by_near = operation is GET and near.has_stream and near.settings.covers(cache, codec.read_key(payload))
        is_told = False
        try:
            answer = await self._run(operation, cache, payload, timeout_s, by_near)
            # The background loop has already updated the near cache, and may have kept the response of this call there.
            is_told = by_near
            return answer
        finally:
            if not is_told:
                near.ended(operation, cache, payload)

    async def _run(
        self, operation: Operation[Any], cache: str, payload: bytes, timeout_s: float | None = None, there: bool = False
    ) -> Any:
        """Run a call on an exclusive connection if one is available, otherwise on the background loop.

        Args:
            there: Whether to run the call on the background loop in any case.
        """
        if timeout_s is None:
            timeout_s = self._timeout_s
        else:
            try:
                check_timeout(timeout_s)
            except Refusal as refusal:
                return refusal.error
        there = there or operation.field is None or len(payload) > LARGE_REQUEST_BYTES
        if there or (stream := self._pool.take()) is None:
            return self._run_on_loop(operation, cache, payload, timeout_s)
        started = monotonic()
        try:
            outcome = stream.call(operation, self._fields.get(cache) or self._field(cache), payload, timeout_s)
        except BaseException:
            self._pool.drop(stream)
            raise
        if outcome.__class__ is not Failure:
            self._pool.give_back(stream)
            return outcome
        if not stream.failed:
            self._pool.give_back(stream)
        else:
            self._pool.failed(stream)
            if outcome.silent:
                self.remote.replace_idle(stream.name)
            log.connection_lost(stream.name or self.credentials.endpoint, outcome.error_code, outcome.message)
            if outcome.status == UNIMPLEMENTED:
                self._pool.most = 0
        if self._closed:
            return r.Error(ErrorCode.CANCELLED, f"{operation.name}: the client was closed")
        elapsed = monotonic() - started
        left = max(timeout_s - elapsed, 0.001)
        return _there(operation, self.remote.resume(operation, cache, payload, elapsed, left, outcome), left)

    def _run_on_loop(self, operation: Operation[Any], cache: str, payload: bytes, timeout_s: float) -> Any:
        """Run a call on the background loop.

        The result decides whether exclusive connections may be opened again.
        """
        response = _there(operation, self.remote.run(operation, cache, payload, timeout_s), timeout_s)
        pool = self._pool
        if not pool.proven and operation.field is not None and not self._closed:
            pool.proven = response.__class__ is not r.Error and self.remote.pipelined
        return response

    async def run_each(
        self, operation: Operation[Any], cache: str, payloads: list[bytes], timeout_s: float | None = None
    ) -> list[Any]:
        each_s = self._timeout_s
        if timeout_s is not None:
            try:
                check_timeout(timeout_s)
            except Refusal as refusal:
                return [refusal.error] * len(payloads)
            each_s = timeout_s
        try:
            within_s = each_s * math.ceil(len(payloads) / AT_ONCE)
            return wait_for(self.remote.run_each(operation, cache, payloads, timeout_s), within_s)
        except LoopUnavailable as error:
            return [error.response(operation.name)] * len(payloads)
        except BaseException:
            if self.near is not None:
                # This thread no longer waits for the calls. The background loop records their end later.
                for payload in payloads:
                    self.near.ended(operation, cache, payload)
            raise

    def _field(self, cache: str) -> bytes:
        # The number of cached names is limited, because the application chooses the names.
        if len(self._fields) > 1_000:
            self._fields = {}
        field = self._fields[cache] = codec.encode_cache(cache)
        return field

    def follow(self, wanted: Wanted, buffer: TopicBuffer) -> None:
        try:
            ask(lambda: self.remote.follow(wanted, buffer))
        except LoopUnavailable as error:
            buffer.end(error.response("subscribe"))
            return
        close_with_loop(buffer)

    async def gone(self, buffer: TopicBuffer) -> None:
        """Return without waiting. Closing a blocking subscription does not wait for the server."""

    async def connect(self, timeout_s: float) -> bool:
        try:
            return wait_for(self.remote.connect(timeout_s), timeout_s)
        except LoopUnavailable:
            return False

    async def aclose(self) -> None:
        self._closed = True
        self._pool.close()
        try:
            wait_for(self.remote.aclose(), 0.0)
        except LoopUnavailable as error:
            # During interpreter exit the background loop has already closed its connections.
            if error.code is ErrorCode.TIMEOUT:
                log.close_failed(error)

    def held(self) -> dict[str, int]:
        taken = {"flights": self.flights.under_way, "connections taken": self._pool.in_flight}
        return ask(self.remote.held) | taken

    def statistics(self) -> ClientStatistics:
        there = ask(self.remote.statistics)
        limit = there.in_flight_limit
        return dataclasses.replace(
            there,
            in_flight=there.in_flight + self._pool.in_flight,
            in_flight_limit=limit if limit is None or not there.pipelined else limit + self._pool.most,
            connections=there.connections + self._pool.connections,
        )


def _there(operation: Operation[Any], work: Coroutine[Any, Any, Any], timeout_s: float) -> Any:
    """Run a call on the background loop, which ends it within its deadline."""
    try:
        return wait_for(work, timeout_s)
    except LoopUnavailable as error:
        return error.response(operation.name)
