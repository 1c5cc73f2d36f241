"""JSON (RFC 8259), as UTF-8: of anything, or of one type."""

from __future__ import annotations

import json
from typing import Any, Generic, TypeVar, overload

from larder_cache._internal.codecs import codec
from larder_cache._internal.codecs.codec import DecodingError
from larder_cache._internal.codecs.json_shape import Misfit, Shape, shape_of
from larder_cache._internal.codecs.limits import MAX_DEPTH, MAX_ELEMENTS, Limits, check_json, parse_json
from larder_cache._internal.codecs.map_keys import check_keys

V = TypeVar("V")


class JsonCodec(Generic[V]):
    """Without a type: what JSON can say; a tuple comes back as a list. With one: that type alone, both ways."""

    content = codec.JSON

    @overload
    def __init__(self: JsonCodec[Any], *, max_elements: int = ..., max_depth: int = ...) -> None:
        ...

    @overload
    def __init__(self, of: type[V], *, max_elements: int = ..., max_depth: int = ...) -> None:
        ...

    def __init__(self, of: Any = None, *, max_elements: int = MAX_ELEMENTS, max_depth: int = MAX_DEPTH) -> None:
        """`of`: a dataclass, whose fields are of types that JSON has: text, numbers, truth values, `list[…]`,
        `dict[str, …]`, `Optional[…]`, `Any` and dataclasses like it. TypeError for other types.

        What is read fits it to the letter, or is a decoding error: no other field, none that is missing and has no
        default, and no number where a text should be.

        `max_elements`: largest number of elements of a value, 1 to 2,147,483,647; 1,000,000 by default. The value
        itself, each item of a list, and each key and each value of a dictionary count as one.
        `max_depth`: largest number of nested lists and dictionaries, 1 to 1,024; 512 by default.
        A stored value past a limit is a decoding error before anything of it is parsed; one to store is a TypeError.
        """
        self._limits = Limits(max_elements, max_depth)
        self._shape: Shape | None = None if of is None else shape_of(of)

    def encode(self, value: V, /) -> bytes:
        """As Codec. TypeError for what JSON cannot say, and for what is not of the type."""
        try:
            said = value if self._shape is None else self._shape.write(value)
            check_keys(said, (str,))
            payload = json.dumps(said, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
            check_json(payload, self._limits)
            return payload
        except DecodingError as excess:
            raise TypeError(f"a value cannot be read again as JSON: {excess}") from None
        except (ValueError, OverflowError, RecursionError) as error:
            # NaN, a circle, half of a surrogate pair.
            raise TypeError(f"a value cannot be JSON: {type(error).__name__}") from None

    def decode(self, payload: bytes, /) -> V | None:
        """As Codec. JSON's null is None."""
        try:
            said: Any = parse_json(payload, self._limits, parse_constant=_no_number)
        except DecodingError:
            raise
        except ValueError as error:
            raise DecodingError(f"it is no JSON: {type(error).__name__}") from None
        if said is None or self._shape is None:
            return said
        try:
            return self._shape.read(said)
        except Misfit as misfit:
            raise DecodingError(f"its JSON is of another type: {misfit}") from None
        except RecursionError:
            raise DecodingError("its JSON is nested too deeply") from None


def _no_number(constant: str) -> Any:
    raise ValueError(f"{constant} is no number of JSON")
