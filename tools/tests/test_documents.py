"""Every cited document is in the repository."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TRACKED = subprocess.run(
    ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
    cwd=ROOT,
    capture_output=True,
    text=True,
    check=True,
).stdout.split("\n")
TEXT = {
    ".cs",
    ".csproj",
    ".css",
    ".js",
    ".json",
    ".md",
    ".mjs",
    ".mts",
    ".props",
    ".proto",
    ".py",
    ".pyi",
    ".toml",
    ".ts",
    ".txt",
    "",
}

# Names that are not citations, because a command writes these files or a test of a package searches for them.
WRITTEN = {
    "a.md",
    "file.md",
    "larder_cache/CHANGELOG.md",
    "dist/CHANGELOG.md",
    "clients/node/dist/CHANGELOG.md",
    "clients/python/larder_cache/CHANGELOG.md",
    "package/README.md",
}
DOCUMENT = re.compile(r"(?<![\w*{$/.-])(?:\.{1,2}/)*\w[\w./-]*\.md\b")
DECISION = re.compile(r"\bADR-\d{4}\b")


def texts() -> Iterator[tuple[str, str]]:
    for name in TRACKED:
        path = ROOT / name
        if path.suffix in TEXT and path.is_file() and path != Path(__file__) and path.name != "package-lock.json":
            yield name, path.read_text(errors="replace")


def _is_there(cited: str, where: str) -> bool:
    """Return whether a cited path exists.

    The path is relative to the root or to the citing file, or it is the end of the path of any file.
    """
    beside = os.path.normpath(os.path.join(os.path.dirname(where), cited))
    return beside in TRACKED or cited in TRACKED or any(name.endswith(f"/{cited}") for name in TRACKED)


def _missing(where: str, text: str) -> list[str]:
    documents = [cited for cited in DOCUMENT.findall(text) if cited not in WRITTEN and not _is_there(cited, where)]
    decisions = [cited for cited in DECISION.findall(text) if not any(f"/{cited}-" in name for name in TRACKED)]
    return documents + decisions


def test_every_cited_document_exists() -> None:
    assert [f"{where} cites {cited}" for where, text in texts() for cited in _missing(where, text)] == []


@pytest.mark.parametrize("text", ["as nowhere.md says", "(spec/nowhere.md)", "`../nowhere/README.md`", "see ADR-9999"])
def test_citation_of_missing_document_is_reported(text: str) -> None:
    assert len(_missing("docs/faults.md", text)) == 1


@pytest.mark.parametrize(
    "text", ["docs/faults.md N5", "(spec/retry.md)", "[it](../CONTRIBUTING.md)", "`faults.md`", "ADR-0001"]
)
def test_citation_of_existing_document_is_accepted(text: str) -> None:
    assert _missing("docs/names.md", text) == []


LINK = re.compile(r"\]\(([^)#:\s]+)\)")
CALL = re.compile(r"`([a-z]+(?:[A-Z][A-Za-z]*)+)`")
# Names from other libraries.
THEIRS = {"loggerFactory"}


def _named(document: str, pattern: re.Pattern[str]) -> set[str]:
    return set(pattern.findall((ROOT / document).read_text()))


def test_feature_table_links_point_to_existing_files() -> None:
    links = _named("docs/features.md", LINK) | _named("docs/coming-from.md", LINK)
    assert len(links) > 30 and [link for link in links if not (ROOT / "docs" / link).is_file()] == []


def test_calls_in_migration_page_exist_in_client() -> None:
    source = "".join(path.read_text() for path in sorted((ROOT / "clients/node/src").rglob("*.ts")))
    calls = _named("docs/coming-from.md", CALL) - THEIRS
    assert len(calls) > 50 and [call for call in calls if re.search(rf"\b{call}\b", source) is None] == []
