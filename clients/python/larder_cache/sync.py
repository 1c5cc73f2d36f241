"""The blocking client, for scripts and threads: each call blocks its thread.

Written by tools/python-sync from client.py; not edited by hand. Several threads may use a client concurrently.
"""

from __future__ import annotations

from types import TracebackType
from typing import Self

from larder_cache import client
from larder_cache import responses as r
from larder_cache._internal.blocking._generated.sync_cache import Cache, CacheResults, TypedCache, TypedResults
from larder_cache._internal.blocking.background_loop import drive
from larder_cache._internal.blocking.blocking_calls import BlockingCalls
from larder_cache._internal.blocking.blocking_subscription import BlockingSubscription as TopicSubscription
from larder_cache._internal.client.calls import CallsMaker
from larder_cache._internal.common.unpicklable import Unpicklable
from larder_cache._internal.telemetry.statistics import ClientStatistics, NearCacheStatistics
from larder_cache._internal.telemetry.telemetry import Metrics
from larder_cache._internal.telemetry.tracing import Tracing
from larder_cache.configuration import Configuration
from larder_cache.credential_provider import CredentialProvider
from larder_cache.ttl import Ttl

__all__ = ["Cache", "CacheClient", "CacheResults", "TopicSubscription", "TypedCache", "TypedResults"]


class CacheClient(Unpicklable):
    """The blocking larder_cache.CacheClient. Use it in a `with` statement, or call `close()`."""

    def __init__(
        self,
        credentials: CredentialProvider | str | None = None,
        *,
        default_ttl: Ttl,
        configuration: Configuration | None = None,
        metrics: Metrics | None = None,
        tracing: Tracing | None = None,
        calls: CallsMaker = BlockingCalls,
    ) -> None:
        """Create a client. The arguments are the same as for larder_cache.CacheClient; `calls` runs the calls."""
        self._async = client.CacheClient(
            credentials,
            default_ttl=default_ttl,
            configuration=configuration,
            metrics=metrics,
            tracing=tracing,
            calls=calls,
        )

    @property
    def asynchronous(self) -> client.CacheClient:
        """The asyncio client, for framework adapters. Run its coroutines only with `background_loop.drive`."""
        return self._async

    def __enter__(self) -> Self:
        drive(self._async.__aenter__())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End calls in flight with CANCELLED, end subscriptions, and close the connections. Idempotent."""
        drive(self._async.aclose())

    def connect(self, *, timeout_s: float | None = None) -> bool:
        """Connect before the first call. Returns False on timeout. Later calls still try to connect.

        `timeout_s` is the timeout in seconds. None selects the configured `connect_timeout_s`.
        """
        return drive(self._async.connect(timeout_s=timeout_s))

    @property
    def configuration(self) -> Configuration:
        """The settings in effect."""
        return self._async.configuration

    def cache(self, name: str) -> Cache:
        """Return a handle for reading and writing the data of one cache. Does not contact the server.

        If the name is invalid, every call on the handle fails. Raises TypeError if the name is not a string.
        """
        return Cache(self._async.cache(name))

    def statistics(self) -> ClientStatistics:
        """Return statistics: the number of calls in flight, the number of connections, and the limits."""
        return self._async.statistics()

    def held(self) -> dict[str, int]:
        """Return named counts of resources in use. Each count is 0 once every call has ended."""
        return self._async.held()

    @property
    def near_cache(self) -> NearCacheStatistics | None:
        """The counts and the size of the near cache, or None if no near cache is configured."""
        return self._async.near_cache

    def create_cache(self, name: str, *, timeout_s: float | None = None) -> None:
        """Create a cache. Fails with ALREADY_EXISTS if the cache already exists."""
        return drive(self._async.create_cache(name, timeout_s=timeout_s))

    def delete_cache(self, name: str, *, timeout_s: float | None = None) -> None:
        """Delete a cache and its items. Fails with NOT_FOUND if the cache does not exist."""
        return drive(self._async.delete_cache(name, timeout_s=timeout_s))

    def flush_cache(self, name: str, *, timeout_s: float | None = None) -> None:
        """Delete all items of a cache. Fails with NOT_FOUND if the cache does not exist."""
        return drive(self._async.flush_cache(name, timeout_s=timeout_s))

    def list_caches(self, *, timeout_s: float | None = None) -> r.Caches:
        """List the caches and their limits."""
        return drive(self._async.list_caches(timeout_s=timeout_s))

    def ping(self, *, timeout_s: float | None = None) -> None:
        """Check that the server responds."""
        return drive(self._async.ping(timeout_s=timeout_s))
