"""What a union makes of an element's scores."""

from __future__ import annotations

import enum


class SortedSetAggregate(enum.Enum):
    """What a union does with the weighted scores of an element that several of its sorted sets have."""

    # Adds them.
    SUM = 0
    # Takes the lowest.
    MIN = 1
    # Takes the highest.
    MAX = 2
