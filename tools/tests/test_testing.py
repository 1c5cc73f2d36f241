"""tools/test ends with the failed tests and their messages. Suites with fleets or measurements run by themselves."""

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
ALONE = ("Larder.Tuner.Tests", "Larder.Lab.Tests", "tools/fleet.d", "fleet")
PASSED = {
    "dotnet": "Passed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3, Duration: 1 s - x.dll (net10.0)",
    "python": "3 passed in 0.02s",
    "node": "# pass 3\n# fail 0\n# skipped 0",
    "conformance": "3 passed, 0 failed",
}
DOTNET = """\
[xUnit.net 00:00:00.31]     A.Some.Fails_equal [FAIL]
[xUnit.net 00:00:00.41]     A.Some.Fails_theory(n: 1) [FAIL]
[xUnit.net 00:00:00.51]     A.Some.Never_told [FAIL]
  Failed A.Some.Fails_equal [1 ms]
  Error Message:
   Assert.Equal() Failure: Strings differ
Expected: "a b c"
Actual:   "a b d"
  Stack Trace:
     at A.Some.Fails_equal() in /tree/some.cs:line 4
   at System.Reflection.MethodBaseInvoker.InvokeWithNoArgs(Object obj, BindingFlags invokeAttr)
  Failed A.Some.Fails_theory(n: 1) [102 ms]
  Error Message:
   System.InvalidOperationException : multi
line 1
  Stack Trace:
     at A.Some.Fails_theory(Int32 n) in /tree/some.cs:line 6
--- End of stack trace from previous location ---

Failed!  - Failed:     3, Passed:     1, Skipped:     0, Total:     4, Duration: 262 ms - x.dll (net10.0)
"""
DOTNET_SAID = """\
  Larder.Wire.Tests: A.Some.Fails_equal
           Assert.Equal() Failure: Strings differ
        Expected: "a b c"
        Actual:   "a b d"
             at A.Some.Fails_equal() in /tree/some.cs:line 4
  Larder.Wire.Tests: A.Some.Fails_theory(n: 1)
           System.InvalidOperationException : multi
        line 1
             at A.Some.Fails_theory(Int32 n) in /tree/some.cs:line 6
  Larder.Wire.Tests: A.Some.Never_told
5 passed, 3 failed, 0 skipped
"""
ABORTED = """\
The active test run was aborted. Reason: Test host process crashed
The test running when the crash occurred:
A.Some.Hangs

Passed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3, Duration: 1 s - x.dll (net10.0)
"""
PYTEST = """\
FEF                                                                      [100%]
==================================== ERRORS ====================================
___________________________ ERROR at setup of test_b ___________________________

    def bad(): raise RuntimeError("no")
E   RuntimeError: no

a/test_a.py:5: RuntimeError
=================================== FAILURES ===================================
_________________________________ Of.test_c[x y] _______________________________

>       raise ValueError("multi")
E       ValueError: multi
E       line

a/test_a.py:9: ValueError
=========================== short test summary info ============================
FAILED a/test_a.py::Of::test_c[x y] - ValueError: multi
ERROR a/test_a.py::test_b - RuntimeError: no
1 failed, 2 passed, 1 error in 0.02s
"""
PYTEST_SAID = """\
  Python client: FAILED a/test_a.py::Of::test_c[x y] - ValueError: multi
        E       ValueError: multi
        E       line
        a/test_a.py:9: ValueError
  Python client: ERROR a/test_a.py::test_b - RuntimeError: no
        E   RuntimeError: no
        a/test_a.py:5: RuntimeError
2 passed, 2 failed, 0 skipped
"""
TAP = """\
# Subtest: group
    not ok 1 - adds
      ---
      duration_ms: 6.0
      location: '/tree/a.spec.js:2:27'
      failureType: 'testCodeFailure'
      error: |-
        Expected values to be strictly equal:

        1 !== 2

      code: 'ERR_ASSERTION'
      stack: |-
        TestContext.<anonymous> (file:///tree/a.spec.js:2:55)
      ...
not ok 1 - group
  ---
  type: 'suite'
  location: '/tree/a.spec.js:2:1'
  failureType: 'subtestsFailed'
  error: '1 subtest failed'
  ...
not ok 2 - throws
  ---
  location: '/tree/a.spec.js:3:1'
  error: 'boom'
  ...
# pass 1
# fail 2
# skipped 0
"""
TAP_SAID = """\
  clients/node: not ok 1 - adds
              location: '/tree/a.spec.js:2:27'
              error: |-
                Expected values to be strictly equal:
                1 !== 2
  clients/node: not ok 2 - throws
          location: '/tree/a.spec.js:3:1'
          error: 'boom'
1 passed, 2 failed, 0 skipped
"""
SPEC = """\
▶ group
  ✖ adds (1.7ms)
    AssertionError
✖ group (7.0ms)
ℹ pass 1
ℹ fail 1

✖ failing tests:

test at a.spec.js:2:27
✖ adds (1.7ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

  1 !== 2

      at TestContext.<anonymous> (file:///tree/a.spec.js:2:55)
      at Test.run (node:internal/test_runner/test:796:25)
"""
SPEC_SAID = """\
  clients/node: ✖ adds (1.7ms)
        test at a.spec.js:2:27
          AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
          1 !== 2
              at TestContext.<anonymous> (file:///tree/a.spec.js:2:55)
1 passed, 1 failed, 0 skipped
"""
CONFORMANCE = "FAIL GET-2       python unary: a miss: not found\n2 passed, 1 failed\n"
CONFORMANCE_SAID = "  Conformance: FAIL GET-2       python unary: a miss: not found\n2 passed, 1 failed, 0 skipped\n"


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


