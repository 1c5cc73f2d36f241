"""Channels for unary calls: each its own connection, the least loaded is taken."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import grpc
import grpc.aio

from larder_cache import forks
from larder_cache.configuration import MOST_TIMEOUT_S, Configuration
from larder_cache.credential_provider import CredentialProvider
from larder_cache.detached import detached
from larder_cache.operation import Operation

# The largest message sent or taken. Source: LIM-4, 10.5 MB.
_MAX_MESSAGE = 11_010_048
# Between attempts to connect, to begin with.
_FIRST_BACK_OFF_S = 0.1
# How many calls a server takes at once on one connection. Source: LIM-6.
STREAMS = 100
_MOST = 100


class _Grpcio:
    """Whether grpcio can be used here: in a child of a process that used it, it waits for threads that are gone."""

    def __init__(self) -> None:
        self.used = False
        self.lost = False
        forks.tell(self)

    def after_fork(self) -> None:
        """Note it, in a forked child (forks.Forked)."""
        self.lost = self.lost or self.used


grpcio = _Grpcio()
LOST = (
    "this process was forked after its parent had used grpcio, which does not survive that; subscribe in a process that"
    " was not forked (multiprocessing's spawn), or let the parent make no subscription and no large or control call"
)


class Channel:
    """One connection, and a ready-made callable for each rpc used on it."""

    __slots__ = (
        "grpc",
        "in_flight",
        "greeted",
        "material",
        "asked_at",
        "replaced_at",
        "heard_at",
        "doubted",
        "_callables",
    )

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self.grpc = channel
        self.in_flight = 0
        # Whether the first call has said who we are.
        self.greeted = False
        # What its connections are made with, where that is in files.
        self.material: object = None
        # When the first call was sent since the last answer; 0: none is awaited that no other has followed.
        self.asked_at = 0.0
        # When it was replaced because it was silent or may be gone.
        self.replaced_at = -math.inf
        # When one of its streams received a message.
        self.heard_at = -math.inf
        # Its connection was silent, and takes no new streams.
        self.doubted = False
        self._callables: dict[str, Callable[..., Any]] = {}

    @property
    def up(self) -> bool:
        """Whether it has a connection."""
        return self.grpc.get_state() is grpc.ChannelConnectivity.READY

    @property
    def takes_streams(self) -> bool:
        """Whether another stream may be opened on it."""
        return self.in_flight < STREAMS and not self.doubted

    def replace(self, channel: grpc.aio.Channel) -> grpc.aio.Channel:
        """Use another from now on. Returns that before, whose calls go on."""
        before, self.grpc = self.grpc, channel
        self.greeted = False
        self.asked_at = 0.0
        self._callables = {}
        return before

    def stream(self, path: str) -> Callable[..., Any]:
        """Return an rpc that answers by a stream of messages, as bytes."""
        found = self._callables.get(path)
        if found is None:
            found = self._callables[path] = self.grpc.unary_stream(path)
        return found

    def callable(self, operation: Operation[Any]) -> Callable[..., Any]:
        """Return the rpc. Requests and answers are bytes: the operations read and write them."""
        found = self._callables.get(operation.name)
        if found is None:
            make = self.grpc.unary_stream if operation.streams else self.grpc.unary_unary
            found = self._callables[operation.name] = make(operation.path)
        return found


class ChannelPool:
    """Connections, each opened by the first call on it and reopened by gRPC when broken."""

    def __init__(
        self, credentials: CredentialProvider, configuration: Configuration, address: str | None = None
    ) -> None:
        """`address`: the one of the host's to connect to."""
        self._make = partial(open_channel, credentials, configuration, address)
        self._files = credentials.tls_files
        # Those that were replaced, and still have calls: no longer than a deadline.
        self._closing: set[asyncio.Future[None]] = set()
        self._patience_s = configuration.request_timeout_s
        self.channels = [Channel(self._make()) for _ in range(count_of(configuration))]
        for channel in self.channels:
            channel.material = None if self._files is None else self._files.material()
        self._only = self.channels[0] if len(self.channels) == 1 else None

    def least_loaded(self) -> Channel:
        """Return the channel with the fewest calls in flight, the first of those alike."""
        if self._only is not None:
            return self._only
        return min(self.channels, key=_load)

    @property
    def connections(self) -> int:
        """Channels whose connection is up."""
        return sum(channel.up for channel in self.channels)

    @property
    def in_flight(self) -> int:
        """Calls on the channels."""
        return sum(channel.in_flight for channel in self.channels)

    def follow_files(self) -> None:
        """Make channels without a connection anew, where their files have changed: grpcio read them once (AUTH-36)."""
        if self._files is None:
            return
        idle = [each for each in self.channels if not each.up]
        if not idle:
            return
        material = self._files.material()
        for channel in idle:
            if channel.material is not material:
                channel.material = material
                self._replace(channel, self._patience_s)

    def replace_silent(self, channel: Channel) -> None:
        """Send nothing more on a channel's connection, which is silent; calls on it end by themselves."""
        self._replace(channel, MOST_TIMEOUT_S)

    def replace_idle(self) -> None:
        """Replace the connections without a call."""
        for channel in self.channels:
            if channel.up and not channel.in_flight:
                self._replace(channel, 0)

    def _replace(self, channel: Channel, grace_s: float) -> None:
        channel.replaced_at = asyncio.get_running_loop().time()
        closing = detached(asyncio.ensure_future, channel.replace(self._make()).close(grace_s))
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)

    async def aclose(self) -> None:
        """Close every channel; calls in flight end with CANCELLED."""
        for closing in self._closing:
            closing.cancel()
        await asyncio.gather(*self._closing, return_exceptions=True)
        for channel in self.channels:
            await channel.grpc.close()


