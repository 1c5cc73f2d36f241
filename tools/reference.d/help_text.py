"""Parses the help that a program prints."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

DEFAULT = re.compile(r" \[default: (.*)\]$")
LIMIT_S = 300.0


@dataclass(frozen=True)
class Row:
    """A line of a help page: an option, an argument or a command, with its default, if any."""

    name: str
    text: str
    default: str


@dataclass(frozen=True)
class Page:
    """The output of `COMMAND --help`, and the pages of its subcommands."""

    command: str
    description: str
    usage: str
    arguments: list[Row]
    options: list[Row]
    commands: list[Row]
    pages: list[Page] = field(default_factory=list)

    def all(self) -> list[Page]:
        return [self, *(below for page in self.pages for below in page.all())]


def _rows(lines: list[str]) -> list[Row]:
    rows = []
    for line in lines:
        name, _, text = line.strip().partition("  ")
        default = DEFAULT.search(text)
        rows.append(Row(name, DEFAULT.sub("", text).strip(), default[1] if default else ""))
    return [row for row in rows if not re.search(r"--help|^--version", row.name)]


def parsed(command: str, text: str) -> Page:
    sections: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.splitlines():
        if re.fullmatch(r"\w[\w ]*:", line):
            lines = sections.setdefault(line[:-1], [])
        elif line.strip():
            lines.append(line)
    return Page(
        command,
        " ".join(line.strip() for line in sections.get("Description", [])),
        " ".join(line.strip() for line in sections.get("Usage", [])),
        *(_rows(sections.get(name, [])) for name in ("Arguments", "Options", "Commands")),
    )


def read(program: Sequence[str | Path], command: str, words: list[str]) -> Page:
    """Return a program's help for a command and all commands below it."""
    done = subprocess.run([*program, *words, "--help"], capture_output=True, text=True, check=True, timeout=LIMIT_S)
    page = parsed(command, done.stdout)
    names = [row.name.split()[0].split(",")[0] for row in page.commands]
    with ThreadPoolExecutor(max_workers=4) as pool:
        pages = pool.map(lambda name: read(program, f"{command} {name}", [*words, name]), names)
        page.pages.extend(pages)
    return page
