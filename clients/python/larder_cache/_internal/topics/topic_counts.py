"""Counts the events of a client's subscriptions, for its statistics and metrics."""

from __future__ import annotations

from larder_cache._internal.telemetry.telemetry import TOPIC_DISCONTINUITIES, TOPIC_ITEMS, TOPIC_RECONNECTS, Metrics
from larder_cache.topic_event import Discontinuity, Item, TopicEvent

_ATTRIBUTES = {"cache.operation": "subscribe"}


class TopicCounts:
    """Counts events and reports them to the metrics of the application, if any."""

    def __init__(self, metrics: Metrics | None) -> None:
        self._metrics = metrics
        self.items = 0
        self.discontinuities = 0
        self.reconnects = 0

    def told(self, event: TopicEvent) -> None:
        """Count an event that was delivered."""
        if isinstance(event, Item):
            self.items += 1
            self._add(TOPIC_ITEMS)
        elif isinstance(event, Discontinuity):
            self.discontinuities += 1
            self._add(TOPIC_DISCONTINUITIES)

    def reconnected(self) -> None:
        """Count a stream that was lost and is opened again."""
        self.reconnects += 1
        self._add(TOPIC_RECONNECTS)

    def _add(self, name: str) -> None:
        if self._metrics is not None:
            self._metrics.add(name, 1, _ATTRIBUTES)
