"""Channels for unary calls. Each channel has its own connection. A call uses the least loaded channel."""

from __future__ import annotations

import asyncio
import math

from larder_cache._internal.http2.http2_session import STREAMS
from larder_cache._internal.transport.channel import Channel, ChannelOwner
from larder_cache.configuration import Configuration
from larder_cache.credential_provider import CredentialProvider

_MOST = 100


class ChannelPool:
    """A pool of channels. The first call on a channel connects it."""

    def __init__(
        self,
        owner: ChannelOwner,
        credentials: CredentialProvider,
        configuration: Configuration,
        address: str | None,
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        """Create the channels without connecting.

        Args:
            owner: Receives the callbacks of the channels.
            address: The address to connect to, if the host name has several.
        """
        made = owner, credentials, configuration, address, loop
        self.channels = [Channel(*made) for _ in range(count_of(configuration))]
        self._only = self.channels[0] if len(self.channels) == 1 else None

    def least_loaded(self) -> Channel:
        """Return the channel with the fewest calls in flight. If several are equal, return the first of them."""
        if self._only is not None:
            return self._only
        return min(self.channels, key=_load)

    @property
    def is_up(self) -> bool:
        """Whether a channel accepts calls."""
        return any(channel.up for channel in self.channels)

    @property
    def connections(self) -> int:
        """The number of open connections."""
        return sum(channel.connections for channel in self.channels)

    @property
    def in_flight(self) -> int:
        """The number of calls on the channels."""
        return sum(channel.in_flight for channel in self.channels)


def count_of(configuration: Configuration) -> int:
    """Return the number of channels.

    The number is configured. If the configured number is 0, returns the number of channels that the concurrency limit
    needs, but at most 100.
    """
    cap = configuration.max_in_flight_unary
    return configuration.channels or (1 if cap is None else min(_MOST, math.ceil(cap / STREAMS)))


def _load(channel: Channel) -> int:
    return channel.in_flight
