"""Phrases that the project no longer uses, in comments and documentation: a net, not a proof of good English."""

from __future__ import annotations

import re
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
# What to write instead.
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
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")),
    *(ROOT / "docs" / name for name in ("README.md", "api.md", "glossary.md", "coming-from.md", "add-an-operation.md")),
    *(ROOT / name for name in ("conformance/AGENT.md", "protocol/vectors/README.md")),
    *(ROOT / name for name in ("tuner/results/README.md", "lab/results/README.md")),
    *sorted((ROOT / "protocol" / "spec").glob("*.md")),
    *sorted((ROOT / "docs" / "decisions").rglob("*.md")),
]


def _sample() -> ModuleType:
    """Return tools/sample as a module: it finds the comments."""
    spec = spec_from_loader("sample", SourceFileLoader("sample", str(ROOT / "tools" / "sample")))
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _old(text: str) -> list[str]:
    return [found[0] for found in OLD.finditer(text)]


def test_comments_contain_no_banned_phrase() -> None:
    comments = list(_sample().comments())
    assert len(comments) > 10_000
    assert [f"{name}:{line} {_old(text)}" for name, line, text in comments if _old(text)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_contain_no_banned_phrase(page: Path) -> None:
    lines = enumerate(page.read_text().splitlines(), 1)
    assert [f"{number} {_old(line)}" for number, line in lines if _old(line)] == []


@pytest.mark.parametrize("text", ["made anew", "Whoever asks", "it is told", "the loop goes on", "a key that is none"])
def test_banned_phrase_is_reported(text: str) -> None:
    assert len(_old(text)) == 1
