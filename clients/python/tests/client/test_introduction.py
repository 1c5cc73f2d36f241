"""The programs in docs/introduction.md are equal to the example files, and print the output that the page shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.larder_server import ROOT, larder_server

SHOP = ROOT / "clients" / "python" / "examples" / "shop"
PAGE = (ROOT / "docs" / "introduction.md").read_text()
PROGRAMS = re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S)
OUTPUTS = re.findall(r"^```text\n(.*?)^```", PAGE, re.M | re.S)
STEPS = range(1, 7)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with larder_server("--memory", "64m") as port:
        yield f"http://127.0.0.1:{port}"


def test_introduction_contains_every_program_unchanged() -> None:
    names = ["database", *(f"step{step}" for step in STEPS)]
    assert PROGRAMS == [(SHOP / f"{name}.py").read_text() for name in names]
    assert len(OUTPUTS) == len(STEPS)


def _without_timing(output: str) -> str:
    """Remove the numbers that differ between runs: latencies, and the number of near-cache hits."""
    return re.sub(r"p99 [\d.]+ ms", "p99", re.sub(r"9[0-9]{2} of 1000 reads", "reads", output))


@pytest.mark.parametrize("step", STEPS)
def test_introduction_program_prints_the_documented_output(step: int, url: str, tmp_path: Path) -> None:
    # Run the program as a reader would, in a folder that also contains the programs of the previous steps.
    (tmp_path / "database.py").write_text(PROGRAMS[0])
    for number in range(1, step + 1):
        (tmp_path / f"step{number}.py").write_text(PROGRAMS[number])
    environment = os.environ | {"LARDER_URL": url, "PYTHONPATH": str(ROOT / "clients" / "python")}
    command = [sys.executable, "-B", f"step{step}.py"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert _without_timing(done.stdout) == _without_timing(OUTPUTS[step - 1])
