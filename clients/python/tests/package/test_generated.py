"""Files written by programs are what the programs write."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[4] / "tools"


def test_the_blocking_client_is_what_its_generator_writes() -> None:
    done = subprocess.run([sys.executable, TOOLS / "python-sync", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_guides_code_is_the_examples() -> None:
    guides = TOOLS.parent / "docs" / "guides"
    guide = "".join(page.read_text() for page in [guides / "python.md", *(guides / "python").glob("*.md")])
    names = "first_steps cache_aside one_load typed_values batches conditions topics near_cache metrics with_a_fake"
    names += " django_site dogpile_region flask_site celery_tasks starlette_site"
    for example in names.split():
        code = (TOOLS.parent / "clients" / "python" / "examples" / f"{example}.py").read_text()
        assert f"```python\n{code}```" in guide, example


def test_the_guide_of_collections_code_is_the_examples() -> None:
    guide = (TOOLS.parent / "docs" / "guides" / "collections.md").read_text()
    for example in ("game", "pages"):
        assert f"```python\n{(TOOLS.parent / f'clients/python/examples/{example}.py').read_text()}```" in guide
