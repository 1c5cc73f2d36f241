"""The JSON codec (RFC 8259, UTF-8), for any JSON value or for one type."""

from __future__ import annotations

import json
from typing import Any, Generic, TypeVar, overload

from larder_cache._internal.codecs import codec
from larder_cache._internal.codecs.codec import DecodingError
from larder_cache._internal.codecs.json_shape import MismatchError, Shape, shape_of
from larder_cache._internal.codecs.limits import MAX_DEPTH, MAX_ELEMENTS, Limits, check_json, parse_json
from larder_cache._internal.codecs.map_keys import check_keys

V = TypeVar("V")


class JsonCodec(Generic[V]):
    """Stores values as JSON. A codec without a type stores any JSON value and reads a tuple back as a list.

    A codec with a type stores only values of this type.
    """

    content = codec.JSON

    @overload
    def __init__(self: JsonCodec[Any], *, max_elements: int = ..., max_depth: int = ...) -> None:
        ...

    @overload
    def __init__(self, of: type[V], *, max_elements: int = ..., max_depth: int = ...) -> None:
        ...

    def __init__(self, of: Any = None, *, max_elements: int = MAX_ELEMENTS, max_depth: int = MAX_DEPTH) -> None:
        """Create a codec, for one type if `of` is set.

        Args:
            of: A dataclass with fields of JSON types: text, numbers, bools, `list[…]`, `dict[str, …]`, `Optional[…]`,
                `Any` and other such dataclasses. Stored values must match it exactly: no unknown field, no missing
                field without a default, and no number in place of text. Otherwise reading is a decoding error.
            max_elements: Maximum number of elements of a value, 1 to 2,147,483,647; the default is 1,000,000. The value
                itself, each list item, and each key and each value of a dictionary count as one.
            max_depth: Maximum nesting of lists and dictionaries, 1 to 1,024; the default is 512.

        Decoding a value that exceeds a limit is a decoding error, which is detected before the value is parsed.
        Encoding such a value raises TypeError.

        Raises:
            TypeError: The type `of` is not supported.
        """
        self._limits = Limits(max_elements, max_depth)
        self._shape: Shape | None = None if of is None else shape_of(of)

    def encode(self, value: V, /) -> bytes:
        """Encode a value.

        Raises:
            TypeError: JSON cannot represent the value, or the value does not have the codec's type.
        """
        try:
            said = value if self._shape is None else self._shape.write(value)
            check_keys(said, (str,))
            payload = json.dumps(said, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
            check_json(payload, self._limits)
            return payload
        except DecodingError as excess:
            raise TypeError(f"the value cannot be stored, because decoding it would fail: {excess}") from None
        except (ValueError, OverflowError, RecursionError) as error:
            # The value contains NaN, a reference cycle, or half of a surrogate pair.
            raise TypeError(f"the value cannot be encoded as JSON: {type(error).__name__}") from None

    def decode(self, payload: bytes, /) -> V | None:
        """Decode a value. The JSON value null is returned as None."""
        try:
            said: Any = parse_json(payload, self._limits, parse_constant=_no_number)
        except DecodingError:
            raise
        except ValueError as error:
            raise DecodingError(f"the value is not valid JSON ({type(error).__name__})") from None
        if said is None or self._shape is None:
            return said
        try:
            return self._shape.read(said)
        except MismatchError as misfit:
            raise DecodingError(f"the JSON of the value does not match the codec's type: {misfit}") from None
        except RecursionError:
            raise DecodingError("the JSON of the value is nested too deeply") from None


def _no_number(constant: str) -> Any:
    raise ValueError(f"{constant} is not a JSON number")
