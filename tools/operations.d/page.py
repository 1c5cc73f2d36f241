"""Generated files and regions, and the sentence that marks them."""

from __future__ import annotations

import re
from pathlib import Path

WRITTEN = "Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand."
# The maximum line length by file type.
WIDTH = {"cs": 160, "ts": 120, "py": 120}


def region(path: Path, name: str, text: str, whole: str = "") -> str:
    """Return a text with the content of the named region replaced by `text`.

    The text is `whole`, or the content of the file if `whole` is empty.
    """
    pattern = re.compile(rf"(?P<begin>[^\n]*operations: {name}[^\n]*\n).*?(?P<end>[^\n]*operations: end)", re.DOTALL)
    whole, count = pattern.subn(lambda found: found["begin"] + text + found["end"], whole or path.read_text())
    if count != 1:
        raise ValueError(f"{path}: the region 'operations: {name}' is missing")
    return whole


def wrapped(head: str, items: list[str], tail: str, indent: int, width: int) -> str:
    """Return `head(items)tail` on one line, or with one item per line if that is too long."""
    line = f"{' ' * indent}{head}({', '.join(items)}){tail}"
    if len(line) <= width:
        return line
    inner = ",\n".join(" " * (indent + 4) + item for item in items)
    return f"{' ' * indent}{head}(\n{inner}){tail}"


def narrowed(text: str, width: int = WIDTH["cs"]) -> str:
    """Return C# code in which lines of more than `width` columns are broken.

    Comments are broken between words. Code is broken before `??`, before `.ConfigureAwait`, or before arguments.
    """
    return "\n".join(part for line in text.split("\n") for part in _narrowed(line, width))


def _narrowed(line: str, width: int) -> list[str]:
    if len(line) <= width:
        return [line]
    indent = len(line) - len(line.lstrip())
    if line.lstrip().startswith("///"):
        # Spaces inside a tag are not break points.
        words = [word.replace("\0", " ") for word in re.sub(r"<[^>]*>", _whole, line.strip()).split(" ")[1:]]
        return _filled(words, " " * indent + "///", width)
    for mark, deeper in ((" ?? ", 4), (".ConfigureAwait", 4)):
        if mark in line:
            first, *rest = line.split(mark)
            return [first, *(f"{' ' * (indent + deeper)}{mark.lstrip()}{each}" for each in rest)]
    head, arguments = line.split("(", 1)
    return [f"{head}(", " " * (indent + 4) + arguments]


def _whole(tag: re.Match[str]) -> str:
    return tag[0].replace(" ", "\0")


def _filled(words: list[str], head: str, width: int) -> list[str]:
    lines = [head]
    for word in words:
        if len(lines[-1]) + 1 + len(word) > width:
            lines.append(head)
        lines[-1] += " " + word
    return lines
