"""Where a subscription starts if the caller passes no message number."""

from __future__ import annotations

import enum


class TopicStart(enum.Enum):
    """The start of a subscription.

    NEWEST: start with the newest stored message, if there is one. NOW: start with the next message that is published.
    """

    NEWEST = "newest"
    NOW = "now"
