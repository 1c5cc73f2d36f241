"""Topics of a cache: publishing to those who follow them, and following."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from larder_cache import responses as r
from larder_cache._internal.client.sender import Sender
from larder_cache._internal.operations._generated import operations as op
from larder_cache._internal.operations.arguments import Refusal, Value
from larder_cache._internal.topics.topic_buffer import TopicBuffer
from larder_cache._internal.topics.topic_messages import publish_request, to_wanted
from larder_cache.topic_start import TopicStart
from larder_cache.topic_subscription import TopicSubscription

if TYPE_CHECKING:
    from larder_cache.client import CacheClient


class ClientTopics(Sender):
    """A client's."""

    async def publish(
        self, cache: str, topic: str, value: Value, *, timeout_s: float | None = None
    ) -> r.PublishResponse:
        """Publish a message to all who follow the topic; it need not have any. Never sent twice where it may have run.

        `value`: a text reaches them as text, bytes as bytes; a server takes 1 MiB at most, and LIMIT_EXCEEDED is for
        more. It is kept for those who come later, among the newest 1,000 messages or 1 MiB of the topic.
        """
        try:
            payload = publish_request(self._names[cache], topic, value)
        except Refusal as refusal:
            return refusal.error
        return await self._calls.run(op.PUBLISH, "", payload, timeout_s)

    def subscribe(
        self,
        cache: str,
        topic: str,
        *,
        resume_at: int = 0,
        page: int = 0,
        start: TopicStart = TopicStart.NEWEST,
        heartbeats: bool = False,
    ) -> TopicSubscription:
        """Follow a topic: `async for event in client.subscribe(…)`, with an Item, a Discontinuity or an Error each.

        `resume_at`: the number of the first message that is wanted, a number after one that came before. `page`: the
        page of that number; 0: whichever there is. `start`: where to begin without a number, with the newest message
        that is kept (default), or with the next. `heartbeats`: whether to tell of the server's, about one a second
        while nothing comes.

        Nothing is raised for what a server, a network or an argument's value does: an Error is the last event then.
        """
        try:
            wanted = to_wanted(self._names[cache], topic, resume_at, page, start, heartbeats)
        except Refusal as refusal:
            return TopicSubscription(partial(_refuse, refusal.error), self._calls.gone)
        return TopicSubscription(partial(self._calls.follow, wanted), self._calls.gone)


class BoundTopics:
    """A cache's: the client's calls with its name bound."""

    client: CacheClient
    name: str

    async def publish(self, topic: str, value: Value, *, timeout_s: float | None = None) -> r.PublishResponse:
        """Publish a message to all who follow the topic: CacheClient.publish."""
        return await self.client.publish(self.name, topic, value, timeout_s=timeout_s)

    def subscribe(
        self,
        topic: str,
        *,
        resume_at: int = 0,
        page: int = 0,
        start: TopicStart = TopicStart.NEWEST,
        heartbeats: bool = False,
    ) -> TopicSubscription:
        """Follow a topic: CacheClient.subscribe."""
        return self.client.subscribe(
            self.name, topic, resume_at=resume_at, page=page, start=start, heartbeats=heartbeats
        )


def _refuse(error: r.Error, buffer: TopicBuffer) -> None:
    buffer.end(error)
