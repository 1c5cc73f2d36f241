"""The properties that all calls of one operation share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from larder_cache._internal.operations import pipeline_codec as codec

R = TypeVar("R")


class Operation(Generic[R]):
    """One rpc.

    `field` is the operation's field number in the pipeline's Operation and Result, or None if the operation is unary
    only.
    """

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
        # Whether the unary rpc returns a server stream. Its items are field 1 of the pipeline's result.
        self.streams = streams
        # Whether the first field of the request is the key of the call.
        self.keyed = keyed
        # The paths of the fields that contain further keys. A path is a sequence of field numbers that starts in the
        # request.
        self.keys = keys
        # For a call on several items: the name of the response field and the number of the request field. Both fields
        # have one entry per item.
        self.each = each

    def keys_of(self, request: bytes) -> list[bytes]:
        """Return every key that a request contains. This client must have encoded the request."""
        named = [codec.read_key(request)] if self.keyed else []
        for path in self.keys:
            named += _within(request, 0, len(request), path)
        return named

    def max_responses(self, request: bytes) -> int:
        """Return the maximum number of messages in a unary response.

        A server stream may return one message per item.
        """
        if not self.streams:
            return 1
        return len(codec.items(request))

    def read(self, request: bytes, answer: bytes) -> R:
        """Decode a response.

        Raises UnexpectedResponse if the response does not match the request, and the exceptions of the decoder.
        """
        response = self.decode(answer)
        if self.each is not None:
            name, asked = self.each
            parts = getattr(response, name, None)
            if parts is not None and len(parts) != (count := len(codec.items(request, asked))):
                raise UnexpectedResponse(f"the response has {len(parts)} {name} instead of {count}")
        return response


def _within(message: bytes, start: int, end: int, path: tuple[int, ...]) -> Iterator[bytes]:
    """Yield the contents of the fields at a path in a message."""
    for field, kind, first, last in codec.read_fields(message, start, end):
        if field == path[0] and kind == 2:
            if len(path) == 1:
                yield message[first:last]
            else:
                yield from _within(message, first, last, path[1:])


class UnexpectedResponse(Exception):
    """The response of the server violates the protocol."""
