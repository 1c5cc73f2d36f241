"""tools/test --repeat repeats a few failed tests alone, and reports those that then pass as unstable."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakerunners import ABORTED, PROJECTS, checkout, run

__all__ = ["checkout"]

# What dotnet test prints with its console logger.
REPEATED = """\
  Failed A.Some.Fails_once [1 ms]
  Error Message:
   too slow

Test Run Failed.
Total tests: 3
     Passed: 2
     Failed: 1
 Total time: 1.5 Seconds
"""
PYTEST_REPEATED = """\
.F.                                                                      [100%]
=================================== FAILURES ===================================
__________________________________ test_c[x] ___________________________________
E       ValueError: too slow

a/test_a.py:9: ValueError
=========================== short test summary info ============================
FAILED a/test_a.py::test_c[x] - ValueError: too slow
1 failed, 2 passed in 0.02s
"""
DOTNET_FOUND = "FullyQualifiedName=A.Some.Fails_once "
PYTEST_FOUND = "pytest -q a/test_a.py::test_c[x]"
CASES = {
    "dotnet": ("dotnet", "Larder.Wire.Tests", REPEATED, DOTNET_FOUND, "A.Some.Fails_once", 3 * len(PROJECTS)),
    "pytest": (
        "python",
        "clients/python",
        PYTEST_REPEATED,
        PYTEST_FOUND,
        "FAILED a/test_a.py::test_c[x] - ValueError: too slow",
        3,
    ),
}


def repeating(tree: Path, suite: str, prints: str, passes: str) -> None:
    """Make the suite print `prints`. Repeated tests pass if the arguments of their run contain `passes`."""
    (tree / "says" / suite.replace("/", "_")).write_text(prints)
    early = (
        f'case "$*" in *--filter*|*::*) echo "$*" >>{tree}/repeated; '
        f'case "$*" in *"{passes}"*) exit 0 ;; *) exit 1 ;; esac ;; esac'
    )
    for runner in (tree / "bin/dotnet", tree / "tools/python"):
        runner.write_text(runner.read_text().replace("#!/bin/sh\n", f"#!/bin/sh\n{early}\n"))


@pytest.mark.parametrize("case", CASES)
def test_repeat_reports_test_that_passes_alone_as_unstable(case: str, checkout: Path) -> None:
    words, suite, prints, passes, name, count = CASES[case]
    repeating(checkout, suite, prints, passes)
    code, out = run(checkout, "--repeat", words)
    lines = out.splitlines()
    assert code == 0
    assert any(line.endswith("too slow") for line in lines)
    assert lines[-3] == "unstable (failed once, passed when repeated alone; find the cause):"
    assert lines[-2].endswith(f": {name}")
    assert lines[-1] == f"{count} passed, 0 failed, 0 skipped"


@pytest.mark.parametrize("case", CASES)
def test_repeat_keeps_failure_of_test_that_fails_again(case: str, checkout: Path) -> None:
    words, suite, prints, _, _, count = CASES[case]
    repeating(checkout, suite, prints, "another test")
    code, out = run(checkout, "--repeat", words)
    assert (code, out.splitlines()[-1]) == (1, f"{count - 1} passed, 1 failed, 0 skipped")
    assert (checkout / "repeated").exists()


@pytest.mark.parametrize(
    ("words", "prints"),
    [
        (["--repeat", "dotnet"], REPEATED.replace("Failed: 1", "Failed: 4")),
        (["dotnet"], REPEATED),
        (["--repeat", "dotnet"], ABORTED),
        (["--repeat", "dotnet"], REPEATED.replace("Test Run Failed", "Test Run Aborted")),
    ],
    ids=["four failures", "without the option", "aborted process", "aborted run"],
)
def test_nothing_is_repeated(checkout: Path, words: list[str], prints: str) -> None:
    repeating(checkout, "Larder.Wire.Tests", prints, "Fails_once")
    code, _ = run(checkout, *words)
    assert code == 1
    assert not (checkout / "repeated").exists()
