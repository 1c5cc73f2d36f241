"""The order of a sorted set, and how a union combines scores."""

from __future__ import annotations

import enum


class SortedSetOrder(enum.Enum):
    """The order of a sorted set's elements. Those of one score are in that of their bytes, in the same direction."""

    # The lowest score first.
    ASCENDING = 0
    # The highest score first.
    DESCENDING = 1


class SortedSetAggregate(enum.Enum):
    """What a union does with the weighted scores of an element that several of its sorted sets have."""

    # Adds them.
    SUM = 0
    # Takes the lowest.
    MIN = 1
    # Takes the highest.
    MAX = 2
