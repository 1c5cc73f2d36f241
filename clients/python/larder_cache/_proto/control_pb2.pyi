from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CacheInfo(_message.Message):
    __slots__ = ["cache_limits", "name", "topic_limits"]
    CACHE_LIMITS_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    TOPIC_LIMITS_FIELD_NUMBER: _ClassVar[int]
    cache_limits: CacheLimits
    name: str
    topic_limits: TopicLimits
    def __init__(self, name: _Optional[str] = ..., cache_limits: _Optional[_Union[CacheLimits, _Mapping]] = ..., topic_limits: _Optional[_Union[TopicLimits, _Mapping]] = ...) -> None: ...

class CacheLimits(_message.Message):
    __slots__ = ["max_item_size_kb", "max_throughput_kbps", "max_traffic_rate", "max_ttl_seconds"]
    MAX_ITEM_SIZE_KB_FIELD_NUMBER: _ClassVar[int]
    MAX_THROUGHPUT_KBPS_FIELD_NUMBER: _ClassVar[int]
    MAX_TRAFFIC_RATE_FIELD_NUMBER: _ClassVar[int]
    MAX_TTL_SECONDS_FIELD_NUMBER: _ClassVar[int]
    max_item_size_kb: int
    max_throughput_kbps: int
    max_traffic_rate: int
    max_ttl_seconds: int
    def __init__(self, max_traffic_rate: _Optional[int] = ..., max_throughput_kbps: _Optional[int] = ..., max_item_size_kb: _Optional[int] = ..., max_ttl_seconds: _Optional[int] = ...) -> None: ...

class CreateCacheRequest(_message.Message):
    __slots__ = ["name"]
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class CreateCacheResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class DeleteCacheRequest(_message.Message):
    __slots__ = ["name"]
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class DeleteCacheResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class FlushCacheRequest(_message.Message):
    __slots__ = ["name"]
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class FlushCacheResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ListCachesRequest(_message.Message):
    __slots__ = ["next_token"]
    NEXT_TOKEN_FIELD_NUMBER: _ClassVar[int]
    next_token: str
    def __init__(self, next_token: _Optional[str] = ...) -> None: ...

class ListCachesResponse(_message.Message):
    __slots__ = ["caches", "next_token"]
    CACHES_FIELD_NUMBER: _ClassVar[int]
    NEXT_TOKEN_FIELD_NUMBER: _ClassVar[int]
    caches: _containers.RepeatedCompositeFieldContainer[CacheInfo]
    next_token: str
    def __init__(self, caches: _Optional[_Iterable[_Union[CacheInfo, _Mapping]]] = ..., next_token: _Optional[str] = ...) -> None: ...

class TopicLimits(_message.Message):
    __slots__ = ["max_publish_message_size_kb", "max_publish_rate", "max_subscription_count"]
    MAX_PUBLISH_MESSAGE_SIZE_KB_FIELD_NUMBER: _ClassVar[int]
    MAX_PUBLISH_RATE_FIELD_NUMBER: _ClassVar[int]
    MAX_SUBSCRIPTION_COUNT_FIELD_NUMBER: _ClassVar[int]
    max_publish_message_size_kb: int
    max_publish_rate: int
    max_subscription_count: int
    def __init__(self, max_publish_rate: _Optional[int] = ..., max_subscription_count: _Optional[int] = ..., max_publish_message_size_kb: _Optional[int] = ...) -> None: ...
