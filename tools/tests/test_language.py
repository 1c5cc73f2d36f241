"""Finds phrases that the project no longer uses in comments and documentation.

Passing this test does not prove good English.
"""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# The phrases, each with the text to write instead.
PHRASES = {
    r"\banew\b": "again, recreate, refresh",
    r"\bwhoever\b": "the caller, the reader, any client",
    r"\bonce more\b": "again, retry",
    r"\bfor ever\b": "forever",
    r"\bat one time\b": "concurrently, at once",
    r"\b(?:is|are) told\b": "receives, is notified, learns",
    r"\bwhere there (?:is|are) none\b": "if there is none",
    r"\bthat is none\b": "invalid",
    r"\bgoes on\b": "continues",
    r"\bas yet\b": "yet",
    r"\b(?:has|hold) it that\b": "says that",
    r"\bwho (?:calls|reads|asks|waits)\b": "the caller, the reader",
}
OLD = re.compile("|".join(PHRASES), re.I)
PAGES = [
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "ARCHITECTURE.md")),
    *(ROOT / name for name in ("conformance/AGENT.md", "protocol/vectors/README.md")),
    *(ROOT / name for name in ("tuner/results/README.md", "lab/results/README.md")),
    *sorted((ROOT / "clients").glob("*/README.md")),
    *sorted((ROOT / "protocol" / "spec").glob("*.md")),
    *sorted(
        page
        for page in (ROOT / "docs").rglob("*.md")
        if page.parent.name != "story" and "node_modules" not in page.parts
    ),
]


def _old(text: str) -> list[str]:
    return [found[0] for found in OLD.finditer(text)]


def test_comments_contain_no_banned_phrase() -> None:
    comments = list(runpy.run_path(str(ROOT / "tools" / "sample"))["comments"]())
    assert len(comments) > 10_000
    assert [f"{name}:{line} {_old(text)}" for name, line, text in comments if _old(text)] == []


def test_messages_contain_no_banned_phrase() -> None:
    messages = list(runpy.run_path(str(ROOT / "tools" / "messages"))["messages"]())
    assert len(messages) > 2_000
    assert [f"{name}:{line} {_old(text)}" for name, line, _, text in messages if _old(text)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_contain_no_banned_phrase(page: Path) -> None:
    lines = enumerate(page.read_text().splitlines(), 1)
    assert [f"{number} {_old(line)}" for number, line in lines if _old(line)] == []


@pytest.mark.parametrize("text", ["made anew", "Whoever asks", "it is told", "the loop goes on", "a key that is none"])
def test_banned_phrase_is_reported(text: str) -> None:
    assert len(_old(text)) == 1
