"""Fixtures with the packages of `./larder pack`, which are built once for all tests."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from installed import FEEDS, LISTENING, run, started

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (ROOT / "packaging/src/Larder.Tool/bin/Release/net10.0/larder.dll").is_file():
        pytest.skip("the solution is not built in Release")
    target = tmp_path_factory.mktemp("dist")
    subprocess.run([ROOT / "tools" / "pack", "dotnet", "node", "python", "--built", "--output", target], check=True)
    return target


@pytest.fixture(scope="session")
def tool(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tool")
    (folder / "nuget.config").write_text(FEEDS.format(dist=dist, public=dist))
    run(folder, "dotnet", "tool", "install", "--tool-path", "bin", "--source", dist, "larder")
    return folder / "bin" / "larder"


@pytest.fixture(scope="session")
def server(tool: Path) -> Iterator[tuple[str, str]]:
    """Yield the server's data address as host:port, and the address of its console."""
    with started(
        tool.parent, LISTENING, tool, "serve", "--port", "0", "--console-port", "0", "--memory", "256m"
    ) as said:
        yield said.group(1), said.group(2)
