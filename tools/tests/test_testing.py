"""tools/test ends with the failed tests and their messages. Suites with fleets or measurements run by themselves."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from fakerunners import ABORTED, PROJECTS, checkout, run

__all__ = ["checkout"]

ALONE = ("Larder.Tuner.Tests", "Larder.Lab.Tests", "tools/fleet.d", "fleet")
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


@pytest.mark.parametrize("words", [["python"], ["--long", "python"], ["python", "-k", "name"]])
def test_suites_handle_sigint_if_the_script_ignores_it(checkout: Path, words: list[str]) -> None:
    (checkout / "tools/python").write_text(
        "#!/bin/sh\ngrep SigIgn /proc/self/status >" + f"{checkout}/ignored\necho '1 passed in 1.0s'\n"
    )
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        code, _ = run(checkout, *words)
    finally:
        signal.signal(signal.SIGINT, before)
    ignored = int((checkout / "ignored").read_text().split()[1], 16)
    assert (code, ignored & 1 << (signal.SIGINT - 1)) == (0, 0)


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
