"""The real server, built from this repository, for tests."""

from __future__ import annotations

import os
import random
import re
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]


def _command() -> list[str]:
    if given := os.environ.get("LARDER_SERVER"):
        return given.split()
    built = sorted((ROOT / "server/src/Larder.Server/bin").glob("*/*/larder-server.dll"), key=os.path.getmtime)
    if not built:
        pytest.skip("the server is not built: dotnet build server/src/Larder.Server")
    return ["dotnet", str(built[-1])]


def free_port() -> int:
    """Return a port that no outgoing connection uses, so that a server can restart on this port.

    The ports of outgoing connections start at 32,768.
    """
    while True:
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", random.randrange(11_000, 21_000)))
                return int(probe.getsockname()[1])
            except OSError:
                pass


@contextmanager
def larder_server(*arguments: str, port: int | None = None) -> Iterator[int]:
    """Run a server on a port, by default a free port, and yield the port.

    Skip the test if the server is not built.
    """
    command = [*_command(), "--port", str(port or free_port()), "--console-port", "0", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if found := re.search(r"listening on https?://\S+?:(\d+)", line):
                    yield int(found[1])
                    return
            pytest.fail("the server ended before it listened")
        finally:
            process.kill()
