"""The blocking twins of topics.py.

Written by tools/python-sync; not edited by hand. Safe to use from many threads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from larder_cache import responses as r
from larder_cache._internal.blocking.background_loop import drive
from larder_cache._internal.blocking.blocking_subscription import BlockingSubscription
from larder_cache._internal.operations.arguments import Value
from larder_cache.topic_start import TopicStart

if TYPE_CHECKING:
    from larder_cache import bound_cache, client


class ClientTopics:
    """ClientTopics of topics.py, blocking."""

    _async: client.CacheClient

    def publish(self, cache: str, topic: str, value: Value, *, timeout_s: float | None = None) -> r.PublishResponse:
        """Publish a message to all who follow the topic; it need not have any. Never sent twice where it may have run.

        `value`: a text reaches them as text, bytes as bytes; a server takes 1 MiB at most, and LIMIT_EXCEEDED is for
        more. It is kept for those who come later, among the newest 1,000 messages or 1 MiB of the topic.
        """
        return drive(self._async.publish(cache, topic, value, timeout_s=timeout_s))

    def subscribe(
        self,
        cache: str,
        topic: str,
        *,
        resume_at: int = 0,
        page: int = 0,
        start: TopicStart = TopicStart.NEWEST,
        heartbeats: bool = False,
    ) -> BlockingSubscription:
        """Follow a topic: `for event in client.subscribe(…)`, with an Item, a Discontinuity or an Error each.

        `resume_at`: the number of the first message that is wanted, a number after one that came before. `page`: the
        page of that number; 0: whichever there is. `start`: where to begin without a number, with the newest message
        that is kept (default), or with the next. `heartbeats`: whether to tell of the server's, about one a second
        while nothing comes.

        Nothing is raised for what a server, a network or an argument's value does: an Error is the last event then.
        """
        return BlockingSubscription(
            self._async.subscribe(cache, topic, resume_at=resume_at, page=page, start=start, heartbeats=heartbeats)
        )


class BoundTopics:
    """BoundTopics of topics.py, blocking."""

    _async: bound_cache.BoundCache

    def publish(self, topic: str, value: Value, *, timeout_s: float | None = None) -> r.PublishResponse:
        """Publish a message to all who follow the topic: CacheClient.publish."""
        return drive(self._async.publish(topic, value, timeout_s=timeout_s))

    def subscribe(
        self,
        topic: str,
        *,
        resume_at: int = 0,
        page: int = 0,
        start: TopicStart = TopicStart.NEWEST,
        heartbeats: bool = False,
    ) -> BlockingSubscription:
        """Follow a topic: CacheClient.subscribe."""
        return BlockingSubscription(
            self._async.subscribe(topic, resume_at=resume_at, page=page, start=start, heartbeats=heartbeats)
        )
