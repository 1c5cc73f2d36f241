"""The width of C#: the other languages' formatters see to it, and C#'s does not."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST = 160


def _wide(code: str) -> list[int]:
    return [number for number, line in enumerate(code.splitlines(), 1) if len(line) > MOST]


def test_no_line_is_wider_than_160_columns() -> None:
    listed = subprocess.run(["git", "ls-files", "*.cs"], cwd=ROOT, capture_output=True, text=True, check=True)
    there = [name for name in listed.stdout.split() if (ROOT / name).is_file()]
    assert len(there) > 500
    lines = ((name, _wide((ROOT / name).read_text("utf-8-sig"))) for name in there)
    assert [(name, numbers) for name, numbers in lines if numbers] == []


def test_a_wide_line_is_told_from_a_full_one() -> None:
    assert _wide("x" * MOST + "\n" + "x" * (MOST + 1)) == [2]
