"""A server in this process's memory, for tests: `FakeServer().client()` is a `larder_cache.CacheClient` of it."""

from larder_cache.fake.fake_server import FakeServer

__all__ = ["FakeServer"]
