"""Connections for subscriptions alone, so that their streams take no place of calls."""

from __future__ import annotations

import asyncio
import random
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from larder_cache.channel_pool import STREAMS, Channel, open_channel
from larder_cache.configuration import Configuration
from larder_cache.credential_provider import CredentialProvider
from larder_cache.detached import detached
from larder_cache.front_choice import choose
from larder_cache.front_set import FrontSet
from larder_cache.tls_probe import TlsProbe
from larder_cache.token_source import CallMetadata, TokenSource
from larder_cache.topic_messages import SUBSCRIBE
from larder_cache.topic_stream import TopicStream

# What a stream may send before it is read: fixed, for grpcio would let a fast one have megabytes, and there are many.
# Source: HTTP/2's own default is 65,535.
_OPTIONS = (("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 65_535))


@dataclass(frozen=True, slots=True)
class Place:
    """A server, or one address of its name."""

    credentials: CredentialProvider
    address: str | None
    name: str


class TopicChannels:
    """Opened as streams need them, 100 streams to each at most; one whose last stream is left is closed.

    One that has lost its server is kept, for whoever asks next: grpcio paces its attempts to connect, which are then as
    few however many subscriptions wait (RETRY-7).
    """

    def __init__(
        self,
        credentials: CredentialProvider,
        configuration: Configuration,
        fronts: Callable[[], FrontSet | None],
        tokens: TokenSource | None,
        loop: asyncio.AbstractEventLoop,
        *,
        rand: Callable[[], float] = random.random,
    ) -> None:
        """`fronts`: the servers to choose among; None: there is one. `tokens`: a provider's."""
        self._only = Place(credentials, None, credentials.endpoint)
        self._configuration = configuration
        self._fronts = fronts
        self._tokens = tokens
        self._loop = loop
        self._random = rand
        self._channels: dict[Channel, Place] = {}
        self._closing: set[asyncio.Task[None]] = set()
        self._probes: dict[Place, TlsProbe] = {}

    @property
    def connections(self) -> int:
        """Channels whose connection is up."""
        return sum(channel.up for channel in self._channels)

    @property
    def streams(self) -> int:
        """Streams on the channels."""
        return sum(channel.in_flight for channel in self._channels)

    def place(self, failed: Place | None) -> Place:
        """Choose a server, another than the one that failed where there is another (FRONT-6, FRONT-7)."""
        fronts = self._fronts()
        if fronts is None:
            return self._only
        now = self._loop.time()
        up = [front for front in fronts.up() if front.health.aside_until <= now] or fronts.fronts
        there = [Place(front.credentials, front.address, front.name) for front in up]
        others = [place for place in there if place != failed]
        if not others and len(fronts.fronts) > 1:
            # The only one that calls know to be up has just failed: any other may be as good.
            others = [Place(each.credentials, each.address, each.name) for each in fronts.fronts]
            others = [place for place in others if place != failed]
        some = others or there
        load = Counter[Place]()
        for channel, place in self._channels.items():
            load[place] += channel.in_flight
        return some[choose([load[place] for place in some], self._random(), self._random())]

    def open(self, place: Place, request: bytes, more: tuple[tuple[str, str], ...]) -> TopicStream:
        """Ask for a stream. Raises what grpcio does where it cannot be sent. `more`: metadata of its own."""
        files = place.credentials.tls_files
        material = None if files is None else files.material()
        channel = next((c for c, at in self._channels.items() if at == place and c.takes_streams), None)
        if channel is not None and not channel.in_flight and channel.material is not material:
            # Its files have changed since it was opened (AUTH-36).
            self._close(channel)
            channel = None
        if channel is None:
            made = open_channel(place.credentials, self._configuration, place.address, _OPTIONS)
            channel = Channel(made)
            channel.material = material
            self._channels[channel] = place
        own = CallMetadata(place.credentials.token, self._configuration.headers, self._tokens)
        metadata = (*own.pairs(), *more)
        if not channel.greeted:
            channel.greeted = True
            metadata += (("agent", "larder-python:0.1.0"), ("runtime-version", sys.version.split()[0]))
        channel.in_flight += 1
        try:
            call: Any = channel.stream(SUBSCRIBE)(request, metadata=metadata)
        except BaseException:
            self._let_go(channel)
            raise
        return TopicStream(call, channel, own.version, self._let_go)

    def _let_go(self, channel: Channel) -> None:
        channel.in_flight -= 1
        if channel.in_flight or channel not in self._channels:
            return
        place = self._channels[channel]
        if (
            channel.up
            or channel.doubted
            or any(at == place for other, at in self._channels.items() if other is not channel)
        ):
            self._close(channel)

    def close_unused(self) -> None:
        """Close what was kept for whoever asks next: nobody will."""
        for channel in [each for each in self._channels if not each.in_flight]:
            self._close(channel)

    def _close(self, channel: Channel) -> None:
        del self._channels[channel]
        closing = detached(self._loop.create_task, channel.grpc.close(), name="larder: close a channel of topics")
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)

    async def tls_reason(self, place: Place) -> str | None:
        """Say why TLS with a server fails; None: it does not, or nobody knows."""
        probe = self._probes.get(place)
        if probe is None:
            # Bounded as the fronts are, but for names whose addresses change.
            if len(self._probes) >= STREAMS:
                self._probes.clear()
            probe = self._probes[place] = TlsProbe(place.credentials, place.address, self._loop)
        return await probe.reason()

    async def aclose(self) -> None:
        """Close every channel; streams end."""
        for probe in self._probes.values():
            await probe.aclose()
        channels, self._channels = list(self._channels), {}
        await asyncio.gather(*(channel.grpc.close() for channel in channels), *self._closing, return_exceptions=True)
