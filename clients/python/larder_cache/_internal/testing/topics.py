"""The topics of a fake server (protocol/spec/topics.md)."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from functools import partial

from larder_cache._internal.operations._generated.messages import pubsub as pb
from larder_cache._internal.testing.clock import Clock
from larder_cache._internal.testing.follower import Follower, Message
from larder_cache._internal.testing.refused import Refused, invalid, too_large
from larder_cache._internal.topics.topic_buffer import TopicBuffer
from larder_cache._internal.topics.topic_messages import Gap, Wanted
from larder_cache.errors import ErrorCode
from larder_cache.topic_event import HEARTBEAT, Item

# Limits of topics. Source: TOP-6, TOP-7, TOP-12.
_KEPT_MESSAGES, _KEPT_BYTES = 1_000, 1024 * 1024
_FORGOTTEN_NS = 600 * 1_000_000_000
_MOST_NAME, _MOST_VALUE_BYTES = 1_024, 1_048_576
_LIMIT = "topic_subscriptions_limit_exceeded"
# The time at which a fake's clock starts, 2023-11-14 22:13:20 UTC as a Unix time in milliseconds. The page of a topic
# is derived from the time of the topic's creation.
_BEGINNING_MS = 1_700_000_000_000
_SECOND_NS = 1_000_000_000


class _Topic:
    def __init__(self, page: int) -> None:
        self.page = page
        self.newest = 0
        self.kept: deque[Message] = deque()
        self.kept_bytes = 0
        self.followers: dict[TopicBuffer, Follower] = {}
        # The last time at which a caller published to, subscribed to or left the topic, and the last time at which the
        # topic sent a message or heartbeat.
        self.used_ns = self.heard_ns = 0

    def keep(self, message: Message) -> None:
        self.kept.append(message)
        self.kept_bytes += message.size
        while len(self.kept) > 1 and (len(self.kept) > _KEPT_MESSAGES or self.kept_bytes > _KEPT_BYTES):
            self.kept_bytes -= self.kept.popleft().size


class Topics:
    """The topics of all caches. Callers must hold the fake's lock, except for calls of `leave`."""

    def __init__(self, clock: Clock, lock: threading.RLock, most: int, most_followers: int) -> None:
        self._clock = clock
        self._lock = lock
        self._most = most
        self._most_followers = most_followers
        self._topics: dict[tuple[str, str], _Topic] = {}
        self._last_page = 0

    def publish(self, request: pb.PublishRequest) -> pb.PublishResponse:
        """Publish a message. The caller must have checked that the cache exists."""
        kind = request.value.WhichOneof("kind")
        if kind is None:
            raise invalid("the request has no value; pass text or binary (either may be empty)")
        value = request.value.text if kind == "text" else request.value.binary
        size = len(value.encode() if isinstance(value, str) else value)
        if size > _MOST_VALUE_BYTES:
            raise too_large(f"the message is {size} bytes, but at most {_MOST_VALUE_BYTES} are allowed")
        topic = self._of(request.cache_name, request.topic)
        topic.newest += 1
        message = Message(Item(value, topic.newest, topic.page), size)
        topic.keep(message)
        topic.heard_ns = self._clock.now_ns
        for follower in topic.followers.values():
            follower.say(message)
        return pb.PublishResponse()

    def follow(self, wanted: Wanted, buffer: TopicBuffer, loop: asyncio.AbstractEventLoop) -> None:
        """Start a subscription. The caller must have checked that the cache exists."""
        topic = self._of(wanted.cache, wanted.topic)
        if len(topic.followers) >= self._most_followers:
            why = (
                f"the topic already has {self._most_followers} subscribers, "
                "the maximum set by --max-topic-subscribers"
            )
            raise Refused(ErrorCode.LIMIT_EXCEEDED, why, _LIMIT)
        first, gap = _begin(topic, wanted)
        follower = Follower(wanted, buffer, loop, self._lock)
        topic.followers[buffer] = follower
        follower.left(partial(self.leave, wanted.cache, wanted.topic, buffer))
        follower.begin(f"{topic.page}-{first}", first - 1)
        if gap is not None:
            follower.say(gap)
        for message in [each for each in topic.kept if each.item.number >= first]:
            follower.say(message)
        if buffer.over:
            # The consumer left on another thread before `leave` was registered.
            self.leave(wanted.cache, wanted.topic, buffer)

    def leave(self, cache: str, name: str, buffer: TopicBuffer) -> None:
        """Remove a subscription whose consumer has left."""
        with self._lock:
            topic = self._topics.get((cache, name))
            if topic is not None:
                topic.followers.pop(buffer, None)
                topic.used_ns = self._clock.now_ns

    def end(self, of: Callable[[str, TopicBuffer], bool], refused: Refused | None) -> None:
        """End the subscriptions for which `of` returns True. `of` receives the name of the cache and the buffer."""
        for (cache, name), topic in self._topics.items():
            for buffer in [each for each in topic.followers if of(cache, each)]:
                topic.followers.pop(buffer).end(refused, f"subscribe to {name!r:.80} in cache {cache!r}")

    def forget(self, cache: str) -> None:
        """Remove the topics of a deleted cache (TOP-7)."""
        self.end(
            lambda of, _: of == cache, Refused(ErrorCode.NOT_FOUND, f"cache '{cache}' does not exist; create it first")
        )
        for place in [place for place in self._topics if place[0] == cache]:
            del self._topics[place]

    def advanced(self) -> None:
        """Send heartbeats after a test has advanced the clock.

        A topic sends one heartbeat to each subscription if it has sent nothing for at least a second (TOP-1).
        """
        now = self._clock.now_ns
        for topic in self._topics.values():
            if now - topic.heard_ns >= _SECOND_NS:
                topic.heard_ns = now
                for follower in topic.followers.values():
                    follower.say(HEARTBEAT)

    def after_fork(self, lock: threading.RLock) -> None:
        """Reset the state in a forked child process. The subscriptions belong to the parent."""
        self._lock = lock
        for topic in self._topics.values():
            topic.followers.clear()

    def _of(self, cache: str, name: str) -> _Topic:
        if not name:
            raise invalid("the topic name is empty; it must have at least 1 character")
        if len(name) > _MOST_NAME:
            raise invalid(f"the topic name exceeds {_MOST_NAME} characters")
        now = self._clock.now_ns
        topic = self._topics.get((cache, name))
        if topic is None or self._is_forgotten(topic):
            self._topics.pop((cache, name), None)
            self._check_room(cache)
            # Each page is unique, even if the fake's clock has not advanced.
            self._last_page = max(self._last_page + 1, _BEGINNING_MS + now // 1_000_000)
            topic = self._topics[cache, name] = _Topic(self._last_page)
            topic.heard_ns = now
        topic.used_ns = now
        return topic

    def _check_room(self, cache: str) -> None:
        if sum(of == cache for of, _ in self._topics) < self._most:
            return
        for place in [place for place, each in self._topics.items() if place[0] == cache and self._is_forgotten(each)]:
            del self._topics[place]
        if sum(of == cache for of, _ in self._topics) >= self._most:
            why = f"cache '{cache}' already has {self._most} topics, the maximum set by --max-topics"
            raise Refused(ErrorCode.LIMIT_EXCEEDED, why, _LIMIT)

    def _is_forgotten(self, topic: _Topic) -> bool:
        return not topic.followers and self._clock.now_ns - topic.used_ns >= _FORGOTTEN_NS


def _begin(topic: _Topic, wanted: Wanted) -> tuple[int, Gap | None]:
    """Return the number of the first message to deliver, and the gap before it, if any (TOP-3, TOP-10)."""
    if wanted.now:
        return topic.newest + 1, None
    newest = topic.newest if topic.kept else topic.newest + 1
    if not wanted.resume_at:
        return newest, None
    oldest = topic.kept[0].item.number if topic.kept else topic.newest + 1
    if wanted.page in (0, topic.page) and oldest <= wanted.resume_at <= topic.newest + 1:
        return wanted.resume_at, None
    return newest, Gap(wanted.resume_at - 1, newest - 1, topic.page)
