"""Where a subscription starts if it is given no number."""

from __future__ import annotations

import enum


class TopicStart(enum.Enum):
    """NEWEST: with the newest stored message, if there is one. NOW: with the next message that is published."""

    NEWEST = "newest"
    NOW = "now"
