"""The real server of this tree, for tests against it."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


def _command() -> list[str]:
    if given := os.environ.get("LARDER_SERVER"):
        return given.split()
    built = sorted((ROOT / "server/src/Larder.Server/bin").glob("*/*/larder-server.dll"), key=os.path.getmtime)
    if not built:
        pytest.skip("the server is not built: dotnet build server/src/Larder.Server")
    return ["dotnet", str(built[-1])]


@contextmanager
def larder_server(*arguments: str, port: int = 0) -> Iterator[int]:
    """Run a server on a port, a free one where it is 0; yield the port. SKIPPED where it is not built."""
    command = [*_command(), "--port", str(port), "--console-port", "0", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if found := re.search(r"listening on http://\S+?:(\d+)", line):
                    yield int(found[1])
                    return
            pytest.fail("the server ended before it listened")
        finally:
            process.kill()
