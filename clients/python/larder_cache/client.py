"""`CacheClient`: a client of one server, which creates handles of its caches."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self

from larder_cache import responses as r
from larder_cache._internal.calls.loop_calls import LoopCalls
from larder_cache._internal.calls.observers import Observers
from larder_cache._internal.client.cache_calls import CacheParts
from larder_cache._internal.client.calls import CallsMaker
from larder_cache._internal.client.checked import checked
from larder_cache._internal.common.unpicklable import Unpicklable
from larder_cache._internal.leases.lasting_errors import PermanentErrorLog
from larder_cache._internal.operations import pipeline_codec as codec
from larder_cache._internal.operations._generated import operations as op
from larder_cache._internal.operations.arguments import Refusal, to_name
from larder_cache._internal.operations.operation import Operation
from larder_cache._internal.operations.requests import Requests
from larder_cache._internal.telemetry.statistics import ClientStatistics, NearCacheStatistics
from larder_cache._internal.telemetry.telemetry import Metrics
from larder_cache._internal.telemetry.tracing import Tracing
from larder_cache.cache import Cache
from larder_cache.cache_results import CacheResults
from larder_cache.configuration import Configuration
from larder_cache.configurations import Configurations
from larder_cache.credential_provider import CredentialProvider
from larder_cache.errors import CacheError, ErrorCode
from larder_cache.ttl import Ttl, ttl_to_ms


def _provider(credentials: CredentialProvider | str | None) -> CredentialProvider:
    if credentials is None:
        return CredentialProvider.local()
    if isinstance(credentials, str):
        return CredentialProvider.from_string(credentials)
    if isinstance(credentials, CredentialProvider):  # pyright: ignore[reportUnnecessaryIsInstance]
        return credentials
    given = type(credentials).__name__
    raise TypeError(
        f"credentials must be a URL or a CredentialProvider, not {given}; for example CredentialProvider.local()"
    )


class CacheClient(Unpicklable):
    """A client of one server. Use it with `async with`, or call `aclose()`.

    The calls on data are methods of a handle, `client.cache("orders")`. The client itself has the administrative calls,
    the statistics and the connections. Its calls raise CacheError if they fail. They take `timeout_s`, a deadline in
    seconds that replaces the configured one. It must be above 0 and at most 3,600.

    Each event loop and each forked process has its own connections.
    """

    def __init__(
        self,
        credentials: CredentialProvider | str | None = None,
        *,
        default_ttl: Ttl,
        configuration: Configuration | None = None,
        metrics: Metrics | None = None,
        tracing: Tracing | None = None,
        calls: CallsMaker = LoopCalls,
    ) -> None:
        """Create a client. It connects on its first call. With `eager_connect`, `async with` connects it.

        Args:
            credentials: A provider, or a URL for `CredentialProvider.from_string`. The default is a local server.
            default_ttl: The time to live of items that are stored without one: seconds or a timedelta, above 0 and at
                most 365 days. By default a server accepts at most 24 hours (its --max-ttl).
            configuration: The settings. The default is `Configurations.Laptop`.
            metrics: Receives the durations and the outcome of each call (`OpenTelemetryMetrics`, or your own
                `Metrics`).
            tracing: Receives a span for each call (`OpenTelemetryTracing`, or your own `Tracing`).
            calls: For internal use. Creates the object that runs the calls; larder_cache.sync passes its own function.

        Raises:
            ValueError: `default_ttl` is outside its range, or the URL is invalid.
        """
        chosen = Configurations.Laptop.latest() if configuration is None else configuration
        if not isinstance(chosen, Configuration):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError("configuration must be a Configuration, for example Configurations.Laptop.latest()")
        made = calls(_provider(credentials), chosen, Observers(metrics, tracing))
        default_ttl_ms = ttl_to_ms(default_ttl)
        self._calls = made
        self._parts = CacheParts(made, Requests(default_ttl_ms), default_ttl_ms, PermanentErrorLog())

    async def __aenter__(self) -> Self:
        if self.configuration.eager_connect and not await self.connect():
            await self.aclose()
            where, most_s = self._calls.credentials.endpoint, self.configuration.connect_timeout_s
            raise CacheError(
                ErrorCode.UNAVAILABLE,
                f"cannot connect to {where} within {most_s:g} s; check the address and that the server is running",
            )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def connect(self, *, timeout_s: float | None = None) -> bool:
        """Connect before the first call. Returns False on timeout. Later calls still try to connect.

        `timeout_s` is the timeout in seconds. None selects the configured `connect_timeout_s`.
        """
        return await self._calls.connect(self.configuration.connect_timeout_s if timeout_s is None else timeout_s)

    async def aclose(self) -> None:
        """End the calls in flight with CANCELLED, end the subscriptions, and close the connections.

        May be called several times.
        """
        await self._calls.aclose()

    @property
    def configuration(self) -> Configuration:
        """The settings in effect."""
        return self._calls.configuration

    def cache(self, name: str) -> Cache:
        """Return a handle for reading and writing the data of one cache. Does not contact the server.

        If the name is invalid, every call on the handle fails. Raises TypeError if the name is not a string.
        """
        return Cache(CacheResults(name, self._parts))

    def statistics(self) -> ClientStatistics:
        """Return statistics: the number of calls in flight, the number of connections, and the limits."""
        return self._calls.statistics()

    def held(self) -> dict[str, int]:
        """Return named counts of resources in use. Each count is 0 once every call has ended."""
        return self._calls.held()

    @property
    def near_cache(self) -> NearCacheStatistics | None:
        """The counts and the size of the near cache, or None if no near cache is configured."""
        near = self._calls.near
        return None if near is None else near.statistics()

    async def _control(self, operation: Operation[Any], name: str, timeout_s: float | None) -> Any:
        """Send a request whose only field is the name of a cache. Raises CacheError if the call fails."""
        try:
            payload = codec.encode_key(to_name(name).encode())
        except Refusal as refusal:
            raise refusal.error.to_exception() from None
        return checked(await self._calls.run(operation, "", payload, timeout_s))

    # operations: client (tools/operations writes them from operations.toml)

    async def create_cache(self, name: str, *, timeout_s: float | None = None) -> None:
        """Create a cache. Fails with ALREADY_EXISTS if the cache already exists."""
        await self._control(op.CREATE_CACHE, name, timeout_s)

    async def delete_cache(self, name: str, *, timeout_s: float | None = None) -> None:
        """Delete a cache and its items. Fails with NOT_FOUND if the cache does not exist."""
        await self._control(op.DELETE_CACHE, name, timeout_s)

    async def flush_cache(self, name: str, *, timeout_s: float | None = None) -> None:
        """Delete all items of a cache. Fails with NOT_FOUND if the cache does not exist."""
        await self._control(op.FLUSH_CACHE, name, timeout_s)

    async def list_caches(self, *, timeout_s: float | None = None) -> r.Caches:
        """List the caches and their limits."""
        return checked(await self._calls.run(op.LIST_CACHES, "", b"", timeout_s))

    async def ping(self, *, timeout_s: float | None = None) -> None:
        """Check that the server responds."""
        checked(await self._calls.run(op.PING, "", b"", timeout_s))

    # operations: end
