# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
"""The messages of protocol/proto/control.proto."""

from __future__ import annotations

import builtins  # noqa: F401

from larder_cache._internal.operations.message import Message
from larder_cache._internal.operations.message import field as _field


class CreateCacheRequest(Message):
    name: str = _field("string", 1)
    max_bytes: int = _field("uint64", 64)


class CreateCacheResponse(Message):
    pass


class DeleteCacheRequest(Message):
    name: str = _field("string", 1)


class DeleteCacheResponse(Message):
    pass


class FlushCacheRequest(Message):
    name: str = _field("string", 1)


class FlushCacheResponse(Message):
    pass


class ListCachesRequest(Message):
    next_token: str = _field("string", 1)


class ListCachesResponse(Message):
    caches: list[CacheInfo] = _field("message", 1, repeated=True, of=lambda: CacheInfo())
    next_token: str = _field("string", 2)


class CacheInfo(Message):
    name: str = _field("string", 1)
    cache_limits: CacheLimits = _field("message", 2, of=lambda: CacheLimits())
    topic_limits: TopicLimits = _field("message", 3, of=lambda: TopicLimits())
    max_bytes: int = _field("uint64", 64)


class CacheLimits(Message):
    max_traffic_rate: int = _field("uint32", 1)
    max_throughput_kbps: int = _field("uint32", 2)
    max_item_size_kb: int = _field("uint32", 3)
    max_ttl_seconds: int = _field("uint64", 4)


class TopicLimits(Message):
    max_publish_rate: int = _field("uint32", 1)
    max_subscription_count: int = _field("uint32", 2)
    max_publish_message_size_kb: int = _field("uint32", 3)
