"""The caches of a fake server, by name (protocol/spec/control.md)."""

from __future__ import annotations

from larder_cache._internal.common.cache_name import fault_of
from larder_cache._internal.operations._generated.messages import control as pb
from larder_cache._internal.testing.clock import Clock
from larder_cache._internal.testing.items import Items
from larder_cache._internal.testing.refused import Refused, invalid
from larder_cache._internal.testing.rules import MOST_ITEM_BYTES, TtlRule
from larder_cache.errors import ErrorCode

# The maximum number of caches. A test that creates more caches gets an error.
MOST_CACHES = 1_000


class Caches:
    """Creates, deletes, lists and flushes caches."""

    def __init__(self, clock: Clock, ttl: TtlRule) -> None:
        self._clock = clock
        self._ttl = ttl
        self._caches: dict[str, Items] = {}

    def of(self, name: str) -> Items:
        """Return the items of a cache. Raises Refused if the cache does not exist."""
        if (fault := fault_of(name)) is not None:
            raise invalid(fault)
        found = self._caches.get(name)
        if found is None:
            raise Refused(ErrorCode.NOT_FOUND, f"cache '{name}' does not exist; create it first")
        return found

    def create(self, request: pb.CreateCacheRequest) -> pb.CreateCacheResponse:
        """Implement CreateCache."""
        if (fault := fault_of(request.name)) is not None:
            raise invalid(fault)
        if request.name in self._caches:
            raise Refused(ErrorCode.ALREADY_EXISTS, f"cache '{request.name}' already exists")
        if len(self._caches) >= MOST_CACHES:
            raise Refused(ErrorCode.LIMIT_EXCEEDED, f"the fake server can have at most {MOST_CACHES:,} caches")
        self._caches[request.name] = Items(self._clock, self._ttl)
        return pb.CreateCacheResponse()

    def delete(self, request: pb.DeleteCacheRequest) -> pb.DeleteCacheResponse:
        """Implement DeleteCache."""
        self.of(request.name)
        del self._caches[request.name]
        return pb.DeleteCacheResponse()

    def flush(self, request: pb.FlushCacheRequest) -> pb.FlushCacheResponse:
        """Implement FlushCache."""
        self.of(request.name).flush()
        return pb.FlushCacheResponse()

    def list(self, _: pb.ListCachesRequest) -> pb.ListCachesResponse:
        """Implement ListCaches, including the limits that the fake enforces (CTRL-9)."""
        limits = pb.CacheLimits(max_item_size_kb=MOST_ITEM_BYTES // 1_024, max_ttl_seconds=self._ttl.most_ms // 1_000)
        return pb.ListCachesResponse(caches=[pb.CacheInfo(name=name, cache_limits=limits) for name in self._caches])
