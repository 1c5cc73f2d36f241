"""Programs that tests run in separate folders, each with separate package caches."""

from __future__ import annotations

import os
import re
import subprocess
import threading
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

# A timeout that is longer than any step takes. A step that hangs fails after this time.
HANG_S = 60.0
LISTENING = re.compile(r"listening on http://(\S+) console (http://\S+)")
# The NuGet feeds. The second feed contains the public packages that the build has restored. Larder's packages are only
# in the first feed.
FEEDS = """<configuration>
  <packageSources>
    <clear />
    <add key="dist" value="{dist}" />
    <add key="public" value="{public}" />
  </packageSources>
</configuration>
"""


def environment(folder: Path) -> dict[str, str]:
    """Return the caller's environment with separate package caches and without variables that name another server."""
    named = {name: value for name, value in os.environ.items() if not name.startswith("LARDER_")}
    caches = {
        "NUGET_PACKAGES": "packages",
        "DOTNET_CLI_HOME": "home",
        "npm_config_cache": "npm",
        "NUGET_HTTP_CACHE_PATH": "http",
    }
    quiet = {"DOTNET_NOLOGO": "1", "DOTNET_CLI_TELEMETRY_OPTOUT": "1", "MSBUILDDISABLENODEREUSE": "1"}
    return named | quiet | {name: str(folder / cache) for name, cache in caches.items()}


def said(folder: Path, environ: Mapping[str, str], *command: str | Path) -> str:
    """Return the output of a command, which must succeed."""
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, f"{command}: {done.stdout}\n{done.stderr}"
    return done.stdout


def run(folder: Path, *command: str | Path, **more: str) -> str:
    return said(folder, environment(folder) | more, *command)


def log_of(folder: Path) -> Path:
    """Return the error log of the programs that run in a folder."""
    return folder / "errors.log"


def begun(folder: Path, line: re.Pattern[str], *command: str | Path) -> tuple[subprocess.Popen[str], re.Match[str]]:
    """Start a program and wait for a line of its output; the caller must stop it."""
    with log_of(folder).open("a") as errors:
        process = subprocess.Popen(
            command, cwd=folder, env=environment(folder), stdout=subprocess.PIPE, stderr=errors, text=True
        )
    assert process.stdout is not None
    found = next((match for printed in process.stdout if (match := line.search(printed))), None)
    if found is None:
        ended(process)
    assert found is not None, log_of(folder).read_text()
    return process, found


def ended(process: subprocess.Popen[str]) -> int:
    """Stop a process and return its exit code."""
    process.terminate()
    process.communicate(timeout=HANG_S)
    return process.returncode


@contextmanager
def started(folder: Path, line: re.Pattern[str], *command: str | Path) -> Iterator[re.Match[str]]:
    process, found = begun(folder, line, *command)
    try:
        yield found
    finally:
        code = ended(process)
    assert code == 0, log_of(folder).read_text()


def until(condition: Callable[[], bool], otherwise: Callable[[], str]) -> None:
    """Wait until a condition is true. On a timeout, fail with the text that `otherwise` returns."""
    over = threading.Event()
    timer = threading.Timer(HANG_S, over.set)
    timer.start()
    try:
        while not condition():
            assert not over.wait(0.02), otherwise()
    finally:
        timer.cancel()


def answer(url: str) -> str:
    with urllib.request.urlopen(url, timeout=30) as answer:
        return answer.read().decode()
