"""The events of a subscription. They are a closed set, for use with `match`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from larder_cache._internal.common.shown_values import shown
from larder_cache.responses import Error

__all__ = ["HEARTBEAT", "Discontinuity", "Error", "Heartbeat", "Item", "TopicEvent"]


@dataclass(frozen=True, slots=True, repr=False)
class Item:
    """A message of the topic. `value` is a str if it was published as a str, otherwise bytes."""

    value: str | bytes
    # The sequence number of the message on its page, starting at 1. Pass `resume_at=number + 1` to resume after this
    # message.
    number: int
    # Identifies the current numbering of the topic. It is derived from the time of the topic's creation. Numbers of
    # different pages are unrelated.
    page: int
    # The id of the publisher's token. Empty if the token has no id.
    publisher_id: str = ""

    def __repr__(self) -> str:
        by = f", by {self.publisher_id!r:.40}" if self.publisher_id else ""
        return f"Item({shown(self.value)}, number {self.number} of page {self.page}{by})"


@dataclass(frozen=True, slots=True)
class Discontinuity:
    """Messages are missing at this position.

    The reader was too slow, the messages are no longer stored, or the topic was recreated.
    """

    # The number of the last message before the gap. 0 if there is none.
    last: int
    # The number of the first message after the gap. That message is the next event.
    next: int
    # The page of `next`. It differs from the previous page if the topic was recreated, because its numbering then
    # restarts.
    page: int


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """The stream is alive but there was no message for a while. Only returned if `heartbeats` is set."""


HEARTBEAT = Heartbeat()

# The type of all events. An Error is always the last event.
TopicEvent = Union[Item, Discontinuity, Heartbeat, Error]
