"""Where a subscription begins that is not told a number."""

from __future__ import annotations

import enum


class TopicStart(enum.Enum):
    """NEWEST: with the newest message that is kept, if there is one. NOW: with the next that is published."""

    NEWEST = "newest"
    NOW = "now"
