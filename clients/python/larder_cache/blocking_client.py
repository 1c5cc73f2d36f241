"""`CacheClient` for threads that block: its coroutines end without ever waiting for an event loop."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from time import monotonic
from typing import Any

from larder_cache import operations as op
from larder_cache import pipeline_codec as codec
from larder_cache import responses as r
from larder_cache.arguments import Refusal, check_timeout
from larder_cache.background_loop import wait_for
from larder_cache.blocking_pool import BlockingPool
from larder_cache.blocking_stream import BlockingStream
from larder_cache.client import CacheClient
from larder_cache.configuration import Configuration, Transport
from larder_cache.credential_provider import CredentialProvider
from larder_cache.errors import UNIMPLEMENTED, ErrorCode, Failure
from larder_cache.pipeline_stream import LARGE_PAYLOAD_BYTES
from larder_cache.single_flight import ThreadFlights
from larder_cache.statistics import ClientStatistics
from larder_cache.telemetry import Metrics
from larder_cache.ttl import Ttl

# Connections of threads' own. More threads than these share the pipeline of the background loop, many calls a message
# (docs/decisions/ADR-0050: measured with 32 threads).
_MOST_CONNECTIONS = 32


class BlockingClient(CacheClient):
    """Run its coroutines with `background_loop.drive`. Safe for threads.

    A call takes a connection of its own and waits for it in its thread; where none is to be had (no server, a large
    value, a server without a pipeline, more threads than connections), and after any failure, it goes by the same
    client on the background loop, which waits, retries and words errors. With metrics or an adaptive cap all calls do.
    """

    def __init__(
        self,
        credentials: CredentialProvider | None = None,
        *,
        default_ttl: Ttl,
        configuration: Configuration | None = None,
        headers: Mapping[str, str] | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        """As CacheClient."""
        super().__init__(
            credentials, default_ttl=default_ttl, configuration=configuration, headers=headers, metrics=metrics
        )
        token = self._credentials.token
        self._metadata = ([("authorization", token)] if token else []) + list(self._headers.items())
        chosen = self._configuration
        cap = chosen.max_in_flight_pipeline
        most = _MOST_CONNECTIONS if cap is None else min(_MOST_CONNECTIONS, cap // 2)
        if metrics is not None or chosen.adaptive_target_s is not None or chosen.transport is Transport.UNARY:
            most = 0
        # The cap holds for both together.
        rest = chosen if cap is None else dataclasses.replace(chosen, max_in_flight_pipeline=cap - most)
        self._remote = CacheClient(
            self._credentials, default_ttl=default_ttl, configuration=rest, headers=headers, metrics=metrics
        )
        self._pool = BlockingPool(self._connect, most)
        self._timeout_s = chosen.request_timeout_s
        self._fields: dict[str, bytes] = {}
        self.flights = ThreadFlights()
        self._run = self._run_here

    def after_fork(self) -> None:
        self._pool.after_fork()
        self.flights.forget()

    def _connect(self) -> BlockingStream:
        return BlockingStream(self._credentials, self._metadata, self._timeout_s)

    async def _run_here(
        self, operation: op.Operation[Any], cache: str, payload: bytes, timeout_s: float | None = None
    ) -> Any:
        if timeout_s is None:
            timeout_s = self._timeout_s
        else:
            try:
                check_timeout(timeout_s)
            except Refusal as refusal:
                return refusal.error
        if operation.field is None or len(payload) > LARGE_PAYLOAD_BYTES or (stream := self._pool.take()) is None:
            return self._run_there(operation, cache, payload, timeout_s)
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
            self._pool.drop(stream)
            self._pool.doubt()
            if outcome.status == UNIMPLEMENTED:
                self._pool.most = 0
        if self._closed:
            return r.Error(ErrorCode.CANCELLED, f"{operation.name}: the client was closed")
        elapsed = monotonic() - started
        left = max(timeout_s - elapsed, 0.001)
        return wait_for(self._resume(operation, cache, payload, elapsed, left, outcome))

    def _run_there(self, operation: op.Operation[Any], cache: str, payload: bytes, timeout_s: float) -> Any:
        """Run a call on the background loop, and learn from it whether connections of one's own are worth a try."""
        response = wait_for(self._remote.run(operation, cache, payload, timeout_s))
        pool = self._pool
        if not pool.proven and operation.field is not None and not self._closed:
            pool.proven = response.__class__ is not r.Error and self._remote.pipelined
        return response

    async def run_each(
        self, operation: op.Operation[Any], cache: str, payloads: list[bytes], timeout_s: float | None = None
    ) -> list[Any]:
        return wait_for(self._remote.run_each(operation, cache, payloads, timeout_s))

    async def _resume(self, *arguments: Any) -> Any:
        return await self._remote.resume(*arguments)

    def _field(self, cache: str) -> bytes:
        # Bounded, as names come from the application.
        if len(self._fields) > 1_000:
            self._fields = {}
        field = self._fields[cache] = codec.encode_cache(cache)
        return field

    @property
    def remote(self) -> CacheClient:
        """The client on the background loop."""
        return self._remote

    async def connect(self, *, timeout_s: float = 10.0) -> bool:
        return wait_for(self._remote.connect(timeout_s=timeout_s))

    async def aclose(self) -> None:
        self._closed = True
        self._pool.close()
        wait_for(self._remote.aclose())

    def held(self) -> dict[str, int]:
        """What must be nothing once every call has ended, by name."""
        there = wait_for(self._remote.held_there())
        return there | {"flights": self.flights.under_way, "connections taken": self._pool.in_flight}

    def statistics(self) -> ClientStatistics:
        """What the client holds now."""
        there = wait_for(self._remote.statistics_there())
        limit = there.in_flight_limit
        return dataclasses.replace(
            there,
            in_flight=there.in_flight + self._pool.in_flight,
            in_flight_limit=limit if limit is None or not there.pipelined else limit + self._pool.most,
            connections=there.connections + self._pool.connections,
        )
