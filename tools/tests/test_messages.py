"""tools/messages finds the messages of each language with their kind, and tools/sample prints a sample of them."""

from __future__ import annotations

import runpy
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).parents[2]
CSHARP = """\
[LoggerMessage(1, LogLevel.Warning, "Cannot connect to {Endpoint}.")]
// "a comment" is not a message
throw new ArgumentException($"The key '{key}' is {Of("an \\"inner\\" text")} "
    + "bytes long.");
new Option<int>("--count") { Description = "Number of calls." };
new Thread(Run) { IsBackground = true, Name = "a worker of calls" };
"""
TYPESCRIPT = """\
/* 'not this' */
throw new RangeError(`the port of ${names["first one"]} is ` + 'out of range');
this.#say("warn", { event: "lost" }, "the connection was lost");
"""
PYTHON = '''\
"""A docstring is not a message."""
raise ValueError(f"the value of {name!r} is " "missing")
log.warning("cannot connect to %s", name)
parser.add_argument("count", help="number of calls")
'''
SHELL = """\
echo "built all programs"
[ -f "$file" ] || die "$file is missing: run make"
"""


@pytest.fixture(scope="module")
def tool() -> SimpleNamespace:
    return SimpleNamespace(**runpy.run_path(str(ROOT / "tools" / "messages")))


def test_csharp_messages_are_classified_and_their_parts_are_joined(tool: SimpleNamespace) -> None:
    found = [each for each in tool._of_code(CSHARP, '"') if each[1] != "text"]
    assert found == [
        (1, "log", "Cannot connect to {Endpoint}."),
        (3, "error", 'The key \'{key}\' is {Of("an \\"inner\\" text")} bytes long.'),
        (5, "help", "--count"),
        (5, "help", "Number of calls."),
    ]


def test_typescript_messages_are_classified_and_their_parts_are_joined(tool: SimpleNamespace) -> None:
    found = [each for each in tool._of_code(TYPESCRIPT, "\"'`") if " " in each[2]]
    assert found == [
        (2, "error", 'the port of ${names["first one"]} is out of range'),
        (3, "log", "the connection was lost"),
    ]


def test_python_messages_are_classified_and_docstrings_are_excluded(tool: SimpleNamespace) -> None:
    found = [each for each in tool._of_python(PYTHON) if " " in each[2]]
    assert found == [
        (2, "error", "the value of {name} is missing"),
        (3, "log", "cannot connect to %s"),
        (4, "help", "number of calls"),
    ]


def test_shell_messages_are_classified_as_output_or_error(tool: SimpleNamespace) -> None:
    assert list(tool._of_shell(SHELL)) == [
        (1, "output", "built all programs"),
        (2, "error", "$file is missing: run make"),
    ]


def test_message_list_covers_every_component_except_tests(tool: SimpleNamespace) -> None:
    found = list(tool.messages())
    components = {tool.component(name) for name, *_ in found}
    assert {"clients/dotnet", "clients/node", "clients/python", "filestore", "server", "tuner", "wire"} <= components
    assert len(found) > 2_000
    assert [name for name, *_ in found if "/tests/" in name] == []


def test_sample_prints_the_requested_number_of_messages() -> None:
    command = [ROOT / "tools" / "sample", "messages", "3", "--seed", "a"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.startswith("3 of ")
    assert done.stdout.count("\n\n") == 3
