"""Draws the graphs of docs/introduction.md from the measurements."""

from __future__ import annotations

from typing import Any

from chart import Chart

MILLISECONDS = [(0.1, "0.1"), (1, "1"), (10, "10"), (100, "100")]


def _ticks(*values: float) -> list[tuple[float, str]]:
    return [(value, f"{value:,g}") for value in values]


def _cache_aside(figures: dict[str, Any]) -> Chart:
    last = len(figures["with"])
    text = "Every request takes about 50 ms without the cache. With it, only the first one does."
    chart = Chart("Time of each request", text, (1, last), (0.05, 200), log="y")
    chart.axes("request", _ticks(1, 5, 10, 15, 20, 25, 30), "ms (logarithmic)", MILLISECONDS)
    for kind, name in (("one", "without"), ("two", "with")):
        chart.curve(kind, list(enumerate(figures[name], 1)), dots=True)
    chart.label("label one", last / 2, 75, "without a cache", anchor="middle")
    chart.label("label two", last / 2, 5, "with the cache: the first request loads the page", anchor="middle")
    return chart


def _one_load(figures: dict[str, Any]) -> Chart:
    naive, leased = figures["step 1"], figures["step 2"]
    count, top = len(naive["ms"]), 1_000 * (int(naive["ms"][-1] / 1_000) + 1)
    text = "In step 1 visitors queue for the database. In step 2 one of them loads the page for all."
    chart = Chart("Waiting time of 200 visitors who arrive together", text, (1, count), (0, top))
    ticks = _ticks(*range(0, top + 1, 500))
    chart.axes("visitors, shortest wait first", _ticks(1, 50, 100, 150, 200), "ms", ticks)
    for kind, lane in (("one", naive), ("two", leased)):
        chart.curve(kind, list(enumerate(lane["ms"], 1)))
    step1, step2 = (f"{lane['queries']} {'query' if lane['queries'] == 1 else 'queries'}" for lane in (naive, leased))
    chart.label("label one", 118, naive["ms"][130] * 1.15, f"step 1: {step1}", anchor="end")
    chart.label("label two", count, leased["ms"][-1] + top / 25, f"step 2: {step2}", anchor="end")
    return chart


def _database_down(figures: dict[str, Any]) -> Chart:
    text = "While the database is down, step 2 returns errors and step 3 returns the last page."
    chart = Chart("Age of the page that a visitor gets", text, (0, 7), (0, 4))
    chart.shade(*figures["down"])
    chart.axes("seconds (TTL: 1 s)", _ticks(*range(8)), "seconds", _ticks(*range(5)))
    chart.label("label bad", sum(figures["down"]) / 2, 3.75, "the database is down", anchor="middle")
    chart.curve("two", [(time, age) for time, age in figures["step 3"] if age is not None])
    for time, age in figures["step 2"]:
        if age is None:
            chart.cross("bad", time, 0)
    chart.label("label bad", 3.6, 0.15, "step 2: errors", anchor="middle")
    chart.label("label two", 3.1, 2.45, "step 3: the last page", anchor="end")
    return chart


def _tags(figures: dict[str, Any]) -> Chart:
    text = "Without tags, old prices disappear one by one as pages expire. With a tag, all disappear together."
    chart = Chart("Pages with an old price (of 20)", text, (0, 4), (0, 20))
    chart.axes("seconds after the prices changed (TTL: 3 s)", _ticks(*range(5)), "pages", _ticks(0, 5, 10, 15, 20))
    chart.curve("one", figures["step 3"])
    chart.curve("two", figures["step 4"])
    chart.label("label one", 1.6, 11, "step 3: pages expire one by one")
    chart.label("label two", 0.15, 1, "step 4: remove_by_tag")
    return chart


def _near(figures: dict[str, Any]) -> Chart:
    text = "At the median the database takes about 50 ms, the server less than 1 ms, the near cache microseconds."
    chart = Chart("Time to load one page, by source", text, (0, 3), (0.001, 300), log="y")
    ticks = [(0.001, "1 µs"), (0.01, "10 µs"), (0.1, "0.1 ms"), (1, "1 ms"), (10, "10 ms"), (100, "100 ms")]
    names = list(figures)
    chart.axes("", [(at + 0.5, name) for at, name in enumerate(names)], "logarithmic", ticks)
    for at, name in enumerate(names):
        for kind, offset, percentile in (("two", 0.27, "p50"), ("one", 0.73, "p99")):
            value = figures[name][percentile]
            chart.bar(kind, at + offset, value, 0.001, 76)
            shown = f"{value:.3g} ms" if value >= 0.1 else f"{value * 1_000:.3g} µs"
            chart.label("value", at + offset, value * 1.25, f"{percentile} {shown}", anchor="middle")
    return chart


def _hit_ratios(figures: dict[str, Any]) -> Chart:
    lanes = figures["lanes"]
    text = "A longer TTL raises the hit ratio and lowers the number of database queries."
    chart = Chart("Hit ratio by TTL", text, (0.03, 45), (0, 100), log="x")
    percentages = [(value, f"{value} %") for value in (0, 25, 50, 75, 100)]
    chart.axes("TTL in seconds (logarithmic)", _ticks(*(lane["ttl"] for lane in lanes)), "hits", percentages)
    chart.curve("two", [(lane["ttl"], lane["hits"] * 100) for lane in lanes], dots=True)
    for lane in lanes:
        chart.label("value", lane["ttl"], lane["hits"] * 100 + 6, f"{lane['queries']:.0f} queries/s", anchor="end")
    return chart


def draw(figures: dict[str, Any]) -> dict[str, str]:
    """Return each picture by its file name."""
    steps = (_cache_aside, _one_load, _database_down, _tags, _near, _hit_ratios)
    return {f"introduction-{step}.svg": draw(figures[str(step)]).svg() for step, draw in enumerate(steps, 1)}
