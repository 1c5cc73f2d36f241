"""The index of docs/ is complete, links are valid, and quoted messages match the messages of the programs."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
LINK = re.compile(r"(?<!!)\[[^\]\n]+\]\(([^)\s]+)\)")
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md")), *sorted((DOCS / "guides").rglob("*.md"))]
SOURCES = ["server/src", "clients/dotnet/src", "clients/dotnet/cli", "clients/python/larder_cache", "clients/node/src"]
SOURCES += ["packaging/src", "wire/src"]
# Messages of other programs that the pages quote: .NET, pip, NuGet, a shell, the operating system.
OTHERS = {
    "RuntimeError",
    "externally-managed-environment",
    "larder: command not found",
    "./larder pack",
    "NU1100",
    "NU1101",
    "Unrecognized command or argument",
    "http://",
    "cache 'NAME' does not exist",
    "--memory must be at least 16 MiB",
}


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def _anchors(page: Path) -> set[str]:
    return {_anchor(heading) for heading in re.findall(r"^#+ (.*)$", page.read_text(), re.M)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_point_to_existing_pages_and_headings(page: Path) -> None:
    for link in LINK.findall(page.read_text()):
        if re.match(r"https?:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in _anchors(target), link


def test_index_lists_every_page() -> None:
    index = (DOCS / "README.md").read_text()
    unlisted = {"decisions", "measurements", "site"}
    pages = [page for page in DOCS.rglob("*.md") if not unlisted & set(page.parts) and page.name != "README.md"]
    linked = {(DOCS / link.split("#")[0]).resolve() for link in LINK.findall(index)}
    assert [str(page.relative_to(DOCS)) for page in pages if page not in linked] == []


def test_readme_links_every_page_that_it_names() -> None:
    readme = (ROOT / "README.md").read_text()
    assert re.findall(r"(?<!\[)`(?:docs|clients|protocol|tuner|deploy)/[\w./-]+\.md`", readme) == []
    assert len(LINK.findall(readme)) >= 25


def test_troubleshooting_messages_exist_in_source() -> None:
    files = subprocess.run(["git", "ls-files", *SOURCES], cwd=ROOT, capture_output=True, text=True, check=True)
    source = "".join((ROOT / name).read_text() for name in files.stdout.split() if name.endswith((".cs", ".py", ".ts")))
    rows = re.findall(r"^\| ([^|]*) \|", (DOCS / "troubleshooting.md").read_text(), re.M)
    messages = {message for row in rows for message in re.findall(r"`([^`]+)`", row)} - OTHERS
    assert len(messages) >= 15
    assert sorted(message for message in messages if message not in source) == []


def test_api_page_shows_every_subject_in_three_languages() -> None:
    sections = re.split(r"^## ", (DOCS / "api.md").read_text(), flags=re.M)[1:]
    subjects = [each for each in sections if not each.startswith(("Rejected", "Size of", "Known gaps"))]
    assert len(subjects) == 14
    for subject in subjects:
        assert re.findall(r"^```(\w+)$", subject, re.M) == ["csharp", "python", "js"], subject.splitlines()[0]


def test_api_page_python_snippets_parse() -> None:
    snippets = re.findall(r"^```python\n(.*?)^```$", (DOCS / "api.md").read_text(), re.M | re.DOTALL)
    for snippet in snippets:
        compile(snippet, "api.md", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
