"""The graphs of docs/introduction.md equal the graphs that tools/introduction draws from the measurements."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"
PAGE = (ROOT / "docs" / "introduction.md").read_text()
DRAW = "import json, sys, graphs; print(json.dumps(graphs.draw(json.load(sys.stdin))))"


def test_introduction_graphs_show_the_measured_figures() -> None:
    figures = (PICTURES / "introduction.json").read_text()
    done = subprocess.run(
        [sys.executable, "-B", "-c", DRAW],
        cwd=ROOT / "tools" / "introduction.d",
        input=figures,
        capture_output=True,
        text=True,
        check=True,
    )
    pictures = json.loads(done.stdout)
    assert len(pictures) == 6
    for name, picture in pictures.items():
        assert (PICTURES / name).read_text() == picture, f"{name}: run tools/introduction --draw"
        assert f"(pictures/{name})" in PAGE


def test_introduction_names_date_and_machine_of_its_figures() -> None:
    figures = json.loads((PICTURES / "introduction.json").read_text())
    assert f"{figures['date']} ({figures['machine']}," in PAGE


def test_measured_figures_support_the_introduction_claims() -> None:
    figures = json.loads((PICTURES / "introduction.json").read_text())
    assert [figures["2"][step]["queries"] for step in ("step 1", "step 2")] == [200, 1]
    assert all(age is not None for _, age in figures["3"]["step 3"])
    assert any(age is None for _, age in figures["3"]["step 2"])
    three_seconds = next(lane for lane in figures["6"]["lanes"] if lane["ttl"] == 3)
    assert three_seconds["hits"] > 0.5
