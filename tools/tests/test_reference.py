"""docs/reference matches the programs and the clients' source, and contains every setting."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SPEC = ROOT / "protocol" / "spec" / "configuration.md"
PAGE = (ROOT / "docs/reference/clients.md").read_text()


def _section(language: str) -> str:
    return PAGE[PAGE.index(f"## {language}\n") :].split("\n## ")[0]


def test_reference_is_up_to_date() -> None:
    done = subprocess.run([ROOT / "tools" / "reference", "--check"], capture_output=True, text=True)
    if done.returncode == 2:
        pytest.skip(done.stderr)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("column, language", [(1, ".NET"), (2, "Python"), (3, "Node")])
def test_reference_lists_every_setting_of_the_specification(column: int, language: str) -> None:
    rows = [line.split("|")[1:] for line in SPEC.read_text().splitlines() if line.startswith("|")]
    names = {match[1] for row in rows if len(row) > 4 and (match := re.fullmatch(r"\s*`(\w+)`\s*", row[column]))}
    assert len(names) >= 20
    section = _section(language)
    assert {name for name in names if f"| `{name}` |" not in section} == set()


def test_reference_lists_every_option_of_the_server() -> None:
    folder = ROOT / "server/src/Larder.Server/Configuration"
    source = "".join((folder / name).read_text() for name in ("ServeOptions.cs", "ServeCommand.cs"))
    page = (ROOT / "docs/reference/server.md").read_text()
    options = set(re.findall(r'"(--[\w-]+)"', source))
    assert len(options) >= 30
    assert {option for option in options if f"| `{option}` |" not in page} == set()
