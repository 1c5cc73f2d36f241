"""The order of C# usings, which `dotnet format` looks at only with every analyser: System first, then the alphabet."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
USING = re.compile(r"^(?:global )?using ((?!static )[\w.]+);$", re.M)


def _is_in_order(code: str) -> bool:
    names = USING.findall(code)
    return names == sorted(names, key=lambda name: (name.split(".")[0] != "System", name.lower().split(".")))


def test_every_file_has_its_usings_in_order() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "*.cs"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    there = [name for name in listed if (ROOT / name).is_file()]
    assert len(there) > 500
    assert [name for name in there if not _is_in_order((ROOT / name).read_text(encoding="utf-8-sig"))] == []


@pytest.mark.parametrize(
    ("code", "is_in_order"),
    [
        ("using System;\nusing Larder.A;\nusing Larder.A.B;\n", True),
        ("using Larder.A;\nusing System;\n", False),
        ("using Larder.B;\nusing Larder.A;\n", False),
    ],
)
def test_an_order_is_told_from_another(code: str, is_in_order: bool) -> None:
    assert _is_in_order(code) == is_in_order
