"""The unary transport: one gRPC call per request, on separate connections."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import Any

from larder_cache._internal.common import log
from larder_cache._internal.configuration.token_source import CallMetadata
from larder_cache._internal.http2 import hpack
from larder_cache._internal.http2.http2_exchange import MAX_MESSAGE, Exchange
from larder_cache._internal.http2.http2_stream import headers_of
from larder_cache._internal.operations import pipeline_codec as codec
from larder_cache._internal.operations.call import Call
from larder_cache._internal.operations.error_texts import late
from larder_cache._internal.transport.channel import Channel, Sending
from larder_cache._internal.transport.channel_pool import ChannelPool
from larder_cache._internal.transport.outage import Outage, out_of_reach
from larder_cache._internal.transport.stale_connections import SILENCE_S
from larder_cache.configuration import Configuration
from larder_cache.credential_provider import CredentialProvider
from larder_cache.errors import INTERNAL, INVALID_ARGUMENT, RESOURCE_EXHAUSTED, UNAVAILABLE, Failure

_CACHE_NAME = "the cache name must be printable ASCII for unary calls"
# The maximum number of cached header blocks. The cache is limited, because the application chooses the names of caches.
_MOST_KEPT = 1_000
_LATE = Failure(UNAVAILABLE, "")


class UnaryTransport:
    """Makes single attempts of calls.

    The caller limits and retries calls, and calls `Call.expire` at their deadlines.
    """

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
        """Create the transport without connecting.

        Args:
            address: The address to connect to, if the host name has several.
            patient: Whether calls wait for a connection that is being opened.
        """
        self._credentials = credentials
        # The name of the server for logs, as in Gateway.name.
        self._endpoint = credentials.endpoint if address is None else f"{credentials.endpoint} ({address})"
        self._patient = patient
        self._pool = ChannelPool(self, credentials, configuration, address, loop)
        self._metadata = metadata
        # Encoded request headers by path and cache. They contain the token of the version `_shown`.
        self._blocks: dict[tuple[str, str], bytes] = {}
        self._shown = metadata.version
        self._loop = loop
        self._outage = Outage(configuration.request_timeout_s)

    @property
    def ready(self) -> bool:
        """Whether a connection accepts calls."""
        return self._pool.is_up

    @property
    def connections(self) -> int:
        """The number of established connections."""
        return self._pool.connections

    @property
    def in_flight(self) -> int:
        """The number of calls on the channels."""
        return self._pool.in_flight

    @property
    def failing(self) -> str | None:
        """The reason why the client cannot connect to the server. None if it can, or if there was no attempt."""
        return self._outage.reason if self._outage.lasts else None

    async def attempt(self, call: Call) -> Any:
        """Make an attempt. Returns the response or a Failure."""
        now = self._loop.time()
        if call.deadline <= now:
            # The deadline has passed, but the deadline sweep has not run yet.
            return late("waiting to be sent")
        if not call.sent:
            call.sent = now
        call.attempts += 1
        operation, payload = call.operation, call.payload
        if len(payload) > MAX_MESSAGE:
            why = f"the request has {len(payload):,} bytes; at most {MAX_MESSAGE:,} are allowed"
            return Failure(RESOURCE_EXHAUSTED, why, not_executed=True)
        shown = self._metadata.version
        if shown != self._shown:
            self._shown = shown
            self._blocks.clear()
        block = self._blocks.get((operation.path, call.cache))
        if block is None:
            if not call.cache.isascii() or not call.cache.isprintable():
                return Failure(INVALID_ARGUMENT, _CACHE_NAME)
            block = self._remember(operation.path, call.cache)
        channel = self._pool.least_loaded()
        if self._patient and not channel.up and self._outage.past_grace(now):
            channel.connect_soon()
            # Yield first. Otherwise a caller that retries immediately would keep the event loop from connecting.
            await asyncio.sleep(0)
            return out_of_reach(f"the server is unreachable: {self._outage.reason}")
        ended: asyncio.Future[Failure | None] = self._loop.create_future()
        end = partial(_end, ended)
        exchange = Exchange(block, payload, end, operation.max_responses(payload))
        sending = Sending(exchange, call.deadline)
        channel.in_flight += 1
        call.expire = partial(end, _LATE)
        try:
            channel.send(sending)
            failure = await ended
        except asyncio.CancelledError:
            self._retire_silent(channel, sending)
            channel.cancel(sending)
            raise
        finally:
            channel.in_flight -= 1
            call.expire = None
        if failure is _LATE:
            failure = self._late(channel, sending, now)
        if failure is not None:
            return replace(failure, shown=shown)
        messages = exchange.messages
        if not messages and not operation.streams:
            return Failure(INTERNAL, "expected one response message, got none")
        try:
            return operation.read(payload, codec.encode_items(messages) if operation.streams else messages[0])
        except Exception as broken:
            # If decoding raises any exception, the server's response is invalid. Only this call fails.
            return Failure(INTERNAL, f"the server's response could not be decoded: {broken}")

    def _late(self, channel: Channel, sending: Sending, started: float) -> Failure:
        """Return the failure of a call whose deadline passed."""
        silent = self._retire_silent(channel, sending)
        channel.cancel(sending)
        if sending.connection is None and not channel.up:
            # The call got no connection within its deadline. Record an outage, so that later calls need not wait as
            # long.
            why = self._outage.reason if self._outage.lasts else "no connection within the deadline"
            if self._outage.seen(why, started):
                log.connection_failed(self._endpoint, "no connection within the deadline of a call")
            return out_of_reach(f"the server is unreachable: {why}")
        failure = late("waiting for the response" if sending.connection else "waiting to be sent")
        failure.silent = silent
        return failure

    def _retire_silent(self, channel: Channel, sending: Sending) -> bool:
        """Retire a connection that received nothing while a call waited for its response.

        Returns whether it was retired.
        """
        connection = sending.connection
        if connection is None or not connection.silent_since:
            return False
        if self._loop.time() - connection.silent_since < SILENCE_S:
            return False
        if connection is not channel.connection:
            return False
        connection.retire()
        return True

    def replace_idle(self, name: str = "") -> None:
        """Close the connections that have no call in flight. The next call opens another connection.

        `name` is not used, because this transport has only one server.
        """
        for channel in self._pool.channels:
            channel.close_idle()

    def _remember(self, path: str, cache: str) -> bytes:
        if len(self._blocks) >= _MOST_KEPT:
            self._blocks.clear()
        metadata = [*self._metadata.pairs(), *((("cache", cache),) if cache else ())]
        block = self._blocks[path, cache] = hpack.encode(headers_of(self._credentials, path, metadata))
        return block

    # Callbacks of a channel.

    def on_connected(self, channel: Channel) -> None:
        self._outage.over()
        log.connection_opened(self._endpoint)

    def on_unconnected(self, channel: Channel, why: str, *, lasting: bool = False) -> None:
        now = self._loop.time()
        if self._outage.seen(why, now, lasting=lasting):
            log.connection_failed(self._endpoint, why)
        if not self._patient:
            channel.fail_waiting(Failure(UNAVAILABLE, f"cannot connect: {why}", not_executed=True))
        elif self._outage.past_grace(now):
            channel.fail_waiting(out_of_reach(f"the server is unreachable: {why}"))

    def on_lost(self, channel: Channel, failure: Failure) -> None:
        log.connection_lost(self._endpoint, failure.error_code, failure.message)

    async def connect(self, timeout_s: float) -> bool:
        """Connect every channel. Returns False on timeout."""
        try:
            async with asyncio.timeout(timeout_s):
                for channel in self._pool.channels:
                    await channel.wait_connected()
        except TimeoutError:
            return False
        return self._pool.is_up

    async def aclose(self) -> None:
        """Close the channels. Calls in flight end with CANCELLED."""
        for channel in self._pool.channels:
            await channel.aclose()


def _end(ended: asyncio.Future[Failure | None], failure: Failure | None) -> None:
    if not ended.done():
        ended.set_result(failure)
