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
        """Publish a message to the subscribers of a topic, if any. Never retried if it may have run.

        `value`: a string arrives as a string, bytes as bytes. The maximum size is 1 MiB; LIMIT_EXCEEDED for more. The
        topic keeps its newest 1,000 messages or 1 MiB for later subscribers.
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

        Events are an Item, Discontinuity, Heartbeat or Error.

        `resume_at`: the number of the first message to receive, for example the last received one plus 1. `page`: the
        page of that number; 0: any. `start`: where to start without a number: with the newest stored message (the
        default), or with the next one. `heartbeats`: whether to return the server's heartbeats, about one a second
        while there are no messages.

        Failures of the server or the network and invalid argument values do not raise: the last event is an Error then.
        A subscription has no deadline.
        """
        try:
            wanted = to_wanted(self._name, topic, resume_at, page, start, heartbeats)
        except Refusal as refusal:
            return TopicSubscription(partial(_refuse, refusal.error), self.calls.gone)
        return TopicSubscription(partial(self.calls.follow, wanted), self.calls.gone)


def _refuse(error: r.Error, buffer: TopicBuffer) -> None:
    buffer.end(error)
