"""Checks the C# style that the compiler does not check. The style analyzers would take a third of the build time."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAX_COLUMNS = 160
USING = re.compile(r"^(?:global )?using ((?!static )[\w.]+);$", re.M)
BLOCK_NAMESPACE = re.compile(r"^namespace [\w.]+$", re.M)
# Matches two kinds of declarations without an access modifier: a type or member that begins with another modifier, and
# a field that has no modifiers.
NO_ACCESS = re.compile(
    r"^(?:sealed|static|abstract|readonly|record|class|struct|interface|enum|delegate|ref struct) .*\w"
    r"|^    (?!static \w+\(\))(?:static|readonly|const|async|abstract|virtual|override|sealed|extern|volatile|event"
    r"|required|class|record|struct) .*\w"
    r"|^    (?!return |await |throw |var |using |goto )[\w.]+(?:<[\w<>\[\], .?()]*>)?\??(?:\[\])* _\w+(?: =.*)?;$"
)
VAR = re.compile(r"(?:^\s*(?:await )?(?:using )?|foreach \(|for \(|\bout )var \w+(?: = (?P<value>.*)| in |[,)])")
NAMES_ITS_TYPE = re.compile(
    r"(?:await )?(?:new \w|\([\w.<>\[\], ]+\*?\)[\w(]|default\(|[A-Z]\w*(?:<.*>)?\.)"
    r"|.*\.To(?:List|Array|HashSet|Dictionary)\b"
)


def _files() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "*.cs"], cwd=ROOT, capture_output=True, text=True, check=True)
    files = [ROOT / name for name in listed.stdout.split() if (ROOT / name).is_file()]
    assert len(files) > 500
    return files


def _faults(code: str) -> list[str]:
    faults: list[str] = []
    names = USING.findall(code)
    if names != sorted(names, key=lambda name: (name.split(".")[0] != "System", name.lower().split("."))):
        faults.append("usings are not sorted: System first")
    if BLOCK_NAMESPACE.search(code):
        faults.append("namespace has a block")
    has_namespace = re.search(r"^namespace ", code, re.M) is not None
    is_raw = False
    for number, line in enumerate(code.splitlines(), 1):
        if len(line) > MAX_COLUMNS:
            faults.append(f"{number}: more than {MAX_COLUMNS} columns")
        if has_namespace and not is_raw and NO_ACCESS.match(line) and "interface I" not in code:
            faults.append(f"{number}: no access modifier")
        found = None if is_raw else VAR.search(line)
        value = found["value"] if found else None
        if found and not (value and (NAMES_ITS_TYPE.match(value) or not value.endswith(";"))):
            faults.append(f"{number}: var, though the line does not name the type")
        is_raw ^= line.count('"""') % 2 == 1
    return faults


def test_every_file_follows_the_style() -> None:
    faults = {str(path.relative_to(ROOT)): _faults(path.read_text(encoding="utf-8-sig")) for path in _files()}
    assert {name: found for name, found in faults.items() if found} == {}


@pytest.mark.parametrize(
    "code",
    [
        "using System;\nusing Larder.A;\nusing Larder.A.B;\n",
        "x" * MAX_COLUMNS,
        "        var list = new List<int>();\n",
        "        var time = TimeSpan.FromSeconds(1);\n",
        "        var chosen = all.Where(static each => each.IsUp).ToList();\n",
        "namespace A;\n\ninternal sealed class B\n{\n    private static readonly int s_c = 1;\n}\n",
    ],
)
def test_style_check_accepts_valid_code(code: str) -> None:
    assert _faults(code) == []


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        ("using Larder.A;\nusing System;\n", "usings"),
        ("using Larder.B;\nusing Larder.A;\n", "usings"),
        ("x" * (MAX_COLUMNS + 1), "columns"),
        ("namespace A\n{\n}\n", "namespace"),
        ("namespace A;\n\nsealed class B;\n", "access"),
        ("namespace A;\n\ninternal class B\n{\n    static int C() => 1;\n}\n", "access"),
        ("namespace A;\n\ninternal class B\n{\n    int _c;\n}\n", "access"),
        ("        var count = items.Count;\n", "var"),
        ("        foreach (var item in items)\n", "var"),
        ("        if (map.TryGetValue(1, out var found))\n", "var"),
    ],
)
def test_style_fault_is_reported(code: str, fault: str) -> None:
    found = _faults(code)
    assert len(found) == 1 and fault in found[0]
