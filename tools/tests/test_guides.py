"""Runs the commands of the guides with the packed tool. Only the ports differ from the guides."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from installed import run, started

ROOT = Path(__file__).parents[2]
LISTENING = re.compile(r"listening on (https?)://\S+?:(\d+) console https?://\S+?:(\d+)")
PLACE = ["--port", "0", "--console-port", "0", "--memory", "64m"]


def _guide(name: str) -> str:
    return (ROOT / "docs" / "guides" / f"{name}.md").read_text()


def _blocks(guide: str, section: str) -> list[str]:
    """Return the shell blocks of a section, or of the whole guide if no section is given."""
    text = _guide(guide)
    if section:
        text = text[text.index(f"## {section}") :].split("\n## ")[0]
    return re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S)


class Terminal:
    """A shell that runs the commands of a guide, with the tool as `larder` and the ports of the test's server."""

    def __init__(self, tool: Path, folder: Path) -> None:
        self._folder = folder
        self._path = f"{tool.parent}{os.pathsep}{os.environ['PATH']}"
        self._url = ""
        self._console = ""
        self._ports: dict[str, str] = {}

    def here(self, text: str) -> str:
        """Return a text with this server's ports instead of the guide's."""
        for written, meant in self._ports.items():
            text = text.replace(written, meant)
        return text

    def types(self, block: str) -> str:
        return run(
            self._folder,
            "bash",
            "-euc",
            self.here(block),
            PATH=self._path,
            LARDER_URL=self._url,
            LARDER_CONSOLE=self._console,
        )

    @contextmanager
    def serves(self, block: str) -> Iterator[None]:
        """Run a block whose last line starts a server."""
        *prepare, serve = block.strip().splitlines()
        assert serve.startswith("larder serve")
        self.types("\n".join(prepare))
        words = ["env", f"PATH={self._path}", "bash", "-euc", f'exec {serve} "$@"', "larder", *PLACE]
        with started(self._folder, LISTENING, *words) as said:
            scheme, data, console = said.groups()
            self._url = f"{scheme}://localhost:{data}"
            self._console = f"localhost:{console}"
            self._ports = {":8080": f":{data}", ":8081": f":{console}"}
            yield


@pytest.fixture
def terminal(tool: Path, tmp_path: Path) -> Terminal:
    return Terminal(tool, tmp_path)


def test_security_guide_tokens_create_and_use_their_cache(terminal: Terminal) -> None:
    serve, use = _blocks("security", "A file of tokens")
    with terminal.serves(serve):
        assert terminal.types(use) == "done\nstored\npaid\n"


def test_security_guide_certificate_grants_configured_access(terminal: Terminal) -> None:
    serve, use = _blocks("security", "Certificates instead of tokens")
    with terminal.serves(serve):
        assert terminal.types(use).endswith("stored\n")


def test_published_sdk_accepts_the_security_guide_disposable_token(terminal: Terminal, tmp_path: Path) -> None:
    sdk = ROOT / "server" / "tests" / "momento-sdk" / "node_modules"
    if not sdk.is_dir():
        pytest.skip("npm ci in server/tests/momento-sdk")
    (tmp_path / "node_modules").symlink_to(sdk)
    tokens = _blocks("security", "A file of tokens")[0].strip().splitlines()[:-1]
    [serve] = _blocks("security", "Disposable tokens")
    terminal.types("\n".join(tokens))
    with terminal.serves(serve):
        [program] = re.findall(r"^```js\n(.*?)^```", _guide("security"), re.M | re.S)
        (tmp_path / "main.mjs").write_text(terminal.here(program))
        assert len(terminal.types("node main.mjs").splitlines()[-1]) > 100


def test_operating_guide_console_token_reads_metrics(terminal: Terminal) -> None:
    serve, scrape, *_ = _blocks("operating", "The console beyond this machine")
    with terminal.serves(serve):
        assert "larder_build_info" in terminal.types(scrape)


def test_warm_restart_guide_keeps_an_item(terminal: Terminal) -> None:
    serve, snapshot = _blocks("warm-restart", "")
    for _ in range(2):
        with terminal.serves(serve):
            terminal.types("larder get greeting || larder set greeting hello")
            terminal.types(snapshot)
    with terminal.serves(serve):
        assert terminal.types("larder get greeting") == "hello\n"


def test_observability_guide_contains_the_example_code() -> None:
    example = (ROOT / "clients/dotnet/examples/Telemetry/Program.cs").read_text()
    assert f"```csharp\n{example}```" in (ROOT / "docs/guides/observability.md").read_text()
