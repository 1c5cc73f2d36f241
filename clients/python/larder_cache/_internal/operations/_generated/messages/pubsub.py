# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
"""The messages of protocol/proto/pubsub.proto."""

from __future__ import annotations

import builtins  # noqa: F401

from larder_cache._internal.operations.message import Message
from larder_cache._internal.operations.message import field as _field


class TopicValue(Message):
    text: str = _field("string", 1, oneof="kind")
    binary: bytes = _field("bytes", 2, oneof="kind")


class PublishRequest(Message):
    cache_name: str = _field("string", 1)
    topic: str = _field("string", 2)
    value: TopicValue = _field("message", 3, of=lambda: TopicValue())


class PublishResponse(Message):
    pass


class SubscribeRequest(Message):
    cache_name: str = _field("string", 1)
    topic: str = _field("string", 2)
    resume_at_topic_sequence_number: int = _field("uint64", 3)
    sequence_page: int = _field("uint64", 4)


class SubscriptionItem(Message):
    item: TopicItem = _field("message", 1, oneof="kind", of=lambda: TopicItem())
    discontinuity: Discontinuity = _field("message", 2, oneof="kind", of=lambda: Discontinuity())
    heartbeat: Heartbeat = _field("message", 3, oneof="kind", of=lambda: Heartbeat())


class TopicItem(Message):
    topic_sequence_number: int = _field("uint64", 1)
    value: TopicValue = _field("message", 2, of=lambda: TopicValue())
    publisher_id: str = _field("string", 3)
    sequence_page: int = _field("uint64", 4)


class Discontinuity(Message):
    last_topic_sequence: int = _field("uint64", 1)
    new_topic_sequence: int = _field("uint64", 2)
    new_sequence_page: int = _field("uint64", 3)


class Heartbeat(Message):
    pass
