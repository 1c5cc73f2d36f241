"""Arguments and results of collection calls, in the forms that conformance/AGENT.md allows."""

from __future__ import annotations

import base64
import math
from typing import Any, TypeVar, cast

from agent.fields import ttl
from larder_cache import CollectionTtl, ScoreBound, SortedSetAggregate, SortedSetOrder

Choice = TypeVar("Choice", SortedSetAggregate, SortedSetOrder)


def elements(request: dict[str, Any], field: str) -> list[bytes]:
    """Return a list of bytes; each is given as text or {"base64": …}."""
    return [_data(each) for each in request[field]]


def items(request: dict[str, Any], field: str) -> list[tuple[bytes, bytes]]:
    """Return fields with their values, given as [field, value]."""
    return [(_data(name), _data(value)) for name, value in request[field]]


def scored(request: dict[str, Any], field: str) -> list[tuple[bytes, float]]:
    """Return elements with their scores, given as [element, score]."""
    return [(_data(element), score(its)) for element, its in request[field]]


def ranges(request: dict[str, Any], field: str) -> list[tuple[int, int]]:
    """Return ranges of a list, given as [start, count]."""
    return [(begin, count) for begin, count in request[field]]


def sources(request: dict[str, Any], field: str) -> list[bytes | tuple[bytes, float]]:
    """Return sorted sets with their weights, given as [key, weight] or as a key alone."""
    return [(_data(each[0]), score(each[1])) if isinstance(each, list) else _data(each) for each in request[field]]


def score(given: Any) -> float:
    """Return a score, given as a number, or as text if JSON has no such number ("inf", "-inf", "nan")."""
    return float(given)


def bound(request: dict[str, Any], field: str) -> ScoreBound | None:
    """Return a bound of a range, given as a score or {"score": …, "exclusive": true}, or None."""
    if field not in request:
        return None
    given = request[field]
    if isinstance(given, dict):
        said = cast(dict[str, Any], given)
        return ScoreBound(score(said["score"]), exclusive=bool(said.get("exclusive")))
    return ScoreBound(score(given))


def choice(request: dict[str, Any], field: str, otherwise: Choice) -> Choice:
    """Return an enum's member by its name, ignoring case."""
    return type(otherwise)[request[field].upper()] if field in request else otherwise


def collection_ttl(request: dict[str, Any]) -> CollectionTtl | None:
    """Return a collection's time to live, or None if neither `ttlMs` nor `refreshTtl` is present."""
    if "ttlMs" not in request and "refreshTtl" not in request:
        return None
    return CollectionTtl(ttl(request), refresh_ttl=bool(request.get("refreshTtl", True)))


def told(value: Any) -> Any:
    """Return a value or a list of values in the form of a response.

    Bytes become text, or {"base64": …} if they are not UTF-8. Scores and None are returned as JSON represents them.
    """
    if isinstance(value, (list, tuple)):
        return [told(each) for each in cast(list[Any], value)]
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            return {"base64": base64.b64encode(value).decode()}
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value


def _data(item: Any) -> bytes:
    if isinstance(item, str):
        return item.encode()
    return base64.b64decode(item["base64"], validate=True)
