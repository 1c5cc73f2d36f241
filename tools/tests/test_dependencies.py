"""Compares the page of the dependencies with the files that declare them."""

from __future__ import annotations

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/dependencies.md").read_text()


def _declared() -> set[str]:
    packages = re.findall(r'PackageVersion Include="([^"]+)"', (ROOT / "Directory.Packages.props").read_text())
    node = json.loads((ROOT / "clients/node/package.json").read_text())
    tools = json.loads((ROOT / ".config/dotnet-tools.json").read_text())["tools"]
    return {*packages, *node["devDependencies"], *node["peerDependencies"], *tools}


def test_page_lists_each_dependency_and_no_other() -> None:
    rows = "\n".join(line.split("|")[1] if line.startswith("|") else line for line in PAGE.splitlines())
    rows = rows[rows.index("## In the programs") :]
    named = set(re.findall(r"`([@\w./-]+)`", rows))
    assert named == _declared()


def test_each_net_library_is_used() -> None:
    files = [*ROOT.glob("**/*.csproj"), *ROOT.glob("Directory.Build.*"), *ROOT.glob("**/*.props")]
    built = {"obj", "bin", "node_modules", "artifacts"}
    text = "".join(path.read_text() for path in files if not built & {*path.parts})
    used = set(re.findall(r'<PackageReference Include="([^"]+)"', text))
    packages = re.findall(r'PackageVersion Include="([^"]+)"', (ROOT / "Directory.Packages.props").read_text())
    assert {name for name in packages if name not in used} == set()


def test_versions_are_exact() -> None:
    node = json.loads((ROOT / "clients/node/package.json").read_text())
    loose = {name: version for name, version in node["devDependencies"].items() if re.match(r"[\^~*><]", version)}
    assert loose == {}