def count_of(configuration: Configuration) -> int:
    """Return the channels asked for; where that is left to us, what the cap needs, at most what may be asked for."""
    cap = configuration.max_in_flight_unary
    return configuration.channels or (1 if cap is None else min(_MOST, math.ceil(cap / STREAMS)))


def _load(channel: Channel) -> int:
    return channel.in_flight


def open_channel(
    credentials: CredentialProvider,
    configuration: Configuration,
    address: str | None = None,
    more: Sequence[tuple[str, Any]] = (),
) -> grpc.aio.Channel:
    """Return a channel of its own, not connected yet. `address`: the one of the host's. `more`: grpcio's options."""
    grpcio.used = True
    options: list[tuple[str, Any]] = [
        *more,
        # Without this, channels to one server share one connection.
        ("grpc.use_local_subchannel_pool", 1),
        ("grpc.max_receive_message_length", _MAX_MESSAGE),
        ("grpc.max_send_message_length", _MAX_MESSAGE),
        # No compressed answer is asked for (bit 0: identity alone) or unfolded: the core would do it whole, before it
        # looks at the length.
        ("grpc.compression_enabled_algorithms_bitset", 1),
        ("grpc.per_message_decompression", 0),
        # No proxy is taken from http_proxy, https_proxy or grpc_proxy: the pipeline takes none either.
        ("grpc.enable_http_proxy", 0),
        # Retries are ours (RetryPolicy), with one deadline and a budget.
        ("grpc.enable_retries", 0),
        ("grpc.service_config_disable_resolution", 1),
        # RETRY-7: at most a few attempts to connect a second.
        # In spite of its name, how long one attempt may take until the server's SETTINGS.
        ("grpc.min_reconnect_backoff_ms", max(1, round(configuration.connect_timeout_s * 1_000))),
        ("grpc.initial_reconnect_backoff_ms", round(min(_FIRST_BACK_OFF_S, configuration.max_back_off_s) * 1_000)),
        ("grpc.max_reconnect_backoff_ms", round(configuration.max_back_off_s * 1_000)),
    ]
    if configuration.keepalive_interval_s is not None:
        options += [
            ("grpc.keepalive_time_ms", round(configuration.keepalive_interval_s * 1_000)),
            ("grpc.keepalive_timeout_ms", round(configuration.keepalive_timeout_s * 1_000)),
            ("grpc.keepalive_permit_without_calls", 1),
            ("grpc.http2.max_pings_without_data", 0),
        ]
    target = credentials.endpoint
    files = credentials.tls_files
    if address is not None:
        _, _, port = credentials.endpoint.rpartition(":")
        target = f"ipv6:[{address}]:{port}" if ":" in address else f"ipv4:{address}:{port}"
        options += [("grpc.default_authority", credentials.endpoint)]
    if address is not None or (files is not None and files.options.server_name is not None):
        options += [("grpc.ssl_target_name_override", credentials.server_name)]
    if not credentials.tls:
        return detached(grpc.aio.insecure_channel, target, options=options)
    if files is not None:
        read = files.material()
        own = grpc.ssl_channel_credentials(read.authorities, read.key, read.chain)
        return detached(grpc.aio.secure_channel, target, own, options=options)
    roots = None if credentials.root_certificates is None else credentials.trusted_pem().encode()
    tls = grpc.ssl_channel_credentials(root_certificates=roots)
    return detached(grpc.aio.secure_channel, target, tls, options=options)
