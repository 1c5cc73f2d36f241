"""Installs the packages of `./larder pack` in empty folders and runs the server, the README examples and the tuner."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest
from installed import FEEDS, answer, environment, run, started

ROOT = Path(__file__).parents[2]
PROJECT = """<Project Sdk="Microsoft.NET.Sdk{kind}">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net10.0</TargetFramework>
    <ImplicitUsings>enable</ImplicitUsings>
    <Nullable>enable</Nullable>
    <TreatWarningsAsErrors>true</TreatWarningsAsErrors>
    <NuGetAudit>false</NuGetAudit>
  </PropertyGroup>
  <ItemGroup>
    <PackageReference Include="{package}" Version="*" />{others}
  </ItemGroup>
</Project>
"""

# The packages that an example needs in addition to the package whose README contains it.
OTHERS = {"Larder.Client.FusionCache": ["ZiggyCreatures.FusionCache.Serialization.SystemTextJson"]}


def _first_page(readme: str, language: str) -> str:
    page = re.search(rf"^```{language}\n(.*?)^```", readme, re.M | re.S)
    assert page is not None, f"no {language} in {readme[:80]}"
    return page.group(1)


def _in_place_of(page: str, said: str, meant: str) -> str:
    """Return a page with only the address of its server replaced by the test's."""
    assert page.count(said) == 1, f"{said} is not once in {page}"
    return page.replace(said, meant)


def _readme(package: Path) -> str:
    with zipfile.ZipFile(package) as opened:
        return opened.read("README.md").decode()


def _built(dist: Path, folder: Path, package: str, page: str, kind: str = "") -> Path:
    public = Path(os.environ.get("NUGET_PACKAGES") or Path.home() / ".nuget" / "packages")
    assert not list(public.glob("larder*")), "a package of Larder's lies among the public ones"
    (folder / "nuget.config").write_text(FEEDS.format(dist=dist, public=public))
    others = "".join(f'\n    <PackageReference Include="{name}" Version="*" />' for name in OTHERS.get(package, []))
    (folder / "App.csproj").write_text(PROJECT.format(kind=kind, package=package, others=others))
    (folder / "Program.cs").write_text(page)
    run(folder, "dotnet", "build", "-o", "out", "-v", "quiet")
    return folder / "out" / "App.dll"


def test_tool_prints_version_and_help(tool: Path) -> None:
    folder = tool.parent
    assert re.fullmatch(r"larder \d+\.\d+\.\d+\n", run(folder, tool, "--version"))
    assert "larder serve" in run(folder, tool, "help")
    assert "Inspects" in run(folder, tool, "file", "--help")


def test_tool_readme_commands_set_and_read_a_value(tool: Path, server: tuple[str, str]) -> None:
    folder = tool.parent
    page = (ROOT / "packaging/src/Larder.Tool/README.md").read_text()
    assert "larder set greeting hello\nlarder get greeting\n" in page
    run(folder, tool, "set", "greeting", "hello", LARDER_URL=f"http://{server[0]}")
    assert run(folder, tool, "get", "greeting", LARDER_URL=f"http://{server[0]}") == "hello\n"
    assert answer(f"{server[1]}/health") == "ok\n"


