"""Files written by programs are what the programs write."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[3] / "tools"


def test_the_blocking_client_is_what_its_generator_writes() -> None:
    done = subprocess.run([sys.executable, TOOLS / "python-sync", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
