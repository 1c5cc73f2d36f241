"""The libraries support native compilation: an example that uses all of them compiles without a warning, and runs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from installed import LISTENING, answer, started, until

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "clients/dotnet/examples/Native/Native.csproj"
SERVER = ROOT / "server/src/Larder.Server/bin/Release/net10.0/larder-server.dll"
# The line that a web application prints when it accepts requests.
WEB = re.compile(r"Now listening on: (http://\S+)")


def _listed(property_name: str) -> set[str]:
    """Return the projects in one of the lists of Directory.Build.props."""
    text = (ROOT / "Directory.Build.props").read_text()
    [projects] = re.findall(rf"<{property_name} [^>]*'(;[\w.;]+;)'", text)
    return {*projects.strip(";").split(";")}


def _compatible() -> set[str]:
    """Return the published libraries that Directory.Build.props and their project files mark as compatible."""
    files = {path.stem: path.read_text() for path in ROOT.glob("*/src/*/*.csproj")}
    files |= {path.stem: path.read_text() for path in ROOT.glob("clients/dotnet/src/*/*.csproj")}
    published = _listed("LarderPacked") & _listed("LarderShipped")
    return {name for name in published if "<IsAotCompatible>false" not in files[name]}


def test_example_checks_all_code_of_each_compatible_library() -> None:
    [checked] = re.findall('TrimmerRootAssembly Include="([^"]+)"', EXAMPLE.read_text())
    assert {*checked.split(";")} == _compatible()


def test_guide_lists_compatible_packages() -> None:
    guide = (ROOT / "docs/guides/dotnet.md").read_text().split("## Trimmed and native programs")[1].split("\n## ")[0]
    rows = [line.split("|")[1:3] for line in guide.splitlines() if line.startswith("| `")]
    said = {name: text.strip() for names, text in rows for name in re.findall(r"`([\w.]+)`", names)}
    assert {name for name, text in said.items() if text.startswith("yes")} == _compatible() - {"Larder.Wire"}
    assert set(said) == _listed("LarderPacked") - {"Larder.Wire", "Larder.Tool"}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile the example to native code. Warnings are errors. The analyzers run in the build of the solution."""
    machine = {"x86_64": "x64", "aarch64": "arm64"}[os.uname().machine]
    target = tmp_path_factory.mktemp("native")
    options = ["-p:PublishAot=true", "-p:RunAnalyzers=false", "-p:IncludeSourceRevisionInInformationalVersion=false"]
    command = ["dotnet", "publish", EXAMPLE, "-c", "Release", "-r", f"linux-{machine}", "-o", target, *options]
    command += ["--artifacts-path", ROOT / "artifacts/native", "-v", "quiet", "--nologo"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert list(target.glob("*.dll")) == []
    return target / "Native"


@pytest.mark.skipif("LARDER_LONG" not in os.environ, reason="compiles native code: ./larder test --long")
@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
@pytest.mark.skipif(not SERVER.is_file(), reason="the server is not built in Release")
def test_native_example_uses_each_library(program: Path, tmp_path: Path) -> None:
    serve = ["dotnet", SERVER, "--port", "0", "--console-port", "0", "--memory", "64m"]
    with started(tmp_path, LISTENING, *serve) as server:
        settings = ["--Larder:Url", f"http://{server.group(1)}", "--Folder", tmp_path / "cache"]
        with started(tmp_path, WEB, program, "--urls", "http://127.0.0.1:0", *settings) as said:
            site = said.group(1)
            flour = "flour costs 1.2 euros; loads: 1; read from memory: "
            until(lambda: answer(f"{site}/prices/flour") == f"{flour}True", lambda: answer(f"{site}/prices/flour"))
            assert [answer(f"{site}/orders/7") for _ in range(2)] == ["order 7: flour"] * 2
            assert [answer(f"{site}/visits") for _ in range(2)] == ["1", "2"]
            assert answer(f"{site}/report") == answer(f"{site}/report")
            assert [answer(f"{site}/stock/salt") for _ in range(2)] == ["7 pieces of salt"] * 2
            assert answer(f"{site}/health") == "Healthy"
    assert '"k":"stock:salt"' in next((tmp_path / "cache").glob("*.jsonl")).read_text()
