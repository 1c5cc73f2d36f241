"""The launcher runs every program in the caller's folder."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECTS = (
    "server/src/Larder.Server",
    "lab/src/Larder.Lab.Sampler",
    "server/bench/Larder.Store.Bench",
    "clients/dotnet/cli/Larder.Cli",
    "clients/dotnet/agent",
    "clients/dotnet/bench/Larder.Hostile",
    "clients/dotnet/bench/Larder.DeadServer",
    "tuner/src/Larder.Tuner",
    "lab/src/Larder.Lab",
    "filestore/cli/Larder.FileStore.Cli",
)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Create a tree with the launcher, empty projects, and fake programs that report their folder and arguments."""
    tree = tmp_path / "tree"
    for project in PROJECTS:
        (tree / project / "obj").mkdir(parents=True)
        (tree / project / f"{Path(project).name}.csproj").write_text("<Project/>")
    shutil.copy(ROOT / "larder", tree / "larder")
    says = '#!/bin/sh\n[ "$1" = build ] || [ "$1" = publish ] || echo "$PWD $*"\n'
    for name in ("tools/setup", "tools/python", "bin/dotnet"):
        path = tree / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("#!/bin/sh\n" if name == "tools/setup" else says)
        path.chmod(0o755)
    return tree


@pytest.mark.parametrize(
    "words",
    [
        "serve --tls-cert cert.pem",
        "get k --ca ca.pem",
        "import items.jsonl",
        "stats",
        "file show cache.jsonl",
        "bench --workload mine.json --output file.md",
        "tune --workload mine.json --output run",
        "lab store speed",
        "lab hostile --client dotnet",
        "lab hostile --client python",
        "lab dead-server --client python",
        "lab stampede --client python",
        "lab attackers --minutes 1",
        "lab http2-attackers --minutes 1",
        "lab sampler",
        "lab shell",
        "fleet --masters 3",
    ],
)
def test_relative_path_refers_to_caller_folder(checkout: Path, tmp_path: Path, words: str) -> None:
    folder = tmp_path / "elsewhere with a blank"
    folder.mkdir()
    environment = os.environ | {"PATH": f"{checkout / 'bin'}:{os.environ['PATH']}"}
    ran = subprocess.run(
        [checkout / "larder", *words.split()],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    lines = ran.stdout.splitlines()
    assert [line.startswith(f"{folder} ") for line in lines] == [True]
    assert all(word in lines[0] for word in words.split() if "." in word)


def test_symbolic_link_to_launcher_finds_checkout(checkout: Path, tmp_path: Path) -> None:
    link = tmp_path / "larder"
    link.symlink_to(checkout / "larder")
    environment = os.environ | {"PATH": f"{checkout / 'bin'}:{os.environ['PATH']}"}
    words = [link, "file", "show", "c.jsonl"]
    ran = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert ran.stdout.startswith(f"{tmp_path} {checkout}/filestore/")


def test_unknown_command_is_rejected(checkout: Path) -> None:
    ran = subprocess.run([checkout / "larder", "gett"], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "unknown command 'gett'" in ran.stderr


@pytest.mark.parametrize("words", [["--help"], ["help"], []])
def test_help_fits_on_one_screen(words: list[str]) -> None:
    lines = subprocess.run([ROOT / "larder", *words], capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(lines) <= 24 and max(map(len, lines)) <= 120


def test_help_lists_every_command() -> None:
    launcher = (ROOT / "larder").read_text()
    cases = launcher[launcher.index("case $command in") :]
    commands = {
        name for line in re.findall(r"^  ([a-z][a-z |-]*)\)", cases, re.M) for name in re.findall(r"[a-z]+", line)
    }
    shown = subprocess.run([ROOT / "larder", "help"], capture_output=True, text=True, check=True).stdout
    missing = {name for name in commands if re.search(rf"\b{name}\b", shown) is None} - {"version", "h"}
    assert len(commands) > 25 and missing == set()


def test_packaged_help_lists_every_command_on_one_screen() -> None:
    tool = ROOT / "packaging/src/Larder.Tool/bin/Release/net10.0/larder.dll"
    lines = subprocess.run(["dotnet", tool, "help"], capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(lines) <= 24 and max(map(len, lines)) <= 120
    launched = subprocess.run([ROOT / "larder", "help"], capture_output=True, text=True, check=True).stdout
    own = "Use a cache"
    # The packaged tool runs the commands of this group of the launcher's help in its own process.
    group = launched[launched.index(own) : launched.index("Tune and measure")]
    words = {
        word for line in group.splitlines()[1:] for word in re.findall(r"(?<= )[a-z]+(?=  |$)", line.split("   ")[0])
    }
    words |= {"serve", "doctor", "token", "quickstart", "file", "tune", "bench", "help"}
    assert {word for word in words if not re.search(rf"^  .*\b{word}\b", "\n".join(lines), re.M)} == set()
    assert "get" in words and "zset" in words


PROGRAMS = {
    "larder": "clients/dotnet/cli/Larder.Cli/bin/Release/net10.0/Larder.Cli.dll",
    "larder file": "filestore/cli/Larder.FileStore.Cli/bin/Release/net10.0/Larder.FileStore.Cli.dll",
    "larder serve": "server/src/Larder.Server/bin/Release/net10.0/larder-server.dll",
    "larder token": "server/src/Larder.Server/bin/Release/net10.0/larder-server.dll token",
    "larder lab": "lab/src/Larder.Lab/bin/Release/net10.0/Larder.Lab.dll lab",
    "larder tune, bench": "tuner/src/Larder.Tuner/bin/Release/net10.0/Larder.Tuner.dll",
}
# Matches a TimeSpan in .NET's format, or a large number of bytes.
UNREADABLE = re.compile(r"\b(\d+\.)?\d\d:\d\d:\d\d\b|\b\d{8,}\b")


def _helps(words: list[str]) -> Iterator[tuple[str, str]]:
    shown = subprocess.run(
        ["dotnet", *words, "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    yield " ".join(words[1:]), shown
    if "\nCommands:\n" in shown:
        listed = shown.split("\nCommands:\n")[1].split("\n\n")[0]
        for name in re.findall(r"^  ([a-z][a-z-]*)", listed, re.M):
            yield from _helps([*words, name])


@pytest.mark.parametrize("name", PROGRAMS)
def test_help_shows_readable_defaults(name: str) -> None:
    helps = dict(_helps(PROGRAMS[name].split()))
    defaults = {
        (command, default)
        for command, shown in helps.items()
        for default in re.findall(r"\[default: ([^\]]*)\]|\(default:? ([^)]*)\)", shown)
    }
    assert {each for each in defaults if UNREADABLE.search("".join(each[1]))} == set()
    assert all("Description:" in shown and "Usage:" in shown for shown in helps.values())


@pytest.mark.parametrize(
    "program",
    [
        "filestore/cli/Larder.FileStore.Cli/bin/Release/net10.0/Larder.FileStore.Cli.dll --help",
        "server/src/Larder.Server/bin/Release/net10.0/larder-server.dll --help",
        "server/src/Larder.Server/bin/Release/net10.0/larder-server.dll token new --id x --grant read:*",
        "tuner/src/Larder.Tuner/bin/Release/net10.0/Larder.Tuner.dll bench --help",
    ],
)
def test_write_to_full_device_fails_without_stack_trace(program: str) -> None:
    with open("/dev/full", "w") as full:
        ran = subprocess.run(
            ["dotnet", *program.split()],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert ran.returncode in (1, 2) and "No space left on device" in ran.stderr
    assert "   at " not in ran.stderr