def closing(out: str) -> str:
    """Return the output after the line that names the failed suites."""
    return out[out.index("\nfailed: ") + 1 :].split("\n", 1)[1]


@pytest.mark.parametrize(
    ("words", "suite", "prints", "said"),
    [
        ("python", "clients/python", PYTEST, PYTEST_SAID),
        ("node", "clients/node", TAP, TAP_SAID),
        ("node", "clients/node", SPEC, SPEC_SAID),
        ("conformance", "conformance", CONFORMANCE, CONFORMANCE_SAID),
    ],
    ids=["pytest", "TAP", "spec", "conformance"],
)
def test_summary_repeats_failed_tests_with_messages(
    checkout: Path, words: str, suite: str, prints: str, said: str
) -> None:
    (checkout / "says" / suite.replace("/", "_")).write_text(prints)
    code, out = run(checkout, words)
    assert (code, closing(out)) == (1, said)


def test_summary_shows_dotnet_messages_and_own_stack_frames(checkout: Path) -> None:
    (checkout / "says/Larder.Wire.Tests").write_text(DOTNET)
    code, out = run(checkout, "dotnet")
    assert (code, closing(out)) == (
        1,
        DOTNET_SAID.replace("5 passed", f"{1 + 3 * (len(PROJECTS) - 1)} passed"),
    )


def test_summary_names_test_that_was_running_when_process_ended(checkout: Path) -> None:
    (checkout / "says/Larder.Wire.Tests").write_text(ABORTED)
    _, out = run(checkout, "dotnet")
    assert closing(out).splitlines()[0] == "  Larder.Wire.Tests: A.Some.Hangs [running when the test process ended]"


def test_suite_that_exceeds_limit_is_stopped_and_reported(checkout: Path) -> None:
    (checkout / "says/clients_python").write_text(PYTEST)
    (checkout / "says/clients_python.hangs").touch()
    code, out = run(checkout, "python", LARDER_SUITE_LIMIT="2s")
    assert (code, closing(out)) == (
        1,
        "  Python client: had not ended after 2s\n" + PYTEST_SAID,
    )


def test_suite_that_fails_without_test_name_shows_last_lines(checkout: Path) -> None:
    (checkout / "says/clients_node").write_text("starting\nno such port\n")
    _, out = run(checkout, "node")
    assert closing(out).splitlines() == [
        "  clients/node: exited with code 1 without naming a failed test",
        "        starting",
        "        no such port",
        "0 passed, 1 failed, 0 skipped",
    ]


def test_summary_lists_every_failed_test_and_shortens_messages(checkout: Path) -> None:
    blocks = [f"  Failed A.Some.Test{n} [1 ms]\n" + "".join(f"word {w}\n" for w in range(40)) for n in range(60)]
    last = "Failed!  - Failed:    60, Passed:     0, Skipped:     0, Total:    60, Duration: 1 s - x.dll (net10.0)\n"
    (checkout / "says/Larder.Wire.Tests").write_text("".join(blocks) + last)
    _, out = run(checkout, "dotnet")
    lines = closing(out).splitlines()
    assert sum(": A.Some.Test" in line for line in lines) == 60
    assert [len(lines) <= 270, lines[1:15], lines[15]] == [
        True,
        [f"        word {w}" for w in range(14)],
        "  Larder.Wire.Tests: A.Some.Test1",
    ]
    assert lines[-2].endswith("lines of messages omitted: see above)")
    assert lines[-1].endswith(" 60 failed, 0 skipped")


def test_fleet_and_measurement_suites_run_alone(checkout: Path) -> None:
    code, _ = run(checkout)
    journal = (checkout / "journal").read_text().splitlines()
    assert code == 0
    for name in ALONE:
        first = journal.index(name)
        assert journal[first : first + 2] == [name, name], name
    assert {Path(project).name for project in PROJECTS} <= set(journal)


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
