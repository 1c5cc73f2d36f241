"""The properties of an operation that all its calls share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from larder_cache._internal.operations import pipeline_codec as codec

R = TypeVar("R")


class Operation(Generic[R]):
    """One rpc. `field`: its number in the pipeline's Operation and Result; None: unary only."""

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
        # The unary rpc returns a server stream of items, which are field 1 of the pipeline's result.
        self.streams = streams
        # The request's first field is the key of the call.
        self.keyed = keyed
        # Further keys that the request names: field paths, from the request inward.
        self.keys = keys
        # The fields of the response with one part per request item, by name, with the request's field.
        self.each = each

    def keys_of(self, request: bytes) -> list[bytes]:
        """Return every key that a request names. The request must be encoded by this client."""
        named = [codec.read_key(request)] if self.keyed else []
        for path in self.keys:
            named += _within(request, 0, len(request), path)
        return named

    def max_responses(self, request: bytes) -> int:
        """Return the maximum number of messages in a unary response: for a stream, one per item."""
        if not self.streams:
            return 1
        return len(codec.items(request))

    def read(self, request: bytes, answer: bytes) -> R:
        """Decode a response. Raises UnexpectedResponse if it does not match the request, and what a decoder raises."""
        response = self.decode(answer)
        if self.each is not None:
            name, asked = self.each
            parts = getattr(response, name, None)
            if parts is not None and len(parts) != (count := len(codec.items(request, asked))):
                raise UnexpectedResponse(f"the response has {len(parts)} {name} instead of {count}")
        return response


def _within(message: bytes, start: int, end: int, path: tuple[int, ...]) -> Iterator[bytes]:
    """Yield the contents of a message's fields at a path."""
    for field, kind, first, last in codec.read_fields(message, start, end):
        if field == path[0] and kind == 2:
            if len(path) == 1:
                yield message[first:last]
            else:
                yield from _within(message, first, last, path[1:])


class UnexpectedResponse(Exception):
    """The server's response violates the contract."""
