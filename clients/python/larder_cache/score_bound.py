"""A bound of a range of scores."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Union


@dataclass(frozen=True, slots=True)
class ScoreBound:
    """A bound of a range of scores. A plain number is an inclusive bound.

    The call that uses this object validates both fields.

    Attributes:
        score: A finite or infinite number.
        exclusive: Whether elements with exactly this score are excluded.
    """

    score: float
    exclusive: bool = field(default=False, kw_only=True)


# The type of bounds that calls accept.
AnyBound = Union[ScoreBound, float]
