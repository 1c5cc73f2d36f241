"""Encodes requests to topics, and decodes the messages of a subscription."""

from __future__ import annotations

from typing import Any, NamedTuple

from larder_cache._internal.operations import pipeline_codec as codec
from larder_cache._internal.operations._generated.messages import pubsub as pb
from larder_cache._internal.operations.arguments import Refusal, to_bytes
from larder_cache._internal.topics.subscription_state import GREATEST, Ask
from larder_cache.topic_event import HEARTBEAT, Heartbeat, Item
from larder_cache.topic_start import TopicStart

SUBSCRIBE = "/cache_client.pubsub.Pubsub/Subscribe"


class Wanted(NamedTuple):
    """A subscription as the caller requested it."""

    cache: str
    topic: str
    resume_at: int
    page: int
    now: bool
    heartbeats: bool


class Gap(NamedTuple):
    """A discontinuity that the server reported. The number of the next message is `new` plus 1."""

    last: int
    new: int
    page: int


def publish_request(cache: str, topic: Any, value: Any) -> bytes:
    """Return the request to publish a value.

    A string is sent as text, any other value as bytes. Raises TypeError or Refusal if an argument is invalid.
    """
    name = to_topic(topic)
    kind = 1 if isinstance(value, str) else 2
    content = codec.bytes_field(kind, to_bytes(value))
    return (
        codec.bytes_field(1, cache.encode(errors="replace"))
        + codec.bytes_field(2, name)
        + codec.bytes_field(3, content)
    )


def subscribe_request(wanted: Wanted, ask: Ask) -> bytes:
    """Return the request to subscribe at the position that the subscription's state selected."""
    name, topic = codec.bytes_field(1, wanted.cache.encode()), codec.bytes_field(2, wanted.topic.encode())
    return name + topic + codec.number_field(3, ask.resume_at) + codec.number_field(4, ask.page)


def to_wanted(cache: str, topic: Any, resume_at: Any, page: Any, start: Any, heartbeats: Any) -> Wanted:
    """Return the requested subscription. Raises TypeError for a wrong type, and Refusal for an invalid value."""
    name = to_topic(topic).decode()
    number, of_page = _to_uint64("resume_at", resume_at), _to_uint64("page", page)
    if not isinstance(start, TopicStart):
        raise TypeError(f"start must be a TopicStart, not {type(start).__name__}")
    if not isinstance(heartbeats, bool):
        raise TypeError(f"heartbeats must be True or False, not {type(heartbeats).__name__}")
    if of_page and not number:
        raise Refusal("page needs resume_at; pass both or omit page")
    if number and start is not TopicStart.NEWEST:
        raise Refusal("resume_at and start are mutually exclusive; pass one of them")
    return Wanted(cache, name, number, of_page, start is TopicStart.NOW, heartbeats)


def to_topic(topic: Any) -> bytes:
    """Return the encoded name of a topic.

    Raises TypeError if it is not a string, and Refusal if it is empty or invalid.
    """
    if not isinstance(topic, str):
        raise TypeError(f"the topic must be str, not {type(topic).__name__}")
    if not topic:
        raise Refusal("the topic must not be empty")
    try:
        return str.encode(topic)
    except ValueError as error:
        raise Refusal(f"the topic cannot be encoded as UTF-8: {error}") from None


def _to_uint64(what: str, number: Any) -> int:
    # A bool is an int in Python but not a valid number here.
    if not isinstance(number, int) or isinstance(number, bool):
        raise TypeError(f"{what} must be an integer, not {type(number).__name__}")
    if not 0 <= number <= GREATEST:
        raise Refusal(f"{what} must be an unsigned 64-bit integer")
    return int(number)


def arrived(message: bytes) -> Item | Gap | Heartbeat | None:
    """Decode a message of a subscription. Raises an exception if the message is invalid.

    Returns None for an unknown kind of message, which a newer server may send.
    """
    read = pb.SubscriptionItem.FromString(message)
    kind = read.WhichOneof("kind")
    if kind == "item":
        item = read.item
        # A value of an unknown kind becomes empty bytes. If it were rejected, the server would send it again forever.
        value = item.value.text if item.value.WhichOneof("kind") == "text" else item.value.binary
        return Item(value, item.topic_sequence_number, item.sequence_page, item.publisher_id)
    if kind == "discontinuity":
        gap = read.discontinuity
        return Gap(gap.last_topic_sequence, gap.new_topic_sequence, gap.new_sequence_page)
    return HEARTBEAT if kind == "heartbeat" else None
