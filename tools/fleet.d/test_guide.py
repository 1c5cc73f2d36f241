"""Follows the guide from a server to a fleet step by step while a program uses the server."""

from __future__ import annotations

import asyncio
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from redis_node import free_ports

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "guides" / "from-a-server-to-a-fleet.md"
SERVER = ROOT / "server" / "src" / "Larder.Server" / "bin" / "Release" / "net10.0" / "larder-server.dll"
NODES = 6
# A timeout that is longer than any step takes. A step that hangs fails after this time.
HANG_S = 50.0

sys.path.insert(0, str(ROOT / "clients" / "python"))

from larder_cache import CacheClient, CredentialProvider  # noqa: E402


def _steps(ports: list[int]) -> list[str]:
    """Return the commands of the section "Set it up" with free ports instead of the guide's ports."""
    guide = GUIDE.read_text()
    steps = re.findall(r"```sh\n(.*?)```", guide[guide.index("## Set it up") :], re.S)
    its = [*(str(7000 + node) for node in range(NODES)), "9080"]
    for old, new in zip(its, ports, strict=True):
        steps = [re.sub(rf"\b{old}\b", str(new), step) for step in steps]
    return steps


def _serve(step: str, more: str = "") -> list[str]:
    """Return the argument list of a step that runs a server."""
    words = f"{step.strip()} {more}".split()
    assert words[:2] == ["larder", "serve"]
    return ["dotnet", str(SERVER), *words[2:]]


@contextmanager
def _running(words: list[str], folder: Path) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert process.stdout is not None
        said = next((line for line in process.stdout if "listening on" in line), None)
        assert said is not None, f"{words} ended"
        yield process
    finally:
        _end(process)


def _end(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    process.communicate(timeout=HANG_S)


def _run(step: str, folder: Path) -> None:
    subprocess.run(["bash", "-euc", step], cwd=folder, check=True, timeout=HANG_S, capture_output=True)


def _is_healthy(port: int) -> bool:
    try:
        return bool(urllib.request.urlopen(f"http://127.0.0.1:{port}/health").status == 200)
    except urllib.error.URLError:
        return False


async def _until(condition: Callable[[], bool]) -> None:
    limit = time.monotonic() + HANG_S
    while not condition():
        assert time.monotonic() < limit
        await asyncio.sleep(0.05)


class Program:
    """The program that uses the server: it sets and gets until stopped and records failures."""

    def __init__(self, url: str) -> None:
        self.calls = 0
        self.failed: list[str] = []
        self._client = CacheClient(CredentialProvider.from_string(url), default_ttl=600)
        self._stops = False

    async def run(self) -> None:
        async with self._client as client:
            while not self._stops:
                key = f"key-{self.calls % 100}"
                answers = [
                    await client.cache("cache").results.set(key, "value"),
                    await client.cache("cache").results.get(key),
                ]
                self.calls += len(answers)
                self.failed += [repr(answer) for answer in answers if type(answer).__name__ == "Error"]
                await asyncio.sleep(0.002)

    async def until_it_has_called(self) -> None:
        """Wait for 200 more calls."""
        enough = self.calls + 200
        await _until(lambda: self.calls >= enough)

    def stop(self) -> None:
        self._stops = True


async def _follow(folder: Path) -> Program:
    *ports, here, console, second_console = free_ports(NODES + 4)
    nodes, create, gateway, another, undo = _steps(ports)
    place = f"--port {here} --console-port {console}"
    program = Program(f"http://127.0.0.1:{here}")
    with _running(_serve("larder serve", place), folder) as server:
        running = asyncio.create_task(program.run())
        await program.until_it_has_called()
        try:
            await asyncio.to_thread(_run, nodes, folder)
            await asyncio.to_thread(_run, create, folder)
            await asyncio.to_thread(_end, server)
            second_gateway = _serve(another, f"--console-port {second_console}")
            with _running(_serve(gateway, place), folder), _running(second_gateway, folder):
                await _until(lambda: _is_healthy(console) and _is_healthy(second_console))
                await program.until_it_has_called()
                async with CacheClient(
                    CredentialProvider.from_string(f"http://127.0.0.1:{ports[-1]}"), default_ttl=60
                ) as second:
                    assert await second.cache("cache").get("key-0") == b"value"
                program.stop()
                await running
        finally:
            program.stop()
            await asyncio.to_thread(_run, undo, folder)
    return program


def test_migration_guide_steps_cause_no_failed_calls(tmp_path: Path) -> None:
    (tmp_path / "server").symlink_to(ROOT / "server")
    program = asyncio.run(_follow(tmp_path))
    assert program.failed == []
    assert not (tmp_path / "nodes").exists()
