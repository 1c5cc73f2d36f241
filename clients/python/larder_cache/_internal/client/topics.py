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
        """Publish a message to the subscribers of a topic; there may be none. Never retried if it may have run.

        `value`: a string arrives as a string, bytes as bytes. A server takes 1 MiB at most; LIMIT_EXCEEDED is for
        more. It is stored for later subscribers, among the newest 1,000 messages or 1 MiB of the topic.
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
        """Subscribe to a topic: `async for event in cache.subscribe(…)`, an Item, a Discontinuity or an Error each.

        `resume_at`: the number of the first message that is wanted, for example one more than the last one received.
        `page`: the page of that number; 0: any. `start`: where to begin without a number: with the newest stored
        message (the default), or with the next one. `heartbeats`: whether to return the server's heartbeats, about one
        a second while there are no messages.

        A subscription never raises for what a server, a network or the value of an argument does: its last event is
        an Error then. It has no deadline.
        """
        try:
            wanted = to_wanted(self._name, topic, resume_at, page, start, heartbeats)
        except Refusal as refusal:
            return TopicSubscription(partial(_refuse, refusal.error), self.calls.gone)
        return TopicSubscription(partial(self.calls.follow, wanted), self.calls.gone)


def _refuse(error: r.Error, buffer: TopicBuffer) -> None:
    buffer.end(error)
