"""One gRPC call per request, by grpcio."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import grpc
import grpc.aio

from larder_cache import log
from larder_cache import pipeline_codec as codec
from larder_cache.call import Call
from larder_cache.channel_pool import Channel, ChannelPool, grpcio
from larder_cache.configuration import Configuration
from larder_cache.credential_provider import CredentialProvider
from larder_cache.errors import (
    DEADLINE_EXCEEDED,
    INTERNAL,
    INVALID_ARGUMENT,
    UNAVAILABLE,
    UNKNOWN,
    ErrorCode,
    Failure,
    no_such_status,
)
from larder_cache.operations import PING
from larder_cache.stale_connections import SILENCE_S
from larder_cache.tls_probe import TlsProbe
from larder_cache.token_source import CallMetadata
from larder_cache.unary_alone import call_alone
from larder_cache.wall_clock import Remaining

# A call waits for the connection instead of failing at once, unless the server has been out of reach for longer (as
# PipelineTransport). So a call that may not be repeated does not fail for want of a connection that is being made.
_GRACE_S = 2.0
_CACHE_NAME = "a cache name travels as metadata beside unary calls, where only printable ASCII can"


class UnaryTransport:
    """Makes one attempt of a call, within its deadline. Bounds and retries are the caller's."""

    def __init__(
        self,
        credentials: CredentialProvider,
        configuration: Configuration,
        metadata: CallMetadata,
        loop: asyncio.AbstractEventLoop,
        address: str | None = None,
        *,
        patient: bool = True,
    ) -> None:
        """`address`: the one of the host's to connect to. `patient`: calls wait for a connection that is being made."""
        self._credentials = credentials
        self._address = address
        # For logs, as Front.name.
        self._endpoint = credentials.endpoint if address is None else f"{credentials.endpoint} ({address})"
        self._patient = patient
        self._configuration = configuration
        # Made by the first call: a client whose calls are pipelined may never need grpcio's threads.
        self._made_pool: ChannelPool | None = None
        self._metadata = metadata
        self._of_cache: dict[str, tuple[tuple[str, str], ...]] = {}
        # Of the token that `_of_cache` has.
        self._shown = metadata.version
        self._loop = loop
        self._probe = TlsProbe(credentials, address, loop)
        self._unreachable_since: float | None = None
        # No call waits longer than its deadline: once as much has passed, the next need not find that out again.
        self._grace_s = min(_GRACE_S, configuration.request_timeout_s)

    @property
    def connections(self) -> int:
        """Connections that are up."""
        return 0 if self._made_pool is None else self._made_pool.connections

    @property
    def in_flight(self) -> int:
        """Calls on the channels."""
        return 0 if self._made_pool is None else self._made_pool.in_flight

    def _pool(self) -> ChannelPool:
        if self._made_pool is None:
            self._made_pool = ChannelPool(self._credentials, self._configuration, self._address)
        return self._made_pool

    async def attempt(self, call: Call) -> Any:
        """Return the response, or a Failure."""
        if grpcio.lost:
            return await self._attempt_alone(call)
        pool = self._made_pool or self._pool()
        if self._credentials.tls_files is not None:
            pool.follow_files()
        channel = pool.least_loaded()
        now = self._loop.time()
        if self._credentials.tls and not channel.up:
            self._probe.later(call.deadline - now, lambda: channel.up)
        if not call.sent:
            call.sent = now
        call.attempts += 1
        if not call.cache.isascii() or not call.cache.isprintable():
            return Failure(INVALID_ARGUMENT, _CACHE_NAME)
        shown = self._metadata.version
        if shown != self._shown:
            self._shown = shown
            self._of_cache.clear()
        metadata = self._of_cache.get(call.cache) or self._remember(call.cache)
        if not channel.greeted:
            channel.greeted = True
            metadata += (("agent", "larder-python:0.1.0"), ("runtime-version", sys.version.split()[0]))
        operation = call.operation
        task = asyncio.current_task() if operation.streams else None
        cancels = 0 if task is None else task.cancelling()
        channel.in_flight += 1
        channel.asked_at = channel.asked_at or now
        on = channel.grpc
        try:
            rpc = channel.callable(operation)
            made = rpc(
                call.payload,
                timeout=Remaining(call.deadline - now),
                metadata=metadata,
                wait_for_ready=self._within_grace(now),
            )
            payload = await (_collect(made) if operation.streams else made)
            channel.asked_at = 0.0
        except asyncio.CancelledError:
            self._replace_silent(pool, channel, on)
            raise
        except grpc.aio.AioRpcError as error:
            if task is not None and task.cancelling() > cancels:
                # grpcio swallows the cancellation of who reads a stream that has just ended with a status.
                raise asyncio.CancelledError from None
            is_new = channel.grpc is not on or self._loop.time() - channel.replaced_at < SILENCE_S
            failure = self._failure(error, is_new or channel.up, now)
            if failure.status != DEADLINE_EXCEEDED:
                channel.asked_at = 0.0
            else:
                failure.silent = self._replace_silent(pool, channel, on)
            if failure.status == UNAVAILABLE and failure.cause is None:
                await self._say_why(failure, call.deadline)
            failure.shown = shown
            return failure
        except KeyError as status:
            return Failure(UNKNOWN, no_such_status(status))
        except Exception as broken:
            # What grpcio refuses to send; it never left.
            why = f"the call could not be sent: {type(broken).__name__}: {broken}"
            return Failure(INTERNAL, why, not_executed=True, code=ErrorCode.INTERNAL)
        finally:
            channel.in_flight -= 1
        if self._unreachable_since is not None:
            self._unreachable_since = None
            log.connection_opened(self._endpoint)
        try:
            return operation.read(call.payload, payload)
        except Exception as broken:
            # Whatever a decoder meets in foreign bytes is the server's fault, and this call's alone.
            return Failure(INTERNAL, f"the server's answer could not be read: {broken}")

    async def _attempt_alone(self, call: Call) -> Any:
        """As `attempt`, in a forked child in which grpcio does not work."""
        now = self._loop.time()
        call.sent = call.sent or now
        call.attempts += 1
        if not call.cache.isascii() or not call.cache.isprintable():
            return Failure(INVALID_ARGUMENT, _CACHE_NAME)
        shown = self._metadata.version
        metadata = [*self._metadata.pairs(), *((("cache", call.cache),) if call.cache else ())]
        operation = call.operation
        left_s = call.deadline - now
        answer = await call_alone(self._credentials, self._address, operation.path, metadata, call.payload, left_s)
        if isinstance(answer, Failure):
            answer.shown = shown
            return answer
        if not operation.streams and len(answer) != 1:
            return Failure(INTERNAL, f"expected one response message, got {len(answer)}")
        try:
            return operation.read(call.payload, codec.encode_items(answer) if operation.streams else answer[0])
        except Exception as broken:
            return Failure(INTERNAL, f"the server's answer could not be read: {broken}")

    def _replace_silent(self, pool: ChannelPool, channel: Channel, on: grpc.aio.Channel) -> bool:
        """Replace a connection that received nothing while a call waited. `on`: what the call was sent on."""
        silent = channel.asked_at > 0 and self._loop.time() - channel.asked_at >= SILENCE_S
        if channel.grpc is not on:
            return False
        if not channel.up:
            # It waited for a connection, and not for an answer.
            channel.asked_at = 0.0
            return False
        if not silent:
            return False
        pool.replace_silent(channel)
        return True

    def replace_idle(self, name: str = "") -> None:
        """Replace the connections without a call. `name`: as FrontSet."""
        if self._made_pool is not None:
            self._made_pool.replace_idle()

    async def _say_why(self, failure: Failure, deadline: float) -> None:
        """Put TLS's reason first, where that is what keeps us from connecting."""
        try:
            async with asyncio.timeout_at(deadline):
                reason = await self._probe.reason()
        except TimeoutError:
            return
        if reason is not None and reason not in failure.message:
            failure.message = f"{reason} ({failure.message})"

    def _remember(self, cache: str) -> tuple[tuple[str, str], ...]:
        # Bounded: names come from the application.
        if len(self._of_cache) > 1_000:
            self._of_cache.clear()
        name = (*self._metadata.pairs(), *((("cache", cache),) if cache else ()))
        self._of_cache[cache] = name
        return name

    def _within_grace(self, now: float) -> bool:
        if not self._patient:
            return False
        return self._unreachable_since is None or now - self._unreachable_since < self._grace_s

    def _failure(self, error: grpc.aio.AioRpcError, was_up: bool, started: float) -> Failure:
        status = error.code().value[0]
        cause: str | None = None
        for key, value in error.trailing_metadata():
            if key == "err":
                cause = str(value)
        if not self._patient:
            pass
        elif status == UNAVAILABLE and cause is None:
            if not self._within_grace(started):
                # To try again is gRPC's, at its pace, not each call's.
                return Failure(status, error.details() or "", not_executed=True, code=ErrorCode.UNAVAILABLE)
            if self._unreachable_since is None:
                self._unreachable_since = self._loop.time()
                log.connection_lost(self._endpoint, ErrorCode.UNAVAILABLE, error.details() or "")
        elif status == DEADLINE_EXCEEDED and not was_up:
            # It waited in vain for a connection: the next ones need not.
            if self._unreachable_since is None:
                log.connection_failed(self._endpoint, "no connection within the deadline of a call")
            self._unreachable_since = min(self._unreachable_since or started, started)
            why = "the server is out of reach: no connection within the deadline"
            if self._probe.known is not None:
                why = f"{self._probe.known} ({why})"
            return Failure(UNAVAILABLE, why, not_executed=True, code=ErrorCode.UNAVAILABLE)
        else:
            self._unreachable_since = None
        return Failure(status, error.details() or "", cause, not_executed=cause == "not_executed")

    async def connect(self, timeout_s: float) -> bool:
        """Connect every channel. False: not within the time."""
        if grpcio.lost:
            pinged = await call_alone(
                self._credentials, self._address, PING.path, self._metadata.pairs(), b"", timeout_s
            )
            return not isinstance(pinged, Failure)
        try:
            async with asyncio.timeout(timeout_s):
                for channel in self._pool().channels:
                    await channel.grpc.channel_ready()
        except TimeoutError:
            return False
        return True

    async def aclose(self) -> None:
        """Close the channels; calls in flight end."""
        await self._probe.aclose()
        if self._made_pool is not None:
            await self._made_pool.aclose()


async def _collect(stream: Any) -> bytes:
    """Return a server stream's items as the pipeline's one result: a repeated field 1."""
    return codec.encode_items([item async for item in stream])
