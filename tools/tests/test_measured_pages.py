"""Pages with measurements name the measured code, and do not recommend code that no longer exists."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUNS = sorted((ROOT / "lab/results/story").glob("*.json"))
PERFORMANCE = (ROOT / "docs/performance.md").read_text()


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.stem)
def test_story_page_contains_its_commit_and_date_and_transports(run: Path) -> None:
    said = json.loads(run.read_text())
    page = (ROOT / "docs/story" / f"{run.stem}.md").read_text()
    machine = said["machine"]
    assert f"- commit: {machine['commit']}\n" in page
    assert f"- date: {machine['date'][:10]}" in page
    assert [each["name"] for each in said["transports"]] == ["unary", "pipeline"]
    for each in said["transports"]:
        assert f"- {each['name']}: over {each['over']}, {each['source']}" in page
        source = ROOT / each["source"]
        exists = source.is_file() and each.get("marker", "") in source.read_text()
        # If this fails, the measured code no longer exists. Either measure again, or add the name of its replacement
        # ("replacedBy") to the run and regenerate the page (larder lab story --from).
        assert exists == ("replacedBy" not in each), each["source"]
        if not exists:
            assert f"**Outdated: the {each['name']} transport was measured over {each['over']}" in page
            code = "".join(re.findall(r"^```\n(.*?)^```", page, re.M | re.S))
            assert each["name"] not in re.findall(r"transport\W+(\w+)", code.lower())


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.stem)
def test_performance_page_lists_commit_and_date_of_each_story(run: Path) -> None:
    said = json.loads(run.read_text())
    [row] = [line for line in PERFORMANCE.splitlines() if f"(story/{run.stem}.md)" in line]
    assert f"`{said['machine']['commit']}`" in row
    assert said["machine"]["date"][:10] in row
    outdated = [each["name"] for each in said["transports"] if "replacedBy" in each]
    assert all(f"{name} outdated" in row for name in outdated)
    assert ("outdated" in row) == bool(outdated)
