"""What every call of one operation has in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from larder_cache._internal.operations import pipeline_codec as codec

R = TypeVar("R")


class Operation(Generic[R]):
    """One rpc. `field` is its number in the pipeline's Operation and Result; None: unary only."""

    __slots__ = ("name", "path", "field", "tag", "idempotent", "decode", "streams", "keyed", "keys", "each")

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
        keys: tuple[tuple[int, ...], ...] = (),
        each: tuple[str, int] | None = None,
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
        # The keys that the request names besides: fields, from the request inward.
        self.keys = keys
        # The answer's parts by name, one for each of a list: a field of the request.
        self.each = each

    def keys_of(self, request: bytes) -> list[bytes]:
        """Return every key that a request of ours names."""
        named = [codec.read_key(request)] if self.keyed else []
        for path in self.keys:
            named += _within(request, 0, len(request), path)
        return named

    def most_answers(self, request: bytes) -> int:
        """Return how many messages may answer a unary request of ours: of a stream, one for each item."""
        if not self.streams:
            return 1
        return len(codec.items(request))

    def read(self, request: bytes, answer: bytes) -> R:
        """Read an answer to a request. Raises UnexpectedAnswer where it is none to it, and what a decoder raises."""
        response = self.decode(answer)
        if self.each is not None:
            name, asked = self.each
            parts = getattr(response, name, None)
            if parts is not None and len(parts) != (count := len(codec.items(request, asked))):
                raise UnexpectedAnswer(f"{len(parts)} {name}, not the {count} asked for")
        return response


def _within(message: bytes, start: int, end: int, path: tuple[int, ...]) -> Iterator[bytes]:
    """Yield what is in a message's fields of a path."""
    for field, kind, first, last in codec.read_fields(message, start, end):
        if field == path[0] and kind == 2:
            if len(path) == 1:
                yield message[first:last]
            else:
                yield from _within(message, first, last, path[1:])


class UnexpectedAnswer(Exception):
    """A server answered what the contract does not know."""
