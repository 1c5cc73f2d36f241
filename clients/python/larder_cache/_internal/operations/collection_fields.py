"""Encodes the arguments of collection calls.

The functions raise TypeError or arguments.Refusal if an argument is invalid.
"""

from __future__ import annotations

import enum
import struct
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, TypeVar, Union, cast

from larder_cache._internal.operations import pipeline_codec as codec
from larder_cache._internal.operations.arguments import MOST_BYTES, Key, Refusal, Value, to_bytes, to_key, to_ttl_ms
from larder_cache.collection_ttl import AnyTtl, CollectionTtl
from larder_cache.errors import ErrorCode
from larder_cache.score_bound import AnyBound, ScoreBound

# The fields and values of a dictionary, as a mapping or as (field, value) tuples in order.
DictionaryItems = Union[Mapping[str, Value], Mapping[bytes, Value], Iterable[tuple[Key, Value]]]
# The elements and scores of a sorted set, as a mapping or as (element, score) tuples.
ScoredElements = Union[Mapping[str, float], Mapping[bytes, float], Iterable[tuple[Value, float]]]
# Ranges of a list, as (first index, count) tuples.
ListRanges = Iterable[tuple[int, int]]
# The sorted sets of a union: (key, weight) tuples, or keys alone, which have the weight 1.
SortedSetSources = Union[Mapping[str, float], Mapping[bytes, float], Iterable[Union[Key, tuple[Key, float]]]]

# The maximum number of elements in a request (COLL-6). A maximum is needed because the caller's iterable may be
# endless.
MOST_ELEMENTS = 1_048_576

# Iterable types that are rejected as a list of elements. Otherwise each character or byte would become an element.
_ALONE: tuple[type[Any], ...] = (str, bytes, bytearray, memoryview)

E = TypeVar("E", bound=enum.Enum)


def message(*parts: bytes) -> bytes:
    """Join the parts of a request. Raises Refusal if the request exceeds the maximum message size (LIM-4)."""
    whole = b"".join(parts)
    if len(whole) > MOST_BYTES:
        raise _too_large(f"the request has {len(whole):,} bytes; at most {MOST_BYTES:,} are allowed; split the request")
    return whole


def within(number: int, *parts: bytes) -> bytes:
    """Return an encoded field with a nested message."""
    return codec.bytes_field(number, b"".join(parts))


def to_field(field: Any) -> bytes:
    """Return a field name as bytes. Raises the exceptions of `to_bytes`, and Refusal if the name is empty."""
    name = to_bytes(field)
    if not name:
        raise Refusal("the field must not be empty")
    return name


def names(number: int, given: Iterable[Key]) -> bytes:
    """Encode names of dictionary fields."""
    return _repeated(number, [to_field(each) for each in _read("fields", given)])


def elements(number: int, given: Iterable[Value]) -> bytes:
    """Encode elements of a set, a list or a sorted set."""
    return _repeated(number, [to_bytes(each) for each in _read("elements", given)])


def items(number: int, given: DictionaryItems) -> bytes:
    """Encode fields of a dictionary with their values."""
    made: list[bytes] = []
    for item in _read("items", _pairs(given)):
        field, value = _pair(item, "an item of a dictionary must be (field, value)")
        made.append(codec.bytes_field(1, to_field(field)) + codec.bytes_field(2, to_bytes(value)))
    return _repeated(number, made)


def scored(number: int, given: ScoredElements) -> bytes:
    """Encode elements of a sorted set with their scores."""
    made: list[bytes] = []
    for item in _read("elements", _pairs(given)):
        element, its_score = _pair(item, "an element of a sorted set must be (element, score)")
        made.append(codec.bytes_field(1, to_bytes(element)) + score(2, "score", its_score))
    return _repeated(number, made)


def ranges(number: int, given: ListRanges) -> bytes:
    """Encode ranges of a list."""
    made: list[bytes] = []
    for item in _read("ranges", given):
        begin, length = _pair(item, "a range of a list must be (first index, count)")
        made.append(count(1, "begin", begin) + count(2, "count", length))
    return _repeated(number, made)


def sources(number: int, given: SortedSetSources) -> bytes:
    """Encode the sorted sets of a union with their weights."""
    made: list[bytes] = []
    for item in _read("sources", _pairs(given)):
        name, its_weight = (
            (item, 1.0) if isinstance(item, _ALONE) else _pair(item, "a source must be a key or (key, weight)")
        )
        made.append(codec.bytes_field(1, to_key(name)) + _weight(2, its_weight))
    return _repeated(number, made)


def count(number: int, what: str, given: int, bits: int = 32) -> bytes:
    """Encode a number of elements, or an index from the start."""
    if not isinstance(cast(Any, given), int):
        raise TypeError(f"{what} must be an integer, not {type(given).__name__}")
    if not 0 <= given < 2**bits:
        raise Refusal(f"{what} must be from 0 to 2^{bits} - 1")
    return codec.number_field(number, int(given))


