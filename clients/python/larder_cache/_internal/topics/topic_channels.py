"""Connections that only subscriptions use, so that their streams do not take the place of calls."""

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
    """A server, or one address of its name."""

    credentials: CredentialProvider
    address: str | None
    name: str


class TopicChannels:
    """Opens channels as needed, with at most 100 streams each. A channel is closed when its last stream is left.

    A channel that has lost its server is kept for the next subscription, because it paces its reconnection attempts.
    Their number thus does not depend on the number of waiting subscriptions (RETRY-7).
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
        """`gateways`: the servers to choose from; None: there is only one. `tokens`: those of a provider."""
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
        """Choose a server; after a failure, prefer another one (GATEWAY-6, GATEWAY-7)."""
        gateways = self._gateways()
        if gateways is None:
            return self._only
        now = self._loop.time()
        up = [gateway for gateway in gateways.up() if gateway.health.aside_until <= now] or gateways.gateways
        there = [Place(gateway.credentials, gateway.address, gateway.name) for gateway in up]
        others = [place for place in there if place != failed]
        if not others and len(gateways.gateways) > 1:
            # The only server known to be available has just failed, so any other one may be as good.
            others = [Place(each.credentials, each.address, each.name) for each in gateways.gateways]
            others = [place for place in others if place != failed]
        some = others or there
        load = Counter[Place]()
        for channel, place in self._channels.items():
            load[place] += channel.in_flight
        return some[choose([load[place] for place in some], self._random(), self._random())]

    def open(self, place: Place, request: bytes, more: tuple[tuple[str, str], ...]) -> TopicStream:
        """Request a stream. Raises UnicodeError if it cannot be sent. `more`: additional metadata."""
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
        """Close channels kept for later subscriptions, because there will be none."""
        for channel in [each for each in self._channels if not each.in_flight]:
            self._close(channel)

    def _close(self, channel: Channel) -> None:
        del self._channels[channel]
        closing = detached(self._loop.create_task, channel.aclose(), name="larder: close a channel of topics")
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)

    # Callbacks of a channel.

    def on_connected(self, channel: Channel) -> None:
        """Do nothing: waiting streams are opened by the channel."""

    def on_unconnected(self, channel: Channel, why: str, *, lasting: bool = False) -> None:
        channel.fail_waiting(Failure(UNAVAILABLE, f"cannot connect: {why}", not_executed=True))

    def on_lost(self, channel: Channel, failure: Failure) -> None:
        """Do nothing: its streams are notified, and log it."""

    async def aclose(self) -> None:
        """Close every channel. The streams end."""
        channels, self._channels = list(self._channels), {}
        await asyncio.gather(*(channel.aclose() for channel in channels), *self._closing, return_exceptions=True)
