"""The packages of `./larder pack` contain their documents and have only the declared dependencies."""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[2]
VERSION = re.findall("<Version>(.*)</Version>", (ROOT / "Directory.Build.props").read_text())[0]

# The expected dependencies of each package.
PACKAGES = {
    "Larder.Wire": {"Microsoft.Extensions.Logging.Abstractions"},
    "Larder.Client": {"Larder.Wire"},
    "Larder.Client.FusionCache": {"Larder.Client.Hosting", "ZiggyCreatures.FusionCache"},
    "Larder.Client.Hosting": {
        "Larder.Client",
        "Microsoft.Extensions.Caching.Abstractions",
        "Microsoft.Extensions.Configuration.Binder",
        "Microsoft.Extensions.Diagnostics.HealthChecks",
        "Microsoft.Extensions.Options.ConfigurationExtensions",
    },
    "Larder.Client.Hybrid": {"Larder.Client.Hosting"},
    "Larder.Client.MessagePack": {"Larder.Client", "MessagePack"},
    "Larder.Client.OutputCaching": {"Larder.Client.Hosting"},
    # This package contains the server, so it also has the dependencies of the server.
    "Larder.Testing": {
        "Google.Protobuf",
        "Larder.Client",
        "OpenTelemetry.Exporter.OpenTelemetryProtocol",
        "System.CommandLine",
    },
    "Larder.FileStore": {
        "Microsoft.Extensions.Caching.Abstractions",
        "Microsoft.Extensions.DependencyInjection.Abstractions",
        "Microsoft.Extensions.Diagnostics.HealthChecks",
        "Microsoft.Extensions.Hosting.Abstractions",
        "Microsoft.Extensions.Logging.Abstractions",
    },
}

# The packages that use ASP.NET Core, each with its expected framework references.
FRAMEWORKS = {name: ["Microsoft.AspNetCore.App"] for name in ("Larder.Client.OutputCaching", "Larder.Testing")}

# The files of a package in addition to its own library.
HELD = {
    "Larder.Testing": {f"lib/net10.0/{name}.dll" for name in ("larder-server", "Larder.Redis", "Larder.Store")},
}

# The build files that a package adds to the project that uses it.
BUILD = {"Larder.FileStore": {f"{folder}/Larder.FileStore.props" for folder in ("build", "buildTransitive")}}


@pytest.mark.parametrize("name", PACKAGES)
def test_package_contains_library_documentation_and_license(name: str, dist: Path) -> None:
    with zipfile.ZipFile(dist / f"{name}.{VERSION}.nupkg") as package:
        names = set(package.namelist())
        said = ElementTree.fromstring(package.read(f"{name}.nuspec"))
        library_bytes = package.read(f"lib/net10.0/{name}.dll")
    for element in said.iter():
        element.tag = element.tag.split("}")[1]
    library = f"lib/net10.0/{name}"
    assert {f"{library}.dll", f"{library}.xml", "LICENSE", "README.md", "CHANGELOG.md"} <= names
    others = {each for each in names if each.startswith("lib/") and not each.startswith(library)}
    assert others == HELD.get(name, set())
    assert {each for each in names if each.startswith("build")} == BUILD.get(name, set())
    assert said.findtext(".//license") == "Apache-2.0"
    assert said.findtext(".//readme") == "README.md"
    repository = said.find(".//repository")
    assert repository is not None and repository.get("url")
    for filled in ("description", "tags", "releaseNotes", "projectUrl"):
        assert said.findtext(f".//{filled}"), filled
    assert {each.get("id") for each in said.iter("dependency")} == PACKAGES[name]
    assert [each.get("name") for each in said.iter("frameworkReference")] == FRAMEWORKS.get(name, [])
    assert str(ROOT).encode() not in library_bytes
    with zipfile.ZipFile(dist / f"{name}.{VERSION}.snupkg") as symbols:
        assert f"lib/net10.0/{name}.pdb" in symbols.namelist()


def test_dist_folder_contains_each_package_and_checksums(dist: Path) -> None:
    libraries = {f"{name}.{VERSION}.{kind}" for name in [*PACKAGES, "larder"] for kind in ("nupkg", "snupkg")}
    clients = {
        f"larder-cache-{VERSION}.tgz",
        f"larder_cache-{VERSION}-py3-none-any.whl",
        f"larder_cache-{VERSION}.tar.gz",
    }
    assert {path.name for path in dist.iterdir()} == libraries | clients | {"SHA256SUMS", "nuget.config"}
    sums = dict(reversed(line.split()) for line in (dist / "SHA256SUMS").read_text().splitlines())
    assert sums == {name: hashlib.sha256((dist / name).read_bytes()).hexdigest() for name in libraries | clients}


def test_tool_package_contains_every_program_and_settings(dist: Path) -> None:
    with zipfile.ZipFile(dist / f"larder.{VERSION}.nupkg") as package:
        names = set(package.namelist())
        settings = package.read("tools/net10.0/any/DotnetToolSettings.xml").decode()
        server = json.loads(package.read("tools/net10.0/any/larder-server.runtimeconfig.json"))
        tool = json.loads(package.read("tools/net10.0/any/larder.runtimeconfig.json"))
    assert 'Name="larder" EntryPoint="larder.dll"' in settings
    programs = {"larder", "larder-server", "Larder.Agent", "Larder.FileStore.Cli", "Larder.Tuner", "Larder.Tuner.Peers"}
    wanted = {
        f"tools/net10.0/any/{name}{end}" for name in programs for end in (".dll", ".deps.json", ".runtimeconfig.json")
    }
    assert wanted | {"LICENSE", "README.md", "CHANGELOG.md"} <= names
    assert [
        name for name in names if name.startswith("tools/") and ("." not in Path(name).name or name.endswith(".xml"))
    ] == ["tools/net10.0/any/DotnetToolSettings.xml"]
    assert "Microsoft.AspNetCore.App" in str(server)
    assert "Microsoft.AspNetCore.App" not in str(tool)


def test_version_is_equal_in_every_language() -> None:
    said = {
        name: re.findall(pattern, (ROOT / "clients" / name).read_text(), re.M)
        for name, pattern in {
            "node/package.json": r'^  "version": "(.*)"',
            "node/src/client/version.ts": r'version = "(.*)"',
            "python/pyproject.toml": r'^version = "(.*)"',
            "python/larder_cache/_internal/transport/channel.py": r'"larder-python:([^"]*)"',
            "python/agent/larder_target.py": r'"version": "(.*)"',
        }.items()
    }
    assert said == dict.fromkeys(said, [VERSION])
    assert (ROOT / "CHANGELOG.md").read_text().split("\n## ")[1].startswith(f"{VERSION} ")


def test_license_text_is_equal_everywhere() -> None:
    licence = (ROOT / "LICENSE").read_text()
    assert "Apache License" in licence
    for client in ("node", "python"):
        assert (ROOT / "clients" / client / "LICENSE").read_text() == licence
