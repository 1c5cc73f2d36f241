"""Converts names between the naming conventions of the languages."""

from __future__ import annotations

import re


def words(name: str) -> list[str]:
    """Return the words of a name in any convention, such as ItemGetTtl, itemGetTtl or item_get_ttl."""
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]+", name)]


def pascal(name: str) -> str:
    return "".join(word.capitalize() for word in words(name))


def camel(name: str) -> str:
    first, *rest = words(name)
    return first + "".join(word.capitalize() for word in rest)


def snake(name: str) -> str:
    return "_".join(words(name))


def kebab(name: str) -> str:
    return "-".join(words(name))


def spaced(name: str) -> str:
    return " ".join(words(name))
