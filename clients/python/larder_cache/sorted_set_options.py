"""The order of a sorted set, and how a union combines scores."""

from __future__ import annotations

import enum


class SortedSetOrder(enum.Enum):
    """The order of a sorted set's elements.

    Elements with equal scores are ordered by their bytes, in the same direction.
    """

    # Lowest score first.
    ASCENDING = 0
    # Highest score first.
    DESCENDING = 1


class SortedSetAggregate(enum.Enum):
    """How a union combines the weighted scores of an element that several of its sorted sets contain."""

    # The sum of the scores.
    SUM = 0
    # The lowest score.
    MIN = 1
    # The highest score.
    MAX = 2
