"""What `dotnet pack` makes: each package with its papers, and depending on no more than it says."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[2]

# Each package's project, and what its users take with it.
PACKAGES = {
    "Larder.Wire": ("wire/src/Larder.Wire", {"Microsoft.Extensions.Logging.Abstractions"}),
    "Larder.Client": ("clients/dotnet/src/Larder.Client", {"Larder.Wire"}),
    "Larder.Client.Hosting": (
        "clients/dotnet/src/Larder.Client.Hosting",
        {
            "Larder.Client",
            "Microsoft.Extensions.Caching.Abstractions",
            "Microsoft.Extensions.Configuration.Binder",
            "Microsoft.Extensions.Diagnostics.HealthChecks",
            "Microsoft.Extensions.Options.ConfigurationExtensions",
        },
    ),
    "Larder.FileStore": (
        "filestore/src/Larder.FileStore",
        {
            "Microsoft.Extensions.Caching.Abstractions",
            "Microsoft.Extensions.DependencyInjection.Abstractions",
            "Microsoft.Extensions.Diagnostics.HealthChecks",
            "Microsoft.Extensions.Hosting.Abstractions",
            "Microsoft.Extensions.Logging.Abstractions",
        },
    ),
}


def _pack(project: str, target: Path) -> zipfile.ZipFile:
    if not list((ROOT / project / "bin" / "Release").glob("*/*.dll")):
        pytest.skip(f"{project} is not built")
    command = ["dotnet", "pack", project, "-c", "Release", "--no-build", "--nologo", "-v", "quiet", "-o", str(target)]
    subprocess.run(command, cwd=ROOT, check=True)
    return zipfile.ZipFile(next(target.glob("*.nupkg")))


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_holds_its_library_its_documentation_and_its_papers(name: str, tmp_path: Path) -> None:
    project, depends = PACKAGES[name]
    with _pack(project, tmp_path) as package:
        names = set(package.namelist())
        said = ElementTree.fromstring(package.read(f"{name}.nuspec"))
    for element in said.iter():
        element.tag = element.tag.split("}")[1]
    library = f"lib/net10.0/{name}"
    assert {f"{library}.dll", f"{library}.xml", "LICENSE", "README.md", "CHANGELOG.md"} <= names
    assert [each for each in names if each.startswith("lib/") and not each.startswith(library)] == []
    assert said.findtext(".//license") == "Apache-2.0"
    assert said.findtext(".//readme") == "README.md"
    repository = said.find(".//repository")
    assert repository is not None and repository.get("url")
    for filled in ("description", "tags", "releaseNotes", "projectUrl"):
        assert said.findtext(f".//{filled}"), filled
    assert {each.get("id") for each in said.iter("dependency")} == depends
    assert [each.get("name") for each in said.iter("frameworkReference")] == []


def test_the_licence_is_one_text_everywhere() -> None:
    licence = (ROOT / "LICENSE").read_text()
    assert "Apache License" in licence
    for client in ("node", "python"):
        assert (ROOT / "clients" / client / "LICENSE").read_text() == licence
