"""What a subscription brings: a closed set, made for `match`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from larder_cache._internal.common.shown_values import shown
from larder_cache.responses import Error

__all__ = ["HEARTBEAT", "Discontinuity", "Error", "Heartbeat", "Item", "TopicEvent"]


@dataclass(frozen=True, slots=True, repr=False)
class Item:
    """A message of the topic. `value` is a text where it was published as one, else bytes."""

    value: str | bytes
    # From 1, one more for each message of the topic's page. To go on after it later: `resume_at=number + 1`.
    number: int
    # When the topic was begun; numbers of another page are of another count.
    page: int
    # The id of the token that published; empty: none.
    publisher_id: str = ""

    def __repr__(self) -> str:
        by = f", by {self.publisher_id!r:.40}" if self.publisher_id else ""
        return f"Item({shown(self.value)}, number {self.number} of page {self.page}{by})"


@dataclass(frozen=True, slots=True)
class Discontinuity:
    """Messages are missing here: too many came for this reader, or they are kept no longer, or the topic began anew."""

    # The number before the gap; 0: none.
    last: int
    # The number after it, the next that comes.
    next: int
    # The page of `next`: another than before where the topic began anew, and its count with it.
    page: int


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """The stream is there, and nothing came for a while. Told where `heartbeats` is asked for."""


HEARTBEAT = Heartbeat()

# Error is the last: nothing comes after it.
TopicEvent = Union[Item, Discontinuity, Heartbeat, Error]
