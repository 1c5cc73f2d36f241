"""Reads the test vectors of protocol/vectors as the README there specifies, for a target without a network."""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

FOLDER = Path(__file__).resolve().parents[4] / "protocol" / "vectors"
_PADS = (255, 256)


@dataclass(frozen=True, slots=True)
class Vector:
    """One case."""

    file: str
    fields: dict[str, Any]

    @property
    def rule(self) -> str:
        return self.fields["rule"]

    @property
    def name(self) -> str:
        return f"{self.file}: {self.fields['case']}"

    @property
    def open(self) -> dict[str, Any]:
        return self.fields.get("open", {})

    @property
    def server(self) -> list[str]:
        return self.fields.get("server", [])


def vectors() -> list[Vector]:
    """Return every case of every file."""
    return [Vector(path.stem, case) for path in sorted(FOLDER.glob("*.json")) for case in json.loads(path.read_text())]


class Filled:
    """Fills in the placeholders of a case.

    They stand for the name of the run, saved fields, padding up to a length, and repeated items of a list.
    """

    def __init__(self, run: str) -> None:
        self._run = run
        self._kept: dict[str, Any] = {}

    def keep(self, save: dict[str, str], answer: dict[str, Any]) -> None:
        for path, name in save.items():
            at: Any = answer
            for part in path.split("."):
                at = at[int(part)] if isinstance(at, list) else at[part]
            self._kept[f"${name}"] = at

    def fill(self, node: Any) -> Any:
        if isinstance(node, dict):
            return {name: self.fill(each) for name, each in cast(dict[str, Any], node).items()}
        if isinstance(node, list):
            return [self.fill(each) for item in cast(list[Any], node) for each in _repeated(item)]
        return self._text(node) if isinstance(node, str) else node

    def _text(self, text: str) -> Any:
        if text in self._kept:
            return self._kept[text]
        text = text.replace("{run}", self._run)
        for length in _PADS:
            if text.endswith(mark := f"{{pad{length}}}"):
                return text.removesuffix(mark).ljust(length, "x")
        return text


def sized(request: dict[str, Any]) -> dict[str, Any]:
    """Return a copy of a request. If it or an item of its batch has `valueSizeBytes`, add a value of that size."""
    if "valueSizeBytes" in request:
        request = request | {"value": "x" * request["valueSizeBytes"]}
    if "items" in request:
        items = [sized(cast(dict[str, Any], each)) if isinstance(each, dict) else each for each in request["items"]]
        request = request | {"items": items}
    return request


def _repeated(item: Any) -> Iterator[Any]:
    if isinstance(item, dict) and "repeat" in item:
        repeated = cast(dict[str, Any], item)
        yield from (_numbered(repeated["of"], number) for number in range(repeated["repeat"]))
    else:
        yield item


def _numbered(node: Any, number: int) -> Any:
    if isinstance(node, list):
        return [_numbered(each, number) for each in cast(list[Any], node)]
    if isinstance(node, str):
        return number if node == "{i}" else node.replace("{i}", str(number))
    return node


def difference(expected: Any, actual: Any, path: str = "the answer") -> str | None:
    """Return the first difference as a sentence. Returns None if the response contains everything that is expected."""
    if isinstance(expected, dict):
        return _difference_of_fields(cast(dict[str, Any], expected), actual, path)
    if isinstance(expected, list):
        items = cast(list[Any], expected)
        if not isinstance(actual, list) or len(cast(list[Any], actual)) != len(items):
            return f"{path} is {actual!r:.300}, not {items!r:.300}"
        pairs = enumerate(zip(items, cast(list[Any], actual)))
        return next(filter(None, (difference(one, other, f"{path}[{i}]") for i, (one, other) in pairs)), None)
    return None if expected == actual else f"{path} is {actual!r:.300}, not {expected!r:.300}"


def _difference_of_fields(expected: dict[str, Any], actual: Any, path: str) -> str | None:
    if "atLeast" in expected or "below" in expected:
        least, below = expected.get("atLeast", -(2**63)), expected.get("below", 2**63)
        fits = isinstance(actual, int) and least <= actual < below
        return None if fits else f"{path} is {actual!r:.300}, not within {expected}"
    if "anyOrder" in expected:
        return _others(_counted(expected["anyOrder"]), _counted(actual), path)
    if "someOf" in expected:
        held, count = _counted(actual), expected["count"]
        fits = len(actual) == len(held) == count and not held - _counted(expected["someOf"])
        return None if fits else f"{path} is {actual!r:.300}, not {count} of {expected['someOf']!r:.300}"
    if not isinstance(actual, dict):
        return f"{path} is {actual!r:.300}"
    found = cast(dict[str, Any], actual)
    return next(filter(None, (_field(name, each, found, path) for name, each in expected.items())), None)


def _field(name: str, expected: Any, actual: dict[str, Any], path: str) -> str | None:
    if name == "valueSizeBytes":
        value = base64.b64decode(actual.get("valueBase64", ""))
        return None if value == b"x" * expected else f"{path}: the value is not {expected} bytes of x"
    return difference(expected, actual.get(name), f"{path}.{name}")


def _counted(items: list[Any]) -> Counter[str]:
    return Counter(json.dumps(_plain(each), sort_keys=True) for each in items)


def _plain(node: Any) -> Any:
    """Return a number in one form. JSON has only one type of numbers, so -2.0 equals -2."""
    if isinstance(node, list):
        return [_plain(each) for each in cast(list[Any], node)]
    return int(node) if isinstance(node, float) and node.is_integer() else node


def _others(expected: Counter[str], actual: Counter[str], path: str) -> str | None:
    return (
        None if expected == actual else f"{path} lacks {expected - actual!r:.300}, and has {actual - expected!r:.300}"
    )
