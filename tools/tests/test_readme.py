"""Runs every snippet of the README, and the published SDK's, against a server. Only the server's address differs."""

from __future__ import annotations

import os
import re
import urllib.request
from pathlib import Path

import pytest
from installed import said, started

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def _snippet(start: str, language: str, number: int = 0, page: str = README) -> str:
    """Return the snippet of a language below a heading or a bold first word."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```", page[page.index(start) :], re.M | re.S)
    return blocks[number]


def _at(snippet: str, written: str, meant: str) -> str:
    assert snippet.count(written) == 1, f"{written} is not once in {snippet}"
    return snippet.replace(written, meant)


def _run(folder: Path, *command: str | Path, **more: str) -> str:
    """Run a command with the caller's package caches, so that existing builds are reused."""
    return said(folder, os.environ | more, *command)


def _project(folder: Path, kind: str, library: str) -> Path:
    """Create a .NET project in the folder "app" with the command from the README, and return its path."""
    line = _at(_snippet("**.NET**", "sh"), "new console", f"new {kind}").strip()
    line = line.replace("../app", str(folder / "app")).replace("clients/dotnet/src/Larder.Client", library)
    _run(ROOT, "bash", "-euc", line, Configuration="Release", DOTNET_NOLOGO="1")
    return folder / "app"


def test_commands_in_readme_exist(tool: Path) -> None:
    for command in re.findall(r"^\./larder (\S+)", README, re.M):
        assert re.search(rf"^  .*\b{command}\b", _run(ROOT, ROOT / "larder", "help"), re.M), command


def test_dotnet_snippet_prints_the_stored_value(server: tuple[str, str], tmp_path: Path) -> None:
    app = _project(tmp_path, "console", "clients/dotnet/src/Larder.Client")
    page = _at(_snippet("**.NET**", "csharp"), "127.0.0.1:8080", server[0])
    (app / "Program.cs").write_text(page)
    assert _run(ROOT, "dotnet", "run", "--project", app, Configuration="Release") == "hello\n"


@pytest.mark.skipif("LARDER_LONG" not in os.environ, reason="a build of a web program: ./larder test --long")
def test_file_store_snippet_serves_a_response(tmp_path: Path) -> None:
    app = _project(tmp_path, "web", "filestore/src/Larder.FileStore")
    (app / "Program.cs").write_text(_snippet("**A file instead of a server**", "csharp"))
    _run(app, "dotnet", "build", "-o", "out", "-v", "quiet", Configuration="Release")
    command = ["dotnet", app / "out" / "app.dll", "--urls", "http://127.0.0.1:0"]
    with started(app, re.compile(r"Now listening on: (\S+)"), *command) as listening:
        with urllib.request.urlopen(listening.group(1), timeout=30) as answer:
            assert answer.read() == b"(nothing there)"


def test_python_snippet_prints_the_stored_value(server: tuple[str, str], tmp_path: Path) -> None:
    page = _at(_snippet("**Python**", "python"), "127.0.0.1:8080", server[0])
    (tmp_path / "main.py").write_text(page)
    printed = _run(tmp_path, ROOT / "tools" / "python", "main.py", PYTHONPATH=str(ROOT / "clients" / "python"))
    assert printed == "b'hello'\n"


def test_node_snippet_prints_the_stored_value(server: tuple[str, str], tmp_path: Path) -> None:
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "larder-cache").symlink_to(ROOT / "clients" / "node")
    (tmp_path / "main.mjs").write_text(_at(_snippet("**Node**", "js"), "127.0.0.1:8080", server[0]))
    assert _run(tmp_path, "node", "main.mjs") == "Hit { value: 'hello' }\n"


def test_published_sdk_snippet_prints_the_stored_value(server: tuple[str, str], tmp_path: Path) -> None:
    (tmp_path / "node_modules").symlink_to(ROOT / "server" / "tests" / "momento-sdk" / "node_modules")
    snippet = _snippet("## Momento", "js", page=(ROOT / "docs" / "coming-from.md").read_text())
    page = _at(snippet, "port: 8080", f"port: {server[0].rsplit(':')[1]}")
    (tmp_path / "main.mjs").write_text(page)
    assert _run(tmp_path, "node", "main.mjs") == "hello\n"


def test_second_terminal_commands_print_value_and_metrics(tool: Path, server: tuple[str, str], tmp_path: Path) -> None:
    commands = _snippet("## Run it", "sh", 1).replace("./larder", str(tool))
    commands = _at(commands, "http://127.0.0.1:8081", server[1])
    printed = _run(tmp_path, "bash", "-euc", commands, LARDER_URL=f"http://{server[0]}", LARDER_CONSOLE=server[1][7:])
    assert "\nhello\n" in f"\n{printed}"
    assert "larder_build_info" in printed


def test_readme_has_at_most_150_lines() -> None:
    assert README.count("\n") <= 150


def test_readme_introduction_is_under_2000_characters() -> None:
    assert README.index("\n## ") < 2_000
