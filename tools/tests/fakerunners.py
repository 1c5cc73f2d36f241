"""A tree of empty suites with fake runners, for the tests of tools/test."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECTS = (
    "clients/dotnet/tests/Larder.Client.Tests",
    "conformance/tests/Larder.Conformance.Tests",
    "server/tests/Larder.Redis.Tests",
    "server/tests/Larder.Server.Tests",
    "tuner/tests/Larder.Tuner.Tests",
    "lab/tests/Larder.Lab.Tests",
    "wire/tests/Larder.Wire.Tests",
)
PASSED = {
    "dotnet": "Passed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3, Duration: 1 s - x.dll (net10.0)",
    "python": "3 passed in 0.02s",
    "node": "# pass 3\n# fail 0\n# skipped 0",
    "conformance": "3 passed, 0 failed",
}
ABORTED = """\
The active test run was aborted. Reason: Test host process crashed
The test running when the crash occurred:
A.Some.Hangs

Passed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3, Duration: 1 s - x.dll (net10.0)
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """tools/test in a tree of empty suites. The fake runners print the text in `says` and record start and end."""
    for folder in (
        *PROJECTS,
        "conformance/src/Larder.Conformance",
        "clients/python/tests",
        "clients/node",
        "bin",
        "says",
    ):
        (tmp_path / folder).mkdir(parents=True)
    for project in PROJECTS:
        (tmp_path / project / f"{Path(project).name}.csproj").write_text("<Project/>")
    (tmp_path / "clients/node/package.json").write_text('{"scripts": {"test": "node --test"}}')
    shutil.copytree(ROOT / "tools/test.d", tmp_path / "tools/test.d")
    shutil.copy(ROOT / "tools/test", tmp_path / "tools/test")
    runner = f"""#!/bin/sh
case "$*" in *setup*|build*|*" build "*) exit 0 ;; esac
for last; do :; done
case "${{0##*/}} $*" in
  "dotnet test "*) kind=dotnet name=${{2##*/}}; name=${{name%.csproj}} ;;
  dotnet*) kind=conformance name=conformance ;;
  python*) kind=python name=$last ;;
  npm*) kind=node name=$2 ;;
  *) kind=node name=fleet ;;
esac
echo "$name" >>{tmp_path}/journal
said={tmp_path}/says/$(echo "$name" | tr / _)
sleep 0.1
cat "$said" 2>/dev/null || cat {tmp_path}/says/_$kind
[ ! -e "$said.hangs" ] || exec sleep 60
echo "$name" >>{tmp_path}/journal
[ ! -e "$said" ]
"""
    for name in ("tools/setup", "tools/python", "bin/dotnet", "bin/npm", "larder"):
        (tmp_path / name).write_text(runner)
        (tmp_path / name).chmod(0o755)
    for kind, line in PASSED.items():
        (tmp_path / "says" / f"_{kind}").write_text(line + "\n")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    return tmp_path


def run(tree: Path, *words: str, **settings: str) -> tuple[int, str]:
    environment = os.environ | {"PATH": f"{tree / 'bin'}:{os.environ['PATH']}", "LARDER_LONG": ""} | settings
    ran = subprocess.run(
        [tree / "tools/test", *words],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.returncode, ran.stdout
