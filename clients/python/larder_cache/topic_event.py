"""Events of a subscription: a closed set, for `match`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from larder_cache._internal.common.shown_values import shown
from larder_cache.responses import Error

__all__ = ["HEARTBEAT", "Discontinuity", "Error", "Heartbeat", "Item", "TopicEvent"]


@dataclass(frozen=True, slots=True, repr=False)
class Item:
    """A message of the topic. `value` is a string if it was published as one, else bytes."""

    value: str | bytes
    # The sequence number of the message on its page, from 1. To resume after it later: `resume_at=number + 1`.
    number: int
    # Identifies the topic's current numbering, by when the topic was created. Numbers of different pages are unrelated.
    page: int
    # The id of the publisher's token; empty if it has none.
    publisher_id: str = ""

    def __repr__(self) -> str:
        by = f", by {self.publisher_id!r:.40}" if self.publisher_id else ""
        return f"Item({shown(self.value)}, number {self.number} of page {self.page}{by})"


@dataclass(frozen=True, slots=True)
class Discontinuity:
    """Messages are missing here: the reader was too slow, they are no longer stored, or the topic was recreated."""

    # The last number before the gap; 0: none.
    last: int
    # The first number after the gap, which comes next.
    next: int
    # The page of `next`. It differs from the previous page if the topic was recreated and its numbering restarted.
    page: int


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """The stream is alive but had no messages for a while. Only returned if `heartbeats` is set."""


HEARTBEAT = Heartbeat()

# An Error is the last event.
TopicEvent = Union[Item, Discontinuity, Heartbeat, Error]
