"""Storage formats of Flask-Caching values.

Reading a value in the default format never runs code, even if an attacker wrote the value.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Any, Protocol, cast

from flask import Response as FlaskResponse
from markupsafe import Markup
from werkzeug.datastructures import Headers
from werkzeug.wrappers import Response

from larder_cache._internal.codecs.limits import dump_json, parse_json

_PLAIN = (bool, int, float, str)


class ForeignValue(ValueError):
    """A value that this backend did not write."""


class Values(Protocol):
    """A storage format.

    `counts`: whether integers are stored as decimal text, so that the server can increment them.
    """

    counts: bool

    def dumps(self, value: Any) -> bytes:
        """Encode a value."""
        ...

    def loads(self, key: str, data: bytes) -> Any:
        """Decode a value. The argument `key` is the value's key, for error messages."""


class SafeValues:
    """Stores an integer as text, and other values as a type letter and the content.

    The letters are `s` for text, `b` for bytes and `j` for the result of `_plain` as JSON.

    Supports None, bools, numbers, text, markup, bytes, lists, tuples, dictionaries, and responses that are not
    streamed. Each value is read back with its own type. Other types, including subclasses, raise TypeError. JSON of
    more than 1,000,000 elements or 512 nesting levels also raises TypeError (CODEC-10).
    """

    counts = True

    def dumps(self, value: Any) -> bytes:
        if type(value) is int and -(2**63) <= value < 2**63:
            return b"%d" % value
        if type(value) is str:
            return b"s" + value.encode("utf-8", "surrogatepass")
        if type(value) is bytes:
            return b"b" + value
        try:
            return b"j" + dump_json(_plain(value), separators=(",", ":"))
        except RecursionError:
            raise ValueError("the value cannot be cached, because it is nested too deeply or contains itself") from None

    def loads(self, key: str, data: bytes) -> Any:
        kind, rest = data[:1], data[1:]
        try:
            if kind == b"s":
                return rest.decode("utf-8", "surrogatepass")
            if kind == b"b":
                return rest
            if kind == b"j":
                return _made(parse_json(rest))
            if data.removeprefix(b"-").isdigit() and len(data) <= 20:
                return int(data)
        except (ValueError, TypeError, LookupError, RecursionError):
            # Any of these errors means that the value is unreadable. The exception below reports it.
            pass
        raise ForeignValue(f"the value of {key!r} has an unknown format")


class OwnValues:
    """A serializer of the application with `dumps(value)` and `loads(data)`."""

    counts = False

    def __init__(self, serializer: Any) -> None:
        self._serializer = serializer

    def dumps(self, value: Any) -> bytes:
        return self._serializer.dumps(value)

    def loads(self, key: str, data: bytes) -> Any:
        return self._serializer.loads(data)


def _plain(value: Any) -> Any:
    """Convert a value to JSON types.

    Lists and plain values stay as they are. Any other value becomes {kind: content}.
    """
    kind = cast("type[Any]", type(value))
    if value is None or kind in _PLAIN:
        return value
    if kind is list:
        return [_plain(each) for each in value]
    if kind is tuple:
        return {"t": [_plain(each) for each in value]}
    if kind is dict:
        # JSON would convert keys of other types to text, so the keys 1 and "1" would become equal.
        if all(type(key) is str for key in value):
            return {"d": {key: _plain(each) for key, each in value.items()}}
        return {"p": [[_plain(key), _plain(each)] for key, each in value.items()]}
    if kind is bytes:
        return {"b": b64encode(value).decode()}
    if kind is Markup:
        return {"m": str(value)}
    if isinstance(value, Response):
        if value.is_streamed or value.direct_passthrough:
            raise TypeError("a streamed response cannot be cached")
        return {"r": [value.status, list(value.headers), b64encode(value.get_data()).decode()]}
    raise TypeError(f"a {kind.__name__} cannot be cached; set CACHE_OPTIONS['serializer'] to one that supports it")


def _made(said: Any) -> Any:
    """Restore a value from the result of `_plain`. Raises ValueError, TypeError or LookupError for other input."""
    if isinstance(said, list):
        return [_made(each) for each in cast("list[Any]", said)]
    if not isinstance(said, dict):
        return said
    [(kind, content)] = cast("dict[str, Any]", said).items()
    return _MAKERS[kind](content)


def _tuple(content: Any) -> tuple[Any, ...]:
    return tuple(_made(_of(list, content)))


def _bytes(content: Any) -> bytes:
    return b64decode(_of(str, content), validate=True)


def _markup(content: Any) -> Markup:
    return Markup(_of(str, content))


def _pairs(content: Any) -> dict[Any, Any]:
    return {_made(key): _made(each) for key, each in _of(list, content)}


def _fields(content: Any) -> dict[str, Any]:
    return {key: _made(each) for key, each in _of(dict, content).items()}


def _response(content: Any) -> FlaskResponse:
    status, headers, body = _of(list, content)
    if not _of(str, status).isprintable():
        raise ValueError("the response status must be one line")
    response = FlaskResponse(_bytes(body), status=status)
    # Replace the default headers of a new response. A value with a line break raises ValueError.
    response.headers = Headers([(_of(str, name), _of(str, value)) for name, value in _of(list, headers)])
    return response


def _of(kind: type[Any], content: Any) -> Any:
    if type(content) is not kind:
        raise TypeError(f"a field of the stored response must be {kind.__name__}, not {type(content).__name__}")
    return content


_MAKERS: dict[str, Callable[[Any], Any]] = {
    "t": _tuple,
    "d": _fields,
    "p": _pairs,
    "b": _bytes,
    "m": _markup,
    "r": _response,
}
