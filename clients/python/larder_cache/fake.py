"""An in-memory server for tests: `FakeServer().client()` is a `larder_cache.CacheClient` of it."""

from larder_cache._internal.testing.fake_server import FakeServer

__all__ = ["FakeServer"]
