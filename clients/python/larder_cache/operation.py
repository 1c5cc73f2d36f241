"""What every call of one operation has in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from larder_cache import pipeline_codec as codec

R = TypeVar("R")


class Operation(Generic[R]):
    """One rpc. `field` is its number in the pipeline's Operation and Result; None: unary only."""

    __slots__ = ("name", "path", "field", "tag", "idempotent", "decode", "streams", "keyed")

    def __init__(
        self,
        name: str,
        path: str,
        field: int | None,
        decode: Callable[[bytes], R],
        *,
        idempotent: bool = False,
        streams: bool = False,
        keyed: bool = True,
    ) -> None:
        self.name = name
        self.path = path
        self.field = field
        self.tag = b"" if field is None else codec.varint(field << 3 | 2)
        self.idempotent = idempotent
        self.decode = decode
        # The unary rpc answers by a server stream of items, field 1 of the pipeline's one result.
        self.streams = streams
        # The request's first field is the one key that it is about.
        self.keyed = keyed


class UnexpectedAnswer(Exception):
    """A server answered what the contract does not know."""
