"""`./larder pack` builds only the named packages, shows its progress and prints the commands that install them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COPIED = (
    "Directory.Build.props",
    "CHANGELOG.md",
    "clients/node/package.json",
    "clients/node/package-lock.json",
    "clients/node/src/client/version.ts",
    "clients/python/pyproject.toml",
    "tools/pack",
)
VERSION = re.findall("<Version>(.*)</Version>", (ROOT / "Directory.Build.props").read_text())[0]
# Fake packaging programs, which write files with the same names as the real programs.
PROGRAMS = {
    "npm": 'case " $* " in *" pack "*) for word; do to=$word; done; touch "$to/larder-cache-VERSION.tgz" ;; esac',
    "node": "true",
    "dotnet": """
        for word; do case $last in --output) output=$word ;; --filename) name=$word ;; esac; last=$word; done
        case "$1 $3" in
          pack*) touch "$last/Larder.Client.VERSION.nupkg" ;;
          "tool dotnet-CycloneDX") touch "$output/$name" ;;
        esac""",
    "python3": "true",
    "umoci": "true",
    "apt-get": "touch libc6.deb",
    "aarch64-linux-gnu-gcc": "true",
    "x86_64-linux-gnu-gcc": "true",
}
# Fakes of the scripts that pack the native program and its container image.
NATIVE = 'touch "$3/larder-VERSION-linux-$2.tar.gz" "$3/larder_VERSION_${2/x64/amd64}.deb"'
IMAGE = """
name=${1##*_} && name=${name%.deb}
[ -f "$1" ] && [ -f "$2/libc6.deb" ] && touch "$3/larder-VERSION-linux-${name/amd64/x64}.oci.tar"
"""
MACHINE = {"x86_64": "x64", "aarch64": "arm64"}[os.uname().machine]
OTHER = {"x64": "arm64", "arm64": "x64"}[MACHINE]
DEBIAN = {"x64": "amd64", "arm64": "arm64"}
PYTHON = (
    """[ "$1" = -c ] || { for word; do folder=$word; done; touch "$folder/larder_cache-VERSION-py3-none-any.whl"; }"""
)

needs_compiler = pytest.mark.skipif(
    shutil.which("gcc") is None or shutil.which("dpkg-deb") is None, reason="there is no gcc or dpkg-deb"
)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Create a checkout of empty packages. Its fake programs write files with the packages' names, and no output."""
    for name in COPIED:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "clients/node/dist").mkdir()
    (tmp_path / "clients/python/larder_cache").mkdir()
    (tmp_path / "Larder.slnx").write_text('<Project Path="one" />\n')
    _program(tmp_path / "tools/python", PYTHON)
    _program(tmp_path / "tools/setup", "true")
    _program(tmp_path / "packaging/linux/build", NATIVE)
    _program(tmp_path / "packaging/linux/image", IMAGE)
    return tmp_path


def _program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/bash\n" + text.replace("VERSION", VERSION) + "\n")
    path.chmod(0o755)


