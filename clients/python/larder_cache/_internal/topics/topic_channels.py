"""Connections that only subscriptions use.

They are separate, so that streams of subscriptions do not use up the streams of connections for calls.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from larder_cache._internal.common.detached import detached
from larder_cache._internal.configuration.token_source import CallMetadata, TokenSource
from larder_cache._internal.gateways.gateway_choice import choose
from larder_cache._internal.gateways.gateway_set import GatewaySet
from larder_cache._internal.http2 import hpack
from larder_cache._internal.http2.http2_stream import headers_of
from larder_cache._internal.topics.topic_messages import SUBSCRIBE
from larder_cache._internal.topics.topic_stream import TOPIC_WINDOW, TopicStream
from larder_cache._internal.transport.channel import Channel
from larder_cache.configuration import Configuration
from larder_cache.credential_provider import CredentialProvider
from larder_cache.errors import UNAVAILABLE, Failure


@dataclass(frozen=True, slots=True)
class Place:
    """A server, or one address of a server with several addresses."""

    credentials: CredentialProvider
    address: str | None
    name: str


class TopicChannels:
    """Opens channels as needed, with at most 100 streams each. A channel is closed when its last stream is closed.

    A channel that has lost its server is kept for the next subscription, because the channel delays its attempts to
    reconnect. The number of attempts therefore does not depend on the number of waiting subscriptions (RETRY-7).
    """

    def __init__(
        self,
        credentials: CredentialProvider,
        configuration: Configuration,
        gateways: Callable[[], GatewaySet | None],
        tokens: TokenSource | None,
        loop: asyncio.AbstractEventLoop,
        *,
        rand: Callable[[], float] = random.random,
    ) -> None:
        """Create the object without connecting.

        Args:
            gateways: Returns the servers to choose from, or None if there is only one.
            tokens: The tokens of a token provider.
        """
        self._only = Place(credentials, None, credentials.endpoint)
        self._configuration = configuration
        self._gateways = gateways
        self._tokens = tokens
        self._loop = loop
        self._random = rand
        self._channels: dict[Channel, Place] = {}
        self._closing: set[asyncio.Task[None]] = set()

    @property
    def connections(self) -> int:
        """The number of open connections."""
        return sum(channel.connections for channel in self._channels)

    @property
    def streams(self) -> int:
        """The number of streams on the channels."""
        return sum(channel.in_flight for channel in self._channels)

    def place(self, failed: Place | None) -> Place:
        """Choose a server. After a failure, prefer a server other than `failed` (GATEWAY-6, GATEWAY-7)."""
        gateways = self._gateways()
        if gateways is None:
            return self._only
        now = self._loop.time()
        up = [gateway for gateway in gateways.up() if gateway.health.aside_until <= now] or gateways.gateways
        there = [Place(gateway.credentials, gateway.address, gateway.name) for gateway in up]
        others = [place for place in there if place != failed]
        if not others and len(gateways.gateways) > 1:
            # The only server known to be available has just failed. The others may be available again, so try them.
            others = [Place(each.credentials, each.address, each.name) for each in gateways.gateways]
            others = [place for place in others if place != failed]
        some = others or there
        load = Counter[Place]()
        for channel, place in self._channels.items():
            load[place] += channel.in_flight
        return some[choose([load[place] for place in some], self._random(), self._random())]

    def open(self, place: Place, request: bytes, more: tuple[tuple[str, str], ...]) -> TopicStream:
        """Open a stream.

        Args:
            place: The server.
            request: The encoded request.
            more: Additional metadata.

        Raises:
            UnicodeError: The metadata cannot be encoded.
        """
        own = CallMetadata(place.credentials.token, self._configuration.headers, self._tokens)
        block = hpack.encode(headers_of(place.credentials, SUBSCRIBE, [*own.pairs(), *more]))
        channel = next((c for c, at in self._channels.items() if at == place and c.takes_streams), None)
        if channel is None:
            made = place.credentials, self._configuration, place.address, self._loop
            channel = Channel(self, *made, stream_window=TOPIC_WINDOW)
            self._channels[channel] = place
        channel.in_flight += 1
        return TopicStream(block, request, channel, own.version, self._let_go, self._loop)

    def _let_go(self, channel: Channel) -> None:
        channel.in_flight -= 1
        if channel.in_flight or channel not in self._channels:
            return
        place = self._channels[channel]
        if channel.up or any(at == place for other, at in self._channels.items() if other is not channel):
            self._close(channel)

    def close_unused(self) -> None:
        """Close the channels that were kept for later subscriptions. Called when no subscriptions are left."""
        for channel in [each for each in self._channels if not each.in_flight]:
            self._close(channel)

    def _close(self, channel: Channel) -> None:
        del self._channels[channel]
        closing = detached(self._loop.create_task, channel.aclose(), name="larder: close a topic channel")
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)

    # Callbacks of a channel.

    def on_connected(self, channel: Channel) -> None:
        """Do nothing, because the channel opens the waiting streams itself."""

    def on_unconnected(self, channel: Channel, why: str, *, lasting: bool = False) -> None:
        channel.fail_waiting(Failure(UNAVAILABLE, f"cannot connect: {why}", not_executed=True))

    def on_lost(self, channel: Channel, failure: Failure) -> None:
        """Do nothing, because the streams of the channel are notified and log the loss."""

    async def aclose(self) -> None:
        """Close every channel. The streams end."""
        channels, self._channels = list(self._channels), {}
        await asyncio.gather(*(channel.aclose() for channel in channels), *self._closing, return_exceptions=True)
