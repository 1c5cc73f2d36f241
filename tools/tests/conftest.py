"""What `./larder pack` writes, made once for all tests that look at it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (ROOT / "tool/src/Larder.Tool/bin/Release/net10.0/larder.dll").is_file():
        pytest.skip("the solution is not built in Release")
    target = tmp_path_factory.mktemp("dist")
    subprocess.run([ROOT / "tools" / "pack", "--built", "--output", target], check=True)
    return target
