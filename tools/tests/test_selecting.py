"""Tests of tools/test with arguments for one language, of its progress display, and of tools/slowest."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from fakerunners import PASSED, checkout, run

__all__ = ["checkout"]

ROOT = Path(__file__).parents[2]
SERVER_BUILD = "dotnet build server/src/Larder.Server "
TRX = """<TestRun xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010"><Results>
<UnitTestResult testName="A.Slow" duration="00:01:02.5000000" />
<UnitTestResult testName="A.Quick" duration="00:00:00.0010000" />
</Results></TestRun>"""
JUNIT = '<testsuites><testsuite><testcase classname="t.test_a" name="test_b[1]" time="7.25"/></testsuite></testsuites>'
TAP = """\
# Subtest: group
    # Subtest: waits
    ok 1 - waits
      ---
      duration_ms: 3000.5
      ...
    1..1
ok 1 - group
  ---
  duration_ms: 3001
  type: 'suite'
  ...
"""
CONFORMANCE = "ok   GET-2       python-unary: a miss [41 ms]\nSKIPPED GET-3 x: y: why\n2 passed, 0 failed\n"


@pytest.fixture
def calls(checkout: Path) -> Path:
    """Fake runners, whose tests pass and which record their command lines in the returned file."""
    noted = checkout / "calls"
    noted.touch()
    for name, kind in (("tools/python", "python"), ("bin/dotnet", "dotnet"), ("bin/npm", "node"), ("bin/node", "node")):
        script = f'#!/bin/sh\necho "${{0##*/}} $*" >>{noted}\ncase " $* " in *" build "*) exit 0 ;; esac\n'
        if kind == "dotnet":
            script += f'case "$*" in *conformance/src*) exec cat {checkout}/says/_conformance ;; esac\n'
        (checkout / name).write_text(script + f"cat {checkout}/says/_{kind}\n")
        (checkout / name).chmod(0o755)
    (checkout / "server/tests/Larder.Redis.Tests/LeaseTests.cs").write_text("class LeaseTests { void Expires() {} }")
    for name, text in (("calls/ttl", "it('rejects a negative TTL')"), ("collections/sets", "it('adds (all)')")):
        spec = checkout / f"clients/node/test/{name}.spec.ts"
        spec.parent.mkdir(parents=True, exist_ok=True)
        spec.write_text(text)
    (checkout / "clients/node/agent/load").mkdir(parents=True)
    (checkout / "clients/node/agent/load/load.spec.ts").touch()
    return noted


def test_python_arguments_are_passed_to_pytest(checkout: Path, calls: Path) -> None:
    code, out = run(checkout, "python", "-k", "ttl or near")
    assert (code, out.splitlines()[-1]) == (0, "3 passed, 0 failed, 0 skipped")
    built, ran = calls.read_text().splitlines()
    assert built.startswith(SERVER_BUILD) and ran.startswith("python -m pytest") and ran.endswith(" -k ttl or near")


def test_dotnet_name_builds_and_filters_matching_projects(checkout: Path, calls: Path) -> None:
    assert run(checkout, "dotnet", "LeaseTests.Expires")[0] == 0
    project = "server/tests/Larder.Redis.Tests/Larder.Redis.Tests.csproj"
    built, ran = calls.read_text().splitlines()
    assert built.startswith(f"dotnet build {project} ") and ran.startswith(f"dotnet test {project} ")
    assert " --filter FullyQualifiedName~LeaseTests.Expires " in ran


def test_dotnet_project_name_runs_whole_project(checkout: Path, calls: Path) -> None:
    assert run(checkout, "dotnet", "Larder.Wire.Tests")[0] == 0
    assert "Larder.Wire.Tests.csproj" in calls.read_text() and "--filter" not in calls.read_text()


def test_dotnet_name_with_namespace_selects_only_its_project(checkout: Path, calls: Path) -> None:
    (checkout / "wire/tests/Larder.Wire.Tests/LeaseTests.cs").write_text("class LeaseTests;")
    assert run(checkout, "dotnet", "Larder.Redis.Tests.LeaseTests")[0] == 0
    built, ran = calls.read_text().splitlines()
    assert "Larder.Redis.Tests.csproj" in ran and " --filter FullyQualifiedName~Larder.Redis.Tests.LeaseTests " in ran


def test_unknown_dotnet_name_fails(checkout: Path, calls: Path) -> None:
    assert run(checkout, "dotnet", "NoSuchTests")[0] == 1
    assert calls.read_text() == ""


@pytest.mark.parametrize(
    ("name", "ends"),
    [
        ("ttl", " dist/test/calls/ttl.spec.js"),
        ("negative TTL", " --test-name-pattern negative TTL dist/test/calls/ttl.spec.js"),
        ("adds (all)", r" --test-name-pattern adds \(all\) dist/test/collections/sets.spec.js"),
        (
            "formed name",
            " formed name dist/agent/load/load.spec.js dist/test/calls/ttl.spec.js dist/test/collections/sets.spec.js",
        ),
    ],
    ids=["file", "test", "special", "unknown"],
)
def test_node_name_selects_files_or_tests(checkout: Path, calls: Path, name: str, ends: str) -> None:
    assert run(checkout, "node", name)[0] == 0
    built, node, ran = calls.read_text().splitlines()
    assert built.startswith(SERVER_BUILD) and node == "node build-if-stale.mjs"
    assert ran.startswith("node --test ") and ran.endswith(ends)


def test_conformance_arguments_are_passed_to_its_program(checkout: Path, calls: Path) -> None:
    assert run(checkout, "conformance", "--rule", "GET-2")[0] == 0
    assert calls.read_text().splitlines()[-1].endswith(" -- --rule GET-2")


def test_run_fails_when_a_selected_test_fails(checkout: Path, calls: Path) -> None:
    (checkout / "tools/python").write_text("#!/bin/sh\necho '1 failed, 2 passed in 0.1s'\nexit 1\n")
    code, out = run(checkout, "python", "-x")
    assert (code, out.splitlines()[-1]) == (1, "2 passed, 1 failed, 0 skipped")


def test_selection_without_tests_fails(checkout: Path, calls: Path) -> None:
    (checkout / "tools/python").write_text("#!/bin/sh\necho '9 deselected in 0.1s'\nexit 5\n")
    assert run(checkout, "python", "-k", "none")[0] == 1


@pytest.mark.parametrize("words", [("node", "a", "b"), ("dotnet", "a", "b"), ("tree", "python", "-x"), ("ruby",)])
def test_unknown_arguments_are_rejected(checkout: Path, calls: Path, words: tuple[str, ...]) -> None:
    assert run(checkout, *words)[0] == 2
    assert calls.read_text() == ""


@pytest.mark.parametrize(
    ("suite", "kind", "said", "tests"),
    [
        (
            "Larder.Wire.Tests",
            "dotnet",
            "  Passed A.B [1 ms]\n  Failed A.C [2 s]\n  Skipped A.D [1 ms]\n  Passed not it",
            3,
        ),
        ("clients/python", "python", "..s.F  [ 40%]\n...\nno dots", 8),
        ("clients/node", "node", "# Subtest: a\n    ok 1 - b\nok 1 - a\nnot ok 2 - c", 3),
        ("conformance", "conformance", CONFORMANCE, 2),
    ],
)
def test_progress_counts_finished_tests(checkout: Path, suite: str, kind: str, said: str, tests: int) -> None:
    (checkout / "says" / suite.replace("/", "_")).write_text(said + "\n")
    (checkout / "says" / (suite.replace("/", "_") + ".hangs")).touch()
    _, out = run(checkout, kind, LARDER_SUITE_LIMIT="3s", LARDER_PROGRESS_S="0.3")
    name = {"clients/python": "Python client", "conformance": "Conformance"}.get(suite, suite)
    assert f"{name}: {tests} tests, " in "".join(line for line in out.splitlines() if line.startswith(".. "))


def test_progress_estimates_test_count_from_last_passed_run(checkout: Path) -> None:
    assert "of about" not in run(checkout, "python")[1]
    (checkout / "tools/python").write_text(f"#!/bin/sh\nsleep 2\necho '{PASSED['python']}'\n")
    out = run(checkout, "python", LARDER_PROGRESS_S="0.3")[1]
    assert ".. Python client: 0 of about 3 tests, " in out


def test_passed_suite_hides_its_test_names(checkout: Path) -> None:
    (checkout / "says/_dotnet").write_text("  Passed A.B [1 ms]\nloud\n\nTest Run Successful.\n     Passed: 3\n")
    code, out = run(checkout, "dotnet")
    assert code == 0 and "loud" in out and "A.B" not in out
    assert out.splitlines()[-1] == "21 passed, 0 failed, 0 skipped"


def test_slowest_tool_lists_tests_of_all_suites_by_duration(tmp_path: Path) -> None:
    for name, text in (("01-A.Tests.trx", TRX), ("02-Python-client.xml", JUNIT), ("03-node.log", TAP)):
        (tmp_path / name).write_text(text)
    (tmp_path / "04-Conformance.log").write_text(CONFORMANCE)
    (tmp_path / "running").touch()
    ran = subprocess.run([ROOT / "tools/slowest", "4", tmp_path], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines() == [
        "   62.50 s  A.Tests: A.Slow",
        "    7.25 s  Python-client: t.test_a.test_b[1]",
        "    3.00 s  node: waits",
        "    0.04 s  Conformance: GET-2       python-unary: a miss",
        "the 4 slowest of 5 tests took 73 s of 73 s",
    ]


def test_slowest_tool_fails_without_results(tmp_path: Path) -> None:
    ran = subprocess.run([ROOT / "tools/slowest", "4", tmp_path], capture_output=True, text=True, check=False)
    assert ran.returncode == 1 and "run ./larder test first" in ran.stderr
