"""A class that records its calls, for tests of @cached methods."""

from __future__ import annotations


class Repository:
    def __init__(self, name: str) -> None:
        self.name = name
        self.calls: list[int] = []
