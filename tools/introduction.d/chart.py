"""A small line or bar chart as SVG, with the colours of the other pictures."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 62, 20, 40, 48
STYLE = """
:root { color-scheme: light dark; --card: #ffffff; --ink: #1d1f22; --quiet: #5d6268; --line: #dedbd4;
  --one: #b35a00; --two: #1c4e9e; --bad: #c22f2f; }
@media (prefers-color-scheme: dark) { :root { --card: #1c1f23; --ink: #e8e6e1; --quiet: #a2a7ad; --line: #383c42;
  --one: #f2a14d; --two: #7fb0ff; --bad: #ff7b72; } }
text { font: 12px system-ui, sans-serif; fill: var(--quiet); } .title { font-size: 14px; font-weight: 600; }
.title, .value { fill: var(--ink); } .card { fill: var(--card); }
.grid { stroke: var(--line); } .curve { fill: none; stroke: currentColor; stroke-width: 2; stroke-linejoin: round; }
.point, .bar, text.label { fill: currentColor; } text.label { font-weight: 600; }
.shade { fill: var(--bad); fill-opacity: .12; } .one { color: var(--one); } .two { color: var(--two); }
.bad { color: var(--bad); }
"""

Ticks = Sequence[tuple[float, str]]
Points = Sequence[tuple[float, float]]


def _scale(least: float, most: float, start: float, end: float, *, logarithmic: bool) -> Callable[[float], float]:
    convert = math.log10 if logarithmic else float
    low, high = convert(least), convert(most)
    return lambda value: start + (convert(value) - low) / (high - low) * (end - start)


class Chart:
    """Collects the parts of a picture. Positions are in the units of the two axes."""

    def __init__(self, title: str, text: str, x: tuple[float, float], y: tuple[float, float], *, log: str = "") -> None:
        self._head = (title, text)
        self._parts: list[str] = []
        self.x = _scale(*x, LEFT, WIDTH - RIGHT, logarithmic="x" in log)
        self.y = _scale(*y, HEIGHT - BOTTOM, TOP, logarithmic="y" in log)

    def axes(self, x_title: str, x: Ticks, y_title: str, y: Ticks) -> None:
        for value, label in y:
            at = self.y(value)
            self._parts.append(f'<path class="grid" d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}"/>')
            self._write(LEFT - 8, at + 4, label, anchor="end")
        for value, label in x:
            self._write(self.x(value), HEIGHT - BOTTOM + 18, label, anchor="middle")
        self._write((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, x_title, anchor="middle")
        self._write(8, TOP - 12, y_title)

    def curve(self, kind: str, points: Points, *, dots: bool = False) -> None:
        path = "L".join(f"{self.x(x):.1f} {self.y(y):.1f}" for x, y in points)
        self._parts.append(f'<path class="curve {kind}" d="M{path}"/>')
        for x, y in points if dots else []:
            self._parts.append(f'<circle class="point {kind}" cx="{self.x(x):.1f}" cy="{self.y(y):.1f}" r="3.5"/>')

    def bar(self, kind: str, x: float, y: float, base: float, width: float) -> None:
        top, foot = self.y(y), self.y(base)
        left = self.x(x) - width / 2
        self._parts.append(
            f'<rect class="bar {kind}" x="{left:.1f}" y="{top:.1f}" width="{width}" height="{foot - top:.1f}"/>'
        )

    def shade(self, start: float, end: float) -> None:
        left, right = self.x(start), self.x(end)
        size = f'width="{right - left:.1f}" height="{HEIGHT - BOTTOM - TOP}"'
        self._parts.append(f'<rect class="shade" x="{left:.1f}" y="{TOP}" {size}/>')

    def cross(self, kind: str, x: float, y: float) -> None:
        self._parts.append(f'<path class="curve {kind}" d="M{self.x(x) - 3:.1f} {self.y(y) - 3:.1f}l6 6m0 -6l-6 6"/>')

    def label(self, kind: str, x: float, y: float, text: str, *, anchor: str = "start") -> None:
        self._write(self.x(x), self.y(y), text, kind=kind, anchor=anchor)

    def _write(self, x: float, y: float, text: str, *, kind: str = "", anchor: str = "start") -> None:
        style = f' class="{kind}"' if kind else ""
        self._parts.append(f'<text{style} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>')

    def svg(self) -> str:
        title, text = map(escape, self._head)
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
            'role="img" aria-labelledby="title text">',
            f'<title id="title">{title}</title>',
            f'<desc id="text">{text}</desc>',
            f"<style>{STYLE}</style>",
            f'<rect class="card" width="{WIDTH}" height="{HEIGHT}" rx="6"/>',
            f'<text class="title" x="{WIDTH / 2}" y="20" text-anchor="middle">{title}</text>',
            *self._parts,
            "</svg>",
        ]
        return "\n".join(lines) + "\n"
