"""Measures the steps of docs/introduction.md, and draws a graph for each step."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import graphs

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"
FIGURES = PICTURES / "introduction.json"


def main() -> None:
    if "--draw" not in sys.argv:
        import measurements

        steps = asyncio.run(measurements.all_steps()).items()
        FIGURES.write_text("{\n" + ",\n".join(f'"{name}": {json.dumps(figures)}' for name, figures in steps) + "\n}\n")
    for name, picture in graphs.draw(json.loads(FIGURES.read_text())).items():
        (PICTURES / name).write_text(picture)


if __name__ == "__main__":
    main()
