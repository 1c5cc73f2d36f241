"""An in-memory server for tests. `FakeServer().client()` returns a `larder_cache.CacheClient` of this server."""

from larder_cache._internal.testing.fake_server import FakeServer

__all__ = ["FakeServer"]
