"""Until a release, no page installs our packages from a registry, where the name could belong to someone else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import tomllib
from test_documents import ROOT, texts

# Read the names from the manifests of the packages.
PYTHON = tomllib.loads((ROOT / "clients/python/pyproject.toml").read_text())["project"]["name"]
NODE = json.loads((ROOT / "clients/node/package.json").read_text())["name"]
DOTNET = "larder"

PIP = re.compile(r"\b(?:pip3?|pipx|uv(?: pip)?|poetry) (?:install|add|run)\b([^`\n]*)")
NPM = re.compile(r"\b(?:npm|pnpm|yarn|bun) (?:install|i|add|exec)\b([^`\n]*)|\bnpx\b([^`\n]*)")
DOTNET_PACKAGE = re.compile(r"\bdotnet (?:add(?: \S+)? package|package add) (Larder[\w.]*)([^`\n]*)", re.I)
DOTNET_TOOL = re.compile(r"\bdotnet (?:tool (?:install|update)|tool execute|dnx)\b([^`\n]*)|\bdnx\b([^`\n]*)")
NUGET_SOURCE = re.compile(r"\bdotnet nuget add source\b")
REQUIREMENT = re.compile(
    rf"(?<![\w/-]){re.escape(PYTHON)}(?:\[[^\]]*\])?\s*(?:==|>=|~=)|[\"']{re.escape(NODE)}[\"']: *[\"'][\^~>=\d]"
)
# The file that maps our packages to the folder of `./larder pack`.
MAPPING = "nuget.config"
GUIDES = sorted((ROOT / "docs" / "guides").glob("*.md"))
# Commands that exist only in the repository and not in the tool.
OF_THE_REPOSITORY = {"pack", "fleet", "test", "check", "fmt", "bench", "lab", "docs"}


def _words(arguments: str) -> list[str]:
    return [word.strip("'\",;().") for word in arguments.split()]


def _is_ours(word: str, name: str) -> bool:
    """Return whether an installer would query a registry for this word. Paths and files are not queried."""
    bare = re.split(r"[\[@=<>~!]", word)[0]
    return "/" not in word and bare.lower().replace("_", "-") == name.lower()


def _fetched(text: str) -> list[str]:
    """Return the lines of a page that would fetch one of our packages from a public registry."""
    found = [m[0] for m in PIP.finditer(text) if any(_is_ours(word, PYTHON) for word in _words(m[1]))]
    found += [m[0] for m in NPM.finditer(text) if any(_is_ours(word, NODE) for word in _words(m[1] or m[2] or ""))]
    found += [m[0] for m in DOTNET_PACKAGE.finditer(text) if MAPPING not in text[: m.start()]]
    for match in DOTNET_TOOL.finditer(text):
        words = _words(match[1] or match[2] or "")
        if DOTNET in words and "--source" not in words:
            found.append(match[0])
    found += [m[0] for m in NUGET_SOURCE.finditer(text)]
    return found + [m[0] for m in REQUIREMENT.finditer(text)]


def test_no_page_installs_packages_from_registry() -> None:
    pages = [(name, text) for name, text in texts() if not name.startswith(("tools/tests/", "tuner/results/"))]
    assert len(pages) > 500
    assert [f"{name}: {line}" for name, text in pages for line in _fetched(text)] == []


@pytest.mark.parametrize(
    "line",
    [
        "pip install larder-cache",
        "(`pip install 'larder-cache[opentelemetry]'`)",
        "pip install larder_cache==0.1.0",
        "uv add larder-cache",
        "npm install larder-cache",
        "npm i express larder-cache@latest",
        "npx larder-cache",
        "dotnet add package Larder.Client",
        "dotnet add app package Larder.Client.Hosting",
        "dotnet package add Larder.Client",
        "dotnet nuget add source DIST",
        "dotnet tool install --global larder",
        "dotnet tool update --global --add-source DIST larder",
        "larder-cache>=0.1",
        '"larder-cache": "^0.1.0"',
    ],
)
def test_registry_install_is_reported(line: str) -> None:
    assert len(_fetched(line)) >= 1


@pytest.mark.parametrize(
    "line",
    [
        'pip install "$DIST"/larder_cache-*.whl',
        "pip install opentelemetry-api",
        'npm install "$DIST"/larder-cache-0.1.0.tgz',
        "npm install keyv",
        'cp "$DIST/nuget.config" .\ndotnet add package Larder.Client',
        "dotnet add package OpenTelemetry.Extensions.Hosting",
        'dotnet tool install --global --source "$DIST" larder',
    ],
)
def test_local_or_third_party_install_is_accepted(line: str) -> None:
    assert _fetched(line) == []


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_guide_with_commands_starts_with_the_pack_command(guide: Path) -> None:
    text = guide.read_text()
    if "```" not in text:
        return
    beginning = "\n".join(text.split("\n")[:16])
    assert "./larder pack" in beginning
    assert guide.stem == "install" or "(install.md" in beginning


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_guide_uses_packages_instead_of_checkout(guide: Path) -> None:
    text = guide.read_text()
    assert re.findall(r"dotnet add reference|PYTHONPATH=|<larder>|PATH/\w+", text) == []
    commands = set(re.findall(r"\./larder ([a-z]+)", text))
    assert commands - OF_THE_REPOSITORY == set()
