"""A package's program, in a folder of its own: run with no cache of packages but that folder's."""

from __future__ import annotations

import os
import re
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LISTENING = re.compile(r"listening on http://(\S+) console (http://\S+)")
# The public packages that a build of the tree has brought are a feed; Larder's own are in the first alone.
FEEDS = """<configuration>
  <packageSources>
    <clear />
    <add key="dist" value="{dist}" />
    <add key="public" value="{public}" />
  </packageSources>
</configuration>
"""


def environment(folder: Path) -> dict[str, str]:
    """The caller's, but for every cache of packages, and for what would name another server."""
    named = {name: value for name, value in os.environ.items() if not name.startswith("LARDER_")}
    caches = {
        "NUGET_PACKAGES": "packages",
        "DOTNET_CLI_HOME": "home",
        "npm_config_cache": "npm",
        "NUGET_HTTP_CACHE_PATH": "http",
    }
    quiet = {"DOTNET_NOLOGO": "1", "DOTNET_CLI_TELEMETRY_OPTOUT": "1", "MSBUILDDISABLENODEREUSE": "1"}
    return named | quiet | {name: str(folder / cache) for name, cache in caches.items()}


def run(folder: Path, *command: str | Path, **more: str) -> str:
    done = subprocess.run(
        command, cwd=folder, env=environment(folder) | more, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, f"{command}: {done.stdout}\n{done.stderr}"
    return done.stdout


@contextmanager
def started(folder: Path, line: re.Pattern[str], *command: str | Path) -> Iterator[re.Match[str]]:
    with (folder / "errors.log").open("w") as errors:
        process = subprocess.Popen(
            command, cwd=folder, env=environment(folder), stdout=subprocess.PIPE, stderr=errors, text=True
        )
    assert process.stdout is not None
    try:
        found = next((match for said in process.stdout if (match := line.search(said))), None)
        assert found is not None, (folder / "errors.log").read_text()
        yield found
    finally:
        process.terminate()
        process.communicate(timeout=30)
    assert process.returncode == 0, (folder / "errors.log").read_text()


def answer(url: str) -> str:
    with urllib.request.urlopen(url, timeout=30) as answer:
        return answer.read().decode()
