"""The responses of a typed cache that differ from the responses of an untyped cache."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

V = TypeVar("V")


@dataclass(slots=True, repr=False)
class TypedHit(Generic[V]):
    """The item exists. `value` is the decoded value, or None if None was stored."""

    value: V | None

    def __repr__(self) -> str:
        return f"TypedHit({type(self.value).__name__})"


@dataclass(slots=True, repr=False)
class TypedGetBatchSuccess(Generic[V]):
    """The responses of a batch, one per key in the order of the request.

    Each response is a TypedHit, a Miss, or an Error if the value cannot be decoded.
    """

    responses: list[Any]

    def __repr__(self) -> str:
        hits = sum(isinstance(each, TypedHit) for each in self.responses)
        return f"TypedGetBatchSuccess({hits:,} hits of {len(self.responses):,})"

    @property
    def values(self) -> list[V | None]:
        """The decoded values in the order of the request. None for a miss or an error."""
        return [cast(TypedHit[V], each).value if isinstance(each, TypedHit) else None for each in self.responses]
