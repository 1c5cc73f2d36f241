"""Follows docs/add-an-operation.md in a copy of the tree. Fifteen files are edited, and all others are generated."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(
    r"^```\w+ (?P<path>\S+)(?: (?P<side>after|before) (?P<anchor>[^\n]+))?\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
# The page's operation gets the next free number of the pipeline.
PAGES_NUMBER = "pipeline = 53\n"
NUMBERS = re.findall(r"^pipeline = (\d+)$", (ROOT / "protocol" / "operations.toml").read_text(), re.MULTILINE)
NEXT = 1 + max(int(number) for number in NUMBERS)

_DOTNET = "clients/dotnet/src/Larder.Client"
_PYTHON_INTERNAL = "clients/python/larder_cache/_internal"

# The files in which the new operation must appear, and the text that must appear there.
SEEN = {
    "protocol/proto/pipeline.proto": "cache_client.ItemGetLengthResponse item_get_length = " + f"{NEXT};",
    "protocol/spec/retry.md": "ItemGetLength",
    "docs/calls.md": "`itemGetLength`",
    "server/src/Larder.Server/Generated/CacheCalls.cs": f'("ItemGetLength", "item-get-length", {NEXT}, ',
    "server/src/Larder.Server/Generated/RemoteCallTable.cs": '["ItemGetLength"] = new RemoteItemGetLength()',
    "server/src/Larder.Server/Generated/ItemGetLengthAnswer.cs": "ulong lengthBytes",
    f"{_DOTNET}/Operations/Generated/ItemGetLengthOperation.cs": "Operation(CacheBytes key)",
    f"{_DOTNET}/Client/Generated/Cache.Items.cs": "ValueTask<LookupResult<long>> ItemGetLengthAsync(",
    "clients/dotnet/agent/Operations/Generated/AgentCalls.cs": '"itemGetLength" => ItemGetLengthAnswer(',
    "clients/dotnet/agent/Operations/Generated/AgentCalls.Items.cs": '"found").With("lengthBytes", result.Value)',
    "clients/python/larder_cache/responses.py": "class ItemGetLengthFound:",
    "clients/python/larder_cache/cache_results.py": "async def item_get_length(self, key: Key) -> r.Item",
    f"{_PYTHON_INTERNAL}/client/_generated/plain_calls.py": "async def item_get_length(self, key: Key) -> int | None:",
    f"{_PYTHON_INTERNAL}/blocking/_generated/sync_cache.py": "def item_get_length(self, key: Key) -> int | None:",
    f"{_PYTHON_INTERNAL}/operations/_generated/messages/cache.py": "class ItemGetLengthResponse(Message):",
    "clients/python/protobuf_messages/cache_pb2.pyi": "class ItemGetLengthResponse(message.Message):",
    "clients/python/agent/calls.py": '"itemGetLength": lambda c, q',
    "clients/node/src/operations/_generated/table-operations.ts": "class ItemGetLengthOperation",
    "clients/node/src/calls/table-calls.ts": "async itemGetLength(key: Bytes",
    "clients/node/agent/larder/_generated/calls.ts": 'case "itemGetLength":',
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy of the tree with a separate Git history."""
    folder = tmp_path_factory.mktemp("tree")
    listed = _run(ROOT, "git", "ls-files", "-co", "--exclude-standard").splitlines()
    for name in listed:
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    _run(folder, "git", "init", "-q")
    _run(folder, "git", "add", "-A")
    _run(folder, "git", "-c", "user.name=test", "-c", "user.email=test@localhost", "commit", "-qm", "before")
    yield folder
    shutil.rmtree(folder)


def _run(folder: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=1_500)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stdout[-2_000:]}{done.stderr[-2_000:]}"
    return done.stdout


def _follow(folder: Path) -> set[str]:
    """Make the changes that the page describes; return the edited files."""
    touched: set[str] = set()
    for block in BLOCK.finditer((folder / "docs" / "add-an-operation.md").read_text()):
        path, text = folder / block["path"], block["text"].replace(PAGES_NUMBER, f"pipeline = {NEXT}\n")
        touched.add(block["path"])
        if not path.exists():
            path.write_text(text)
        elif block["anchor"] is None:
            path.write_text(path.read_text() + text)
        else:
            lines = path.read_text().splitlines(keepends=True)
            place = next(number for number, line in enumerate(lines) if block["anchor"] in line)
            place += block["side"] == "after"
            path.write_text("".join([*lines[:place], text, *lines[place:]]))
    return touched


def _changed(folder: Path) -> set[str]:
    return {line[3:] for line in _run(folder, "git", "status", "--porcelain", "-uall").splitlines()}


def test_new_operation_requires_edits_in_exactly_fifteen_files(copy: Path) -> None:
    by_hand = _follow(copy)
    assert _changed(copy) == by_hand and len(by_hand) == 15, sorted(by_hand)

    _run(copy, "tools/operations")
    written = _changed(copy) - by_hand
    assert set(SEEN) <= written, sorted(set(SEEN) - written)
    for path, name in SEEN.items():
        assert name in (copy / path).read_text(), f"{name} is not in {path}"
    for path in sorted(written):
        text = (copy / path).read_text()
        said = "ritten by tools/" in text or "operations: end" in text or "**RETRY-1**" in text
        assert said, f"{path} does not say that it is written"
    _run(copy, "tools/operations", "--check")

    if os.environ.get("LARDER_LONG"):
        _built_and_shown(copy)


def _built_and_shown(folder: Path) -> None:
    """Run the new operation's vectors in every client and over every transport, and the test of its store."""
    _run(folder, "tools/public-api", "Larder.Client")
    for project in ("server/src/Larder.Server", "clients/dotnet/agent", "conformance/src/Larder.Conformance"):
        _run(folder, "dotnet", "build", project, "-c", "Release", "-v", "quiet", "--nologo")
    if (ROOT / "clients/node/node_modules").is_dir():
        (folder / "clients/node/node_modules").symlink_to(ROOT / "clients/node/node_modules")
        _run(folder / "clients/node", "npm", "run", "build", "--silent")
    runner = ("dotnet", "run", "--project", "conformance/src/Larder.Conformance", "-c", "Release", "--no-build", "--")
    for store in ("memory", "redis-cluster"):
        assert "0 failed" in _run(folder, *runner, "--rule", "KEYS-8", "--store", store)
    tests = ("server/tests/Larder.Store.Tests", "-c", "Release", "--nologo", "-v", "quiet")
    _run(folder, "dotnet", "test", *tests, "--filter", "FullyQualifiedName~LengthTests")
