"""One gateway of a GatewaySet: its transports and its health."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from larder_cache._internal.configuration.token_source import CallMetadata, TokenSource
from larder_cache._internal.gateways.gateway_health import GatewayHealth
from larder_cache._internal.near.near_reads import NearReads
from larder_cache._internal.telemetry.statistics import GatewayStatistics
from larder_cache._internal.transport.pipeline_transport import PipelineTransport
from larder_cache._internal.transport.unary_transport import UnaryTransport
from larder_cache.configuration import Configuration
from larder_cache.credential_provider import CredentialProvider


class Gateway:
    """A gateway. It connects only on request."""

    def __init__(
        self,
        credentials: CredentialProvider,
        address: str | None,
        configuration: Configuration,
        leave: Callable[[int], None],
        loop: asyncio.AbstractEventLoop,
        tokens: TokenSource | None = None,
        near: NearReads | None = None,
    ) -> None:
        """Create the gateway without connecting.

        Args:
            address: The IP address to connect to. With None, the client connects to the host name.
            tokens: The source of tokens, if a token provider is configured.
        """
        metadata = CallMetadata(credentials.token, configuration.headers, tokens)
        self.credentials = credentials
        self.address = address
        self.name = credentials.endpoint if address is None else f"{credentials.endpoint} ({address})"
        self.pipeline = PipelineTransport(credentials, configuration, metadata, leave, loop, address, near)
        self.unary = UnaryTransport(credentials, configuration, metadata, loop, address, patient=False)
        self.health = GatewayHealth(configuration.max_back_off_s)
        # Whether a background task is connecting the gateway.
        self.connecting = False
        # Whether the gateway was removed, for example because its host name no longer has this address.
        self.gone = False

    def ready(self, pipelined: bool) -> bool:
        """Return whether a connection accepts new calls (GATEWAY-5)."""
        return self.pipeline.ready if pipelined else self.unary.ready

    def failing(self, pipelined: bool) -> str | None:
        """Return the reason why the client cannot connect to the gateway, or None if it is unknown."""
        if not pipelined:
            return f"{self.name} is unreachable"
        refusal = self.pipeline.refusal
        return self.pipeline.failing if refusal is None else refusal.message

    async def connect(self, pipelined: bool, timeout_s: float) -> bool:
        """Connect. Returns False on timeout."""
        return await (self.pipeline.connect(timeout_s) if pipelined else self.unary.connect(timeout_s))

    def replace_idle(self) -> None:
        """Replace the connections on which no call waits for a response."""
        self.pipeline.replace_idle()
        self.unary.replace_idle()

    @property
    def in_flight(self) -> int:
        """The number of calls on the gateway's connections. Includes abandoned calls that have no response yet."""
        return self.pipeline.in_flight + self.unary.in_flight

    @property
    def busy(self) -> bool:
        """Whether a call is still in progress."""
        return bool(self.pipeline.outstanding()) or self.unary.in_flight > 0

    @property
    def connections(self) -> int:
        """The number of open connections."""
        return self.pipeline.connections + self.unary.connections

    def statistics(self, pipelined: bool) -> GatewayStatistics:
        """Return the current statistics of the gateway."""
        return GatewayStatistics(
            address=self.name,
            connections=self.connections,
            in_flight=self.in_flight,
            left_out=not self.ready(pipelined),
        )

    async def aclose(self) -> None:
        """Close the connections of the gateway."""
        await self.pipeline.aclose()
        await self.unary.aclose()
