"""Rejects dictionary keys that a format would change or could not read back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast


def check_keys(value: Any, allowed: tuple[type, ...]) -> None:
    """Raise TypeError if the value contains a dictionary with a key whose type is not in `allowed`.

    For example, JSON would convert a key that is a number to text.
    """
    if isinstance(value, Mapping):
        for key, each in cast(Mapping[Any, Any], value).items():
            if not isinstance(key, allowed):
                raise TypeError(f"dictionary keys must be str, not {type(key).__name__}")
            if each.__class__ not in _LEAVES:
                check_keys(each, allowed)
    elif isinstance(value, (list, tuple)):
        for each in cast(list[Any], value):
            if each.__class__ not in _LEAVES:
                check_keys(each, allowed)


_LEAVES = frozenset({str, bytes, int, float, bool, type(None)})
