"""A file or a part of one that is written, and the sentence that says so."""

from __future__ import annotations

import re
from pathlib import Path

WRITTEN = "Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand."
# A line of C# or TypeScript holds that much.
WIDTH = {"cs": 160, "ts": 120, "py": 120}


def region(path: Path, name: str, text: str, whole: str = "") -> str:
    """A file's text (or `whole`) with what stands between its marks of that name replaced."""
    pattern = re.compile(rf"(?P<begin>[^\n]*operations: {name}[^\n]*\n).*?(?P<end>[^\n]*operations: end)", re.DOTALL)
    whole, count = pattern.subn(lambda found: found["begin"] + text + found["end"], whole or path.read_text())
    if count != 1:
        raise ValueError(f"{path}: there is no part 'operations: {name}'")
    return whole


def wrapped(head: str, items: list[str], tail: str, indent: int, width: int) -> str:
    """`head(items)tail` on one line, or each item on its own where that is too long."""
    line = f"{' ' * indent}{head}({', '.join(items)}){tail}"
    if len(line) <= width:
        return line
    inner = ",\n".join(" " * (indent + 4) + item for item in items)
    return f"{' ' * indent}{head}(\n{inner}){tail}"