@pytest.mark.parametrize(
    "words",
    [["fleet"], ["test"], ["docs"], ["lab", "stock"], ["bench", "--store"], ["lab", "hostile", "--client", "node"]],
)
def test_tool_rejects_repository_only_commands_with_hint(tool: Path, words: list[str]) -> None:
    done = subprocess.run([tool, *words], env=environment(tool.parent), capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"run ./larder {words[0]}" in done.stderr


def test_tool_rejects_clients_that_need_repository(tool: Path) -> None:
    command = [tool, "bench", "--client", "node", "--in-flight", "1"]
    done = subprocess.run(command, env=environment(tool.parent), capture_output=True, text=True, timeout=60)
    assert done.returncode != 0
    assert "this command needs a checkout of Larder" in done.stderr


def test_tool_bench_measures_server(tool: Path, server: tuple[str, str]) -> None:
    said = run(
        tool.parent,
        tool,
        "bench",
        "--server",
        server[0],
        "--in-flight",
        "10",
        "--seconds",
        "0.3",
        "--warmup",
        "0.1",
        "--noise-limit",
        "100",
    )
    assert re.search(r"dotnet +pipeline +10 +[1-9]", said), said


@pytest.mark.skipif("LARDER_LONG" not in os.environ, reason="takes a minute: ./larder test --long")
def test_tool_tune_starts_server_and_finds_concurrency_cap(tool: Path, tmp_path: Path) -> None:
    said = run(
        tmp_path, tool, "tune", "--client", "dotnet", "--target", "p999=20ms", "--budget", "40s", "--rounds", "1"
    )
    assert "MaxInFlight" in said, said


# A package with our name in a simulated public registry. It has a higher version and another owner.
STRANGERS = """<package>
  <metadata>
    <id>Larder.Client</id>
    <version>99.0.0</version>
    <authors>a stranger</authors>
    <description>not ours</description>
  </metadata>
</package>
"""
DOWNLOADS = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>
  <ItemGroup><PackageDownload Include="Larder.Client" Version="[{version}]" /></ItemGroup>
</Project>
"""
REGISTRY = """<configuration>
  <packageSources>
    <clear />
    <add key="nuget.org" value="{registry}" />
  </packageSources>
</configuration>
"""


def test_nuget_config_restores_packages_only_from_dist(dist: Path, tmp_path: Path) -> None:
    registry, app = tmp_path / "registry", tmp_path / "app"
    user = tmp_path / "home" / ".nuget" / "NuGet"
    for folder in (registry, app, user):
        folder.mkdir(parents=True)
    with zipfile.ZipFile(registry / "Larder.Client.99.0.0.nupkg", "w") as package:
        package.writestr("Larder.Client.nuspec", STRANGERS)
    (user / "NuGet.Config").write_text(REGISTRY.format(registry=registry))

    def restored(version: str) -> int:
        (app / "App.csproj").write_text(DOWNLOADS.format(version=version))
        return subprocess.run(["dotnet", "restore"], cwd=app, env=environment(tmp_path), capture_output=True).returncode

    assert restored("99.0.0") == 0
    shutil.rmtree(tmp_path / "packages")
    (app / "nuget.config").write_text((dist / "nuget.config").read_text())
    assert restored("99.0.0") != 0
    assert restored(next(dist.glob("Larder.Client.[0-9]*.nupkg")).stem.removeprefix("Larder.Client.")) == 0


def test_dotnet_client_readme_example_prints_the_stored_value(
    dist: Path, server: tuple[str, str], tmp_path: Path
) -> None:
    package = next(dist.glob("Larder.Client.[0-9]*.nupkg"))
    page = _in_place_of(_first_page(_readme(package), "csharp"), ".Local()", f'.FromString("http://{server[0]}")')
    assert run(tmp_path, "dotnet", _built(dist, tmp_path, "Larder.Client", page)) == "hello\n"


def test_test_server_readme_example_prints_the_stored_value(dist: Path, tmp_path: Path) -> None:
    page = _first_page(_readme(next(dist.glob("Larder.Testing.[0-9]*.nupkg"))), "csharp")
    assert run(tmp_path, "dotnet", _built(dist, tmp_path, "Larder.Testing", page)) == "hello\n"


# The server addresses in the web examples. The second response of each example must come from the cache.
WEB = {
    "Larder.Client.FusionCache": "http://127.0.0.1:8080",
    "Larder.Client.Hosting": "http://127.0.0.1:8080",
    "Larder.Client.Hybrid": "http://127.0.0.1:8080",
    "Larder.Client.OutputCaching": "http://127.0.0.1:8080",
    "Larder.FileStore": "",
}


@pytest.mark.parametrize("name", WEB)
@pytest.mark.skipif("LARDER_LONG" not in os.environ, reason="a build of a web program each: ./larder test --long")
def test_web_package_readme_example_caches_response(
    name: str, dist: Path, server: tuple[str, str], tmp_path: Path
) -> None:
    page = _first_page(_readme(next(dist.glob(f"{name}.[0-9]*.nupkg"))), "csharp")
    if WEB[name]:
        page = _in_place_of(page, WEB[name], f"http://{server[0]}")
    program = _built(dist, tmp_path, name, page, ".Web")
    command = ["dotnet", program, "--urls", "http://127.0.0.1:0"]
    with started(tmp_path, re.compile(r"Now listening on: (\S+)"), *command) as said:
        first = answer(said.group(1))
        assert first.startswith("made at ")
        assert answer(said.group(1)) == first
    with started(tmp_path, re.compile(r"Now listening on: (\S+)"), *command) as said:
        assert answer(said.group(1)) == first


def test_node_client_readme_example_prints_the_stored_value(
    dist: Path, server: tuple[str, str], tmp_path: Path
) -> None:
    package = next(dist.glob("*.tgz"))
    # The project has no other dependencies, so npm does not query a registry.
    (tmp_path / "package.json").write_text(json.dumps({"name": "app", "private": True}))
    run(
        tmp_path,
        "npm",
        "install",
        "--offline",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        package,
    )
    with tarfile.open(package) as opened:
        readme = opened.extractfile("package/README.md")
        assert readme is not None
        page = _first_page(readme.read().decode(), "js")
    (tmp_path / "main.mjs").write_text(_in_place_of(page, "127.0.0.1:8080", server[0]))
    assert run(tmp_path, "node", "main.mjs") == "Hit { value: 'hello' }\n"


def _python_page(readme: str, endpoint: str) -> str:
    page = _in_place_of(
        _first_page(readme, "python"), "import CacheClient\n", "import CacheClient, CredentialProvider\n"
    )
    return _in_place_of(
        page, "CacheClient(default_ttl", f'CacheClient(CredentialProvider.from_string("http://{endpoint}"), default_ttl'
    )


def _installs(tmp_path: Path, package: Path) -> Path:
    """Install a package into its own folder without querying an index."""
    python = ROOT / "tools" / "python"
    if subprocess.run([python, "-m", "pip", "--version"], capture_output=True).returncode != 0:
        pytest.skip("there is no pip")
    target = tmp_path / "installed"
    run(
        tmp_path,
        python,
        "-m",
        "pip",
        "install",
        "-q",
        "--no-index",
        "--no-deps",
        "--no-build-isolation",
        "--target",
        target,
        package,
    )
    return target


def test_python_client_readme_example_prints_the_stored_value(
    dist: Path, server: tuple[str, str], tmp_path: Path
) -> None:
    target = _installs(tmp_path, next(dist.glob("*.whl")))
    [metadata] = target.glob("larder_cache-*.dist-info/METADATA")
    (tmp_path / "main.py").write_text(_python_page(metadata.read_text(), server[0]))
    assert run(tmp_path, ROOT / "tools" / "python", "main.py", PYTHONPATH=str(target)) == "b'hello'\n"
    assert (target / "larder_cache" / "CHANGELOG.md").read_text() == (ROOT / "CHANGELOG.md").read_text()


def test_python_source_package_builds_identical_wheel(dist: Path, tmp_path: Path) -> None:
    with tarfile.open(next(dist.glob("*.tar.gz"))) as source:
        source.extractall(tmp_path)
    [folder] = [path for path in tmp_path.iterdir() if path.is_dir()]
    run(folder, ROOT / "tools" / "python", "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "again")
    [again] = (tmp_path / "again").iterdir()
    assert again.read_bytes() == (dist / again.name).read_bytes()
