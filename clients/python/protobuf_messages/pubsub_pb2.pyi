# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from google.protobuf import descriptor, message
from google.protobuf.internal import containers, enum_type_wrapper

DESCRIPTOR: descriptor.FileDescriptor

class TopicValue(message.Message):
    TEXT_FIELD_NUMBER: ClassVar[int]
    BINARY_FIELD_NUMBER: ClassVar[int]
    text: str
    binary: bytes
    def __init__(
        self,
        text: str | None = ...,
        binary: bytes | None = ...,
    ) -> None: ...

class PublishRequest(message.Message):
    CACHE_NAME_FIELD_NUMBER: ClassVar[int]
    TOPIC_FIELD_NUMBER: ClassVar[int]
    VALUE_FIELD_NUMBER: ClassVar[int]
    cache_name: str
    topic: str
    value: TopicValue
    def __init__(
        self,
        cache_name: str | None = ...,
        topic: str | None = ...,
        value: TopicValue | Mapping[str, Any] | None = ...,
    ) -> None: ...

class PublishResponse(message.Message):
    def __init__(self) -> None: ...

class SubscribeRequest(message.Message):
    CACHE_NAME_FIELD_NUMBER: ClassVar[int]
    TOPIC_FIELD_NUMBER: ClassVar[int]
    RESUME_AT_TOPIC_SEQUENCE_NUMBER_FIELD_NUMBER: ClassVar[int]
    SEQUENCE_PAGE_FIELD_NUMBER: ClassVar[int]
    cache_name: str
    topic: str
    resume_at_topic_sequence_number: int
    sequence_page: int
    def __init__(
        self,
        cache_name: str | None = ...,
        topic: str | None = ...,
        resume_at_topic_sequence_number: int | None = ...,
        sequence_page: int | None = ...,
    ) -> None: ...

class SubscriptionItem(message.Message):
    ITEM_FIELD_NUMBER: ClassVar[int]
    DISCONTINUITY_FIELD_NUMBER: ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: ClassVar[int]
    item: TopicItem
    discontinuity: Discontinuity
    heartbeat: Heartbeat
    def __init__(
        self,
        item: TopicItem | Mapping[str, Any] | None = ...,
        discontinuity: Discontinuity | Mapping[str, Any] | None = ...,
        heartbeat: Heartbeat | Mapping[str, Any] | None = ...,
    ) -> None: ...

class TopicItem(message.Message):
    TOPIC_SEQUENCE_NUMBER_FIELD_NUMBER: ClassVar[int]
    VALUE_FIELD_NUMBER: ClassVar[int]
    PUBLISHER_ID_FIELD_NUMBER: ClassVar[int]
    SEQUENCE_PAGE_FIELD_NUMBER: ClassVar[int]
    topic_sequence_number: int
    value: TopicValue
    publisher_id: str
    sequence_page: int
    def __init__(
        self,
        topic_sequence_number: int | None = ...,
        value: TopicValue | Mapping[str, Any] | None = ...,
        publisher_id: str | None = ...,
        sequence_page: int | None = ...,
    ) -> None: ...

class Discontinuity(message.Message):
    LAST_TOPIC_SEQUENCE_FIELD_NUMBER: ClassVar[int]
    NEW_TOPIC_SEQUENCE_FIELD_NUMBER: ClassVar[int]
    NEW_SEQUENCE_PAGE_FIELD_NUMBER: ClassVar[int]
    last_topic_sequence: int
    new_topic_sequence: int
    new_sequence_page: int
    def __init__(
        self,
        last_topic_sequence: int | None = ...,
        new_topic_sequence: int | None = ...,
        new_sequence_page: int | None = ...,
    ) -> None: ...

class Heartbeat(message.Message):
    def __init__(self) -> None: ...
