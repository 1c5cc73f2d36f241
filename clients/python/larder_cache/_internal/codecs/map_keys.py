"""Keys of dictionaries that a format would write as something else, or not read again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast


def check_keys(value: Any, allowed: tuple[type, ...]) -> None:
    """Raise TypeError where a dictionary in it has a key of another type: a number would come back as text."""
    if isinstance(value, Mapping):
        for key, each in cast(Mapping[Any, Any], value).items():
            if not isinstance(key, allowed):
                raise TypeError(f"a dictionary's keys are text, not {type(key).__name__}")
            if each.__class__ not in _LEAVES:
                check_keys(each, allowed)
    elif isinstance(value, (list, tuple)):
        for each in cast(list[Any], value):
            if each.__class__ not in _LEAVES:
                check_keys(each, allowed)


_LEAVES = frozenset({str, bytes, int, float, bool, type(None)})
