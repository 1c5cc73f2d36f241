"""Generate every file derived from the table; with --check, report stale files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import access
import documents
import dotnet
import dotnet_agent
import dotnet_calls
import dotnet_operations
import node
import node_agent
import node_calls
import node_operations
import node_options
import page
import python_agent
import python_calls
import python_collections
import python_messages
import python_operations
import python_own_messages
import server
import table

import python

ROOT = Path(__file__).resolve().parent.parent.parent
# The writers of files from the whole table, followed by those from the part of it that a client supports.
WRITERS = {
    "": (server, access, documents),
    "dotnet": (dotnet_operations, dotnet_calls, dotnet_agent),
    "python": (
        python_operations,
        python_calls,
        python_collections,
        python_agent,
        python_messages,
        python_own_messages,
    ),
    "node": (node_operations, node_calls, node_options, node_agent),
}
CLIENTS = {"dotnet": dotnet, "python": python, "node": node}


def outputs() -> dict[str, str]:
    """Return the text of each generated file by its path in the checkout."""
    written = table.read(ROOT)
    texts: dict[str, str] = {}
    for language, writers in WRITERS.items():
        seen = written.of_clients(CLIENTS[language].LACKS) if language else written
        for writer in writers:
            texts |= writer.outputs(seen, ROOT)
    return {path: page.narrowed(text) if path.endswith(".cs") else text for path, text in texts.items()}


def forgotten(paths: set[str]) -> list[str]:
    """Return files that are marked as generated here but no longer are."""
    command = ["git", "grep", "-lIF", "--untracked", page.WRITTEN, "--", ".", ":!tools/operations.d"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
    return sorted(set(found.splitlines()) - paths)


def stale() -> dict[str, str]:
    """Return the generated files that differ from their expected text."""
    return {path: text for path, text in outputs().items() if not _is(ROOT / path, text)}


def _is(path: Path, text: str) -> bool:
    return path.exists() and path.read_text() == text


def write() -> None:
    """Write until nothing is stale: Python's messages derive from the pipeline's oneofs, which are generated too."""
    while new := stale():
        for path, text in new.items():
            (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
            (ROOT / path).write_text(text)
            print(path)
    for path in forgotten(set(outputs())):
        (ROOT / path).unlink()
        print(f"{path} removed")


def main() -> int:
    try:
        if "--check" not in sys.argv:
            write()
            return 0
        wrong = [*stale(), *forgotten(set(outputs()))]
    except ValueError as refused:
        print(f"operations: {refused}", file=sys.stderr)
        return 1
    for path in wrong:
        print(f"operations: {path} is stale: run tools/operations", file=sys.stderr)
    return 1 if wrong else 0


sys.exit(main())
