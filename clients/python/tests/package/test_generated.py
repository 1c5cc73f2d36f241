"""Generated files are up to date: the generators produce the same content."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[4] / "tools"


def test_blocking_client_matches_its_generator_output() -> None:
    done = subprocess.run([sys.executable, TOOLS / "python-sync", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_python_guide_contains_the_example_code() -> None:
    guides = TOOLS.parent / "docs" / "guides"
    guide = "".join(page.read_text() for page in [guides / "python.md", *(guides / "python").glob("*.md")])
    names = "first_steps cache_aside one_load typed_values batches conditions topics near_cache metrics with_a_fake"
    names += " sessions rate_limit cart leaderboard jobs"
    names += " django_site dogpile_region flask_site celery_tasks starlette_site"
    for example in names.split():
        code = (TOOLS.parent / "clients" / "python" / "examples" / f"{example}.py").read_text()
        assert f"```python\n{code}```" in guide, example


def test_collections_guide_contains_the_example_code() -> None:
    guide = (TOOLS.parent / "docs" / "guides" / "collections.md").read_text()
    for example in ("game", "pages"):
        assert f"```python\n{(TOOLS.parent / f'clients/python/examples/{example}.py').read_text()}```" in guide


def test_programs_page_lists_ten_programs_of_at_most_45_lines() -> None:
    page = (TOOLS.parent / "docs" / "guides" / "python" / "programs.md").read_text()
    programs = re.findall(r"^\|.*\| `(\w+)\.py` \|$", page, re.M)
    assert len(programs) == 10
    for name in programs:
        code = (TOOLS.parent / "clients" / "python" / "examples" / f"{name}.py").read_text()
        assert code.count("\n") <= 45, name
