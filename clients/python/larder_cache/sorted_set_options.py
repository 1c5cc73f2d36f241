"""Which end of a sorted set comes first."""

from __future__ import annotations

import enum


class SortedSetOrder(enum.Enum):
    """The order of a sorted set's elements. Those of one score are in that of their bytes, in the same direction."""

    # The lowest score first.
    ASCENDING = 0
    # The highest score first.
    DESCENDING = 1
