# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from google.protobuf import descriptor, message
from google.protobuf.internal import containers, enum_type_wrapper

DESCRIPTOR: descriptor.FileDescriptor

class CreateCacheRequest(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    MAX_BYTES_FIELD_NUMBER: ClassVar[int]
    name: str
    max_bytes: int
    def __init__(
        self,
        name: str | None = ...,
        max_bytes: int | None = ...,
    ) -> None: ...

class CreateCacheResponse(message.Message):
    def __init__(self) -> None: ...

class DeleteCacheRequest(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    name: str
    def __init__(
        self,
        name: str | None = ...,
    ) -> None: ...

class DeleteCacheResponse(message.Message):
    def __init__(self) -> None: ...

class FlushCacheRequest(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    name: str
    def __init__(
        self,
        name: str | None = ...,
    ) -> None: ...

class FlushCacheResponse(message.Message):
    def __init__(self) -> None: ...

class ListCachesRequest(message.Message):
    NEXT_TOKEN_FIELD_NUMBER: ClassVar[int]
    next_token: str
    def __init__(
        self,
        next_token: str | None = ...,
    ) -> None: ...

class ListCachesResponse(message.Message):
    CACHES_FIELD_NUMBER: ClassVar[int]
    NEXT_TOKEN_FIELD_NUMBER: ClassVar[int]
    caches: containers.RepeatedCompositeFieldContainer[CacheInfo]
    next_token: str
    def __init__(
        self,
        caches: Iterable[CacheInfo | Mapping[str, Any]] | None = ...,
        next_token: str | None = ...,
    ) -> None: ...

class CacheInfo(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    CACHE_LIMITS_FIELD_NUMBER: ClassVar[int]
    TOPIC_LIMITS_FIELD_NUMBER: ClassVar[int]
    MAX_BYTES_FIELD_NUMBER: ClassVar[int]
    name: str
    cache_limits: CacheLimits
    topic_limits: TopicLimits
    max_bytes: int
    def __init__(
        self,
        name: str | None = ...,
        cache_limits: CacheLimits | Mapping[str, Any] | None = ...,
        topic_limits: TopicLimits | Mapping[str, Any] | None = ...,
        max_bytes: int | None = ...,
    ) -> None: ...

class CacheLimits(message.Message):
    MAX_TRAFFIC_RATE_FIELD_NUMBER: ClassVar[int]
    MAX_THROUGHPUT_KBPS_FIELD_NUMBER: ClassVar[int]
    MAX_ITEM_SIZE_KB_FIELD_NUMBER: ClassVar[int]
    MAX_TTL_SECONDS_FIELD_NUMBER: ClassVar[int]
    max_traffic_rate: int
    max_throughput_kbps: int
    max_item_size_kb: int
    max_ttl_seconds: int
    def __init__(
        self,
        max_traffic_rate: int | None = ...,
        max_throughput_kbps: int | None = ...,
        max_item_size_kb: int | None = ...,
        max_ttl_seconds: int | None = ...,
    ) -> None: ...

class TopicLimits(message.Message):
    MAX_PUBLISH_RATE_FIELD_NUMBER: ClassVar[int]
    MAX_SUBSCRIPTION_COUNT_FIELD_NUMBER: ClassVar[int]
    MAX_PUBLISH_MESSAGE_SIZE_KB_FIELD_NUMBER: ClassVar[int]
    max_publish_rate: int
    max_subscription_count: int
    max_publish_message_size_kb: int
    def __init__(
        self,
        max_publish_rate: int | None = ...,
        max_subscription_count: int | None = ...,
        max_publish_message_size_kb: int | None = ...,
    ) -> None: ...
