"""The subscriptions of one client on one event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from larder_cache._internal.common.detached import detached
from larder_cache._internal.configuration.token_source import TokenSource
from larder_cache._internal.gateways.gateway_set import GatewaySet
from larder_cache._internal.http2.http2_session import STREAMS
from larder_cache._internal.telemetry.statistics import TopicStatistics
from larder_cache._internal.telemetry.telemetry import SUBSCRIPTIONS, GuardedMetrics, Metrics
from larder_cache._internal.topics.subscription_state import SubscriptionOptions
from larder_cache._internal.topics.topic_buffer import TopicBuffer
from larder_cache._internal.topics.topic_channels import TopicChannels
from larder_cache._internal.topics.topic_counts import TopicCounts
from larder_cache._internal.topics.topic_messages import Wanted
from larder_cache._internal.topics.topic_reader import TopicReader
from larder_cache.configuration import Configuration
from larder_cache.credential_provider import CredentialProvider
from larder_cache.errors import ErrorCode
from larder_cache.responses import Error

# The maximum number of concurrent subscriptions of one client on one event loop: 100 connections with 100 streams each.
MOST_SUBSCRIPTIONS = 100 * STREAMS


class Subscriptions:
    """Starts subscriptions.

    References the reader and the task of each subscription until the subscription ends, because no other object
    references them.
    """

    def __init__(
        self,
        credentials: CredentialProvider,
        configuration: Configuration,
        loop: asyncio.AbstractEventLoop,
        *,
        gateways: Callable[[], GatewaySet | None],
        tokens: TokenSource | None,
        metrics: Metrics | None,
    ) -> None:
        """Create the object without connecting.

        Args:
            gateways: Returns the servers to choose from, or None if there is only one.
            tokens: The tokens of a token provider.
            metrics: The metrics of the application.
        """
        self._configuration = configuration
        self._loop = loop
        self._tokens = tokens
        self._channels = TopicChannels(credentials, configuration, gateways, tokens, loop)
        self._tasks: dict[TopicBuffer, asyncio.Task[Error | None]] = {}
        guarded = None if metrics is None else GuardedMetrics(metrics)
        self._counts = TopicCounts(guarded)
        if guarded is not None:
            guarded.watch(SUBSCRIPTIONS, lambda: len(self._tasks))

    def follow(self, wanted: Wanted, buffer: TopicBuffer) -> None:
        """Start a subscription. The buffer receives the events and the end of the subscription.

        Does nothing if the subscription was already started, because a signal handler may have interrupted the caller
        that started it.
        """
        if buffer.is_followed:
            return
        if len(self._tasks) >= MOST_SUBSCRIPTIONS:
            why = f"the client has reached its limit of {MOST_SUBSCRIPTIONS:,} subscriptions; close some"
            buffer.end(Error(ErrorCode.CLIENT_OVERLOADED, why))
            return
        options = SubscriptionOptions(
            resume_at=wanted.resume_at,
            page=wanted.page,
            now=wanted.now,
            heartbeats=wanted.heartbeats,
            request_timeout_s=self._configuration.request_timeout_s,
            initial_back_off_s=self._configuration.initial_back_off_s,
            max_back_off_s=self._configuration.max_back_off_s,
        )
        reader = TopicReader(wanted, options, buffer, self._channels, self._tokens, self._counts, self._loop)
        task = detached(self._loop.create_task, reader.run(), name="larder: read a topic")
        self._tasks[buffer] = task
        task.add_done_callback(partial(self._ended, buffer))
        buffer.on_room = reader.make_room
        buffer.on_left = partial(self._unsubscribe_soon, task)
        if buffer.over:
            # Another thread left the subscription before `on_left` was set.
            task.cancel()

    def _unsubscribe_soon(self, task: asyncio.Task[Error | None]) -> None:
        try:
            self._loop.call_soon_threadsafe(task.cancel)
        except RuntimeError:
            pass  # The loop was closed, and the task has ended with it.

    def _ended(self, buffer: TopicBuffer, task: asyncio.Task[Error | None]) -> None:
        del self._tasks[buffer]
        if not self._tasks:
            self._channels.close_unused()
        buffer.end(None if task.cancelled() else task.result())

    async def gone(self, buffer: TopicBuffer) -> None:
        """Cancel the subscription with this buffer and wait until its resources are released."""
        task = self._tasks.get(buffer)
        if task is not None:
            task.cancel()
            await asyncio.wait([task])

    @property
    def connections(self) -> int:
        """The number of established connections."""
        return self._channels.connections

    @property
    def open(self) -> int:
        """The number of subscriptions that have not ended."""
        return len(self._tasks)

    @property
    def streams(self) -> int:
        """The number of open streams."""
        return self._channels.streams

    def statistics(self) -> TopicStatistics:
        """Return the current statistics."""
        counts = self._counts
        return TopicStatistics(
            subscriptions=len(self._tasks),
            items=counts.items,
            discontinuities=counts.discontinuities,
            reconnects=counts.reconnects,
        )

    async def aclose(self) -> None:
        """End every subscription and close the connections."""
        for buffer in list(self._tasks):
            buffer.leave()
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._channels.aclose()