def signed(number: int, what: str, given: int) -> bytes:
    """Encode a signed 32-bit integer."""
    return _tag(number, 0) + codec.varint(_folded(what, given))


def score(number: int, what: str, given: float) -> bytes:
    """Encode a score or a score increment."""
    return _tag(number, 1) + struct.pack("<d", _to_float(what, given))


def index(number: int, unbounded: int, what: str, given: int | None) -> bytes:
    """Encode a bound of a range of indices. None means unbounded."""
    return codec.bytes_field(unbounded, b"") if given is None else signed(number, what, given)


def bound(number: int, unbounded: int, what: str, given: AnyBound | None) -> bytes:
    """Encode a bound of a range of scores as a nested message. None means unbounded."""
    if given is None:
        return codec.bytes_field(unbounded, b"")
    said = _to_bound(given)
    return codec.bytes_field(number, score(1, what, said.score) + codec.number_field(2, int(said.exclusive)))


def bound_alone(number: int, exclusive: int, unbounded: int, what: str, given: AnyBound | None) -> bytes:
    """Encode a bound of a range of scores as one of two fields. None means unbounded."""
    if given is None:
        return codec.bytes_field(unbounded, b"")
    said = _to_bound(given)
    return score(exclusive if said.exclusive else number, what, said.score)


def choice(number: int, kind: type[E], given: E) -> bytes:
    """Encode a member of an enum as its number."""
    if not isinstance(cast(Any, given), kind):
        raise TypeError(f"the argument must be a {kind.__name__}, not {type(given).__name__}")
    return codec.number_field(number, given.value)


def ttl(number: int, refresh: int, given: AnyTtl | None, default_ms: int) -> bytes:
    """Encode the time to live of a collection, and whether an existing collection also gets it."""
    said = given if isinstance(given, CollectionTtl) else CollectionTtl(given)
    ms = default_ms if said.ttl is None else to_ttl_ms(said.ttl)
    return codec.number_field(number, ms) + codec.number_field(refresh, _flag("refresh_ttl", said.refresh_ttl))


def kept_ttl(number: int, refresh: int, given: AnyTtl | None, default_ms: int) -> bytes:
    """Encode the time to live of a collection as `ttl` does. With None, an existing time to live is kept."""
    return b"" if given is None else ttl(number, refresh, given, default_ms)


def _read(what: str, given: Any) -> list[Any]:
    """Read all elements of the caller's iterable before they are validated."""
    if isinstance(given, _ALONE):
        raise TypeError(f"{what} must be an iterable, not a single str or bytes")
    read = list(islice(cast(Iterable[Any], given), MOST_ELEMENTS + 1))
    if len(read) > MOST_ELEMENTS:
        raise _too_large(f"a request can have at most {MOST_ELEMENTS:,} {what}; split it")
    return read


def _pairs(given: Any) -> Any:
    return cast(Mapping[Any, Any], given).items() if isinstance(given, Mapping) else given


def _pair(item: Any, what: str) -> tuple[Any, Any]:
    if not isinstance(item, (tuple, list)) or len(cast(tuple[Any, ...], item)) != 2:
        raise TypeError(what)
    first, second = cast(tuple[Any, Any], item)
    return first, second


def _repeated(number: int, made: list[bytes]) -> bytes:
    tag = _tag(number, 2)
    return b"".join([tag + codec.length_prefix(len(each)) + each for each in made])


def _tag(number: int, kind: int) -> bytes:
    return codec.varint(number << 3 | kind)


def _to_float(what: str, given: Any) -> float:
    if not isinstance(given, (int, float)) or isinstance(given, bool):
        raise TypeError(f"the {what} must be a number, not {type(given).__name__}")
    try:
        number = float(given)
    except OverflowError:
        raise Refusal(f"the {what} is out of range for a 64-bit floating-point number") from None
    if number != number:
        raise Refusal(f"the {what} must not be NaN")
    return number


def _weight(number: int, given: Any) -> bytes:
    try:
        return _tag(number, 5) + struct.pack("<f", _to_float("weight", given))
    except OverflowError:
        raise Refusal("the weight is out of range for a 32-bit floating-point number") from None


def _folded(what: str, given: Any) -> int:
    """Encode a signed number as sint32: the sign is the lowest bit."""
    if not isinstance(given, int):
        raise TypeError(f"{what} must be an integer, not {type(given).__name__}")
    if not -(2**31) <= given < 2**31:
        raise Refusal(f"{what} must be a signed 32-bit integer")
    return given << 1 if given >= 0 else -given * 2 - 1


def _to_bound(given: Any) -> ScoreBound:
    said = given if isinstance(given, ScoreBound) else ScoreBound(given)
    _flag("exclusive", said.exclusive)
    return said


def _flag(what: str, given: Any) -> int:
    if not isinstance(given, bool):
        raise TypeError(f"{what} must be True or False, not {type(given).__name__}")
    return int(given)


def _too_large(message: str) -> Refusal:
    # Use the cause that the server would return (LIM-2).
    return Refusal(message, ErrorCode.LIMIT_EXCEEDED, "request_size_limit_exceeded")
