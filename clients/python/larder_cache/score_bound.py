"""An end of a range of scores."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Union


@dataclass(frozen=True, slots=True)
class ScoreBound:
    """An end of a range of scores. A number alone is one that is in the range itself.

    `score`: a number, or infinite. `exclusive`: whether elements of exactly that score are left out. Both are looked at
    when a call is given them.
    """

    score: float
    exclusive: bool = field(default=False, kw_only=True)


# What calls take.
AnyBound = Union[ScoreBound, float]
