"""Topics of a cache: publish and subscribe."""

from __future__ import annotations

from functools import partial

from larder_cache import responses as r
from larder_cache._internal.client.cache_calls import CacheCalls
from larder_cache._internal.operations._generated import operations as op
from larder_cache._internal.operations.arguments import Refusal, Value
from larder_cache._internal.topics.topic_buffer import TopicBuffer
from larder_cache._internal.topics.topic_messages import publish_request, to_wanted
from larder_cache.topic_start import TopicStart
from larder_cache.topic_subscription import TopicSubscription


class Topics(CacheCalls):
    """The calls on topics."""

    async def publish(self, topic: str, value: Value) -> r.PublishResponse:
        """Publish a message to the subscribers of a topic, if any.

        The call is not retried if it may have been executed. A topic stores its newest messages for later subscribers:
        at most 1,000 messages and at most 1 MiB.

        Args:
            topic: The topic's name.
            value: The message, at most 1 MiB. Subscribers receive a str as str and bytes as bytes. A larger message
                fails with LIMIT_EXCEEDED.
        """
        try:
            payload = publish_request(self._name, topic, value)
        except Refusal as refusal:
            return refusal.error
        return await self.calls.run(op.PUBLISH, "", payload, self.timeout_s)

    def subscribe(
        self,
        topic: str,
        *,
        resume_at: int = 0,
        page: int = 0,
        start: TopicStart = TopicStart.NEWEST,
        heartbeats: bool = False,
    ) -> TopicSubscription:
        """Subscribe to a topic: `async for event in cache.subscribe(…)`.

        Each event is an Item, Discontinuity, Heartbeat or Error.

        Args:
            topic: The topic's name.
            resume_at: The number of the first message to receive, for example the number of the last received message
                plus 1.
            page: The page that `resume_at` belongs to. 0 accepts any page.
            start: Where to start if `resume_at` is 0: with the newest stored message (the default), or with the next
                message.
            heartbeats: Whether to return the server's heartbeats. While there are no messages, the server sends about
                one heartbeat per second.

        Failures of the server or the network do not raise, nor do invalid argument values. The last event is then an
        Error. A subscription has no deadline.
        """
        try:
            wanted = to_wanted(self._name, topic, resume_at, page, start, heartbeats)
        except Refusal as refusal:
            return TopicSubscription(partial(_refuse, refusal.error), self.calls.gone)
        return TopicSubscription(partial(self.calls.follow, wanted), self.calls.gone)


def _refuse(error: r.Error, buffer: TopicBuffer) -> None:
    buffer.end(error)