def _pack(tree: Path, *words: str, programs: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    for name in programs:
        _program(tree / "bin" / name, PROGRAMS[name])
    # Simulates a machine without the SDK, which has only the system's tools.
    for tool in subprocess.run(["ls", "/usr/bin"], capture_output=True, text=True, check=True).stdout.split():
        if tool not in PROGRAMS and not (tree / "bin" / tool).exists():
            (tree / "bin").mkdir(exist_ok=True)
            (tree / "bin" / tool).symlink_to(f"/usr/bin/{tool}")
    return subprocess.run(
        [tree / "tools/pack", *words, "--output", tree / "dist"],
        env={"PATH": str(tree / "bin"), "HOME": os.environ["HOME"]},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("language", "programs", "package", "command"),
    [
        ("node", ("node", "npm"), f"larder-cache-{VERSION}.tgz", "npm install DIST/"),
        (
            "python",
            ("python3",),
            f"larder_cache-{VERSION}-py3-none-any.whl",
            "pip install DIST/",
        ),
        (
            "dotnet",
            ("dotnet",),
            f"Larder.Client.{VERSION}.nupkg",
            "dotnet tool install --global --source DIST larder",
        ),
    ],
)
def test_pack_needs_only_programs_of_the_selected_language(
    tree: Path, language: str, programs: tuple[str, ...], package: str, command: str
) -> None:
    ran = _pack(tree, language, programs=programs)
    assert ran.returncode == 0, ran.stderr
    settings = {"nuget.config"} if language == "dotnet" else set[str]()
    assert {path.name for path in (tree / "dist").iterdir()} == {package, "SHA256SUMS", *settings}
    assert ran.stdout.split()[1::2] == [package]
    lines = ran.stderr.splitlines()
    # Each step is reported when it starts and when it ends. The output ends with the commands to run next.
    assert any(line.endswith("…") for line in lines) and any(": done after " in line for line in lines)
    last = lines[lines.index("pack: next steps (details: docs/guides/install.md):") + 1 :]
    assert any(command.replace("DIST", str(tree / "dist")) in line for line in last)
    assert len(last) == (2 if language == "dotnet" else 1)


@needs_compiler
def test_pack_without_argument_builds_all_packages(tree: Path) -> None:
    ran = _pack(tree, programs=tuple(PROGRAMS))
    assert ran.returncode == 0, ran.stderr
    assert len(list((tree / "dist").iterdir())) == 9
    assert len(ran.stderr.split("next steps")[1].splitlines()) == 8


@needs_compiler
@pytest.mark.parametrize("machine", [MACHINE, OTHER])
def test_native_pack_builds_archive_debian_package_and_image(tree: Path, machine: str) -> None:
    ran = _pack(tree, "native", "--arch", machine, programs=tuple(PROGRAMS))
    assert ran.returncode == 0, ran.stderr
    archive = f"larder-{VERSION}-linux-{machine}"
    packages = {f"{archive}.{kind}" for kind in ("tar.gz", "cdx.json", "oci.tar")}
    packages |= {f"larder_{VERSION}_{DEBIAN[machine]}.deb"}
    assert {path.name for path in (tree / "dist").iterdir()} == packages | {"SHA256SUMS"}
    assert set(ran.stdout.split()[1::2]) == packages
    next_commands = ran.stderr.split("next steps")[1]
    assert f"sudo apt-get install {tree}/dist/larder_{VERSION}_" in next_commands and "sudo tar -xzf " in next_commands
    assert f"docker load -i {tree}/dist/{archive}.oci.tar" in next_commands


@needs_compiler
@pytest.mark.parametrize("missing, said", [("umoci", "apt-get install umoci"), ("apt-get", "apt-get is missing")])
def test_native_pack_skips_only_the_image_without_its_tools(tree: Path, missing: str, said: str) -> None:
    ran = _pack(tree, "native", programs=tuple(name for name in PROGRAMS if name != missing))
    assert ran.returncode == 0, ran.stderr
    assert "pack: the container image is skipped" in ran.stderr and said in ran.stderr
    assert len(list((tree / "dist").iterdir())) == 4
    assert "docker load" not in ran.stderr


@needs_compiler
def test_native_pack_skips_only_the_image_without_debian_packages(tree: Path) -> None:
    _program(tree / "bin/apt-get", "echo 'E: no such package' >&2; exit 100")
    ran = _pack(tree, "native", programs=("dotnet", "python3", "umoci"))
    assert ran.returncode == 0, ran.stderr
    assert "E: no such package\n" in ran.stderr and "run: apt-get update" in ran.stderr


def test_native_pack_for_another_architecture_needs_its_compiler(tree: Path) -> None:
    ran = _pack(tree, "native", "--arch", OTHER, programs=("dotnet", "python3"))
    assert ran.returncode == 1
    assert f"it is required to link the program for {OTHER}; on Debian: apt-get install gcc-" in ran.stderr


def test_native_pack_rejects_unknown_architecture(tree: Path) -> None:
    ran = _pack(tree, "native", "--arch", "mips", programs=())
    assert (ran.returncode, ran.stderr) == (1, "pack: unknown architecture 'mips'; use --arch x64 or --arch arm64\n")


def test_pack_keeps_packages_of_other_languages(tree: Path) -> None:
    _pack(tree, "node", programs=tuple(PROGRAMS))
    ran = _pack(tree, "python", programs=tuple(PROGRAMS))
    assert len(list((tree / "dist").iterdir())) == 3
    assert len(ran.stdout.splitlines()) == 2


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("node", "Node 20.19 or newer with npm is missing; install it from https://nodejs.org"),
        ("python", "Python 3.11 or newer is missing; install it from https://www.python.org"),
    ],
)
def test_pack_reports_missing_program(tree: Path, language: str, said: str) -> None:
    ran = _pack(tree, language, programs=())
    assert (ran.returncode, ran.stderr) == (1, f"pack: {said}\n")


def test_pack_shows_output_of_failed_step(tree: Path) -> None:
    _program(tree / "bin/npm", "echo the registry is away >&2; exit 1")
    _program(tree / "bin/node", "true")
    ran = _pack(tree, "node", programs=())
    assert ran.returncode == 1
    assert "the registry is away" in ran.stderr and ran.stderr.splitlines()[-1].startswith("pack: failed: ")


def test_pack_rejects_unknown_argument() -> None:
    ran = subprocess.run([ROOT / "tools/pack", "rust"], capture_output=True, text=True, check=False)
    assert ran.returncode == 2 and "unknown argument 'rust'" in ran.stderr
