"""A bound of a range of scores."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Union


@dataclass(frozen=True, slots=True)
class ScoreBound:
    """A bound of a range of scores. A plain number is an inclusive bound.

    `score`: a finite or infinite number. `exclusive`: whether elements with exactly that score are excluded. Both are
    validated by the call that uses them.
    """

    score: float
    exclusive: bool = field(default=False, kw_only=True)


# The type that calls accept.
AnyBound = Union[ScoreBound, float]
