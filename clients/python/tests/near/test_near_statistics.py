"""The near cache's counts appear in the client's metrics. No other metric counts a near-cache hit (NEAR-28)."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any

import pytest

from larder_cache import OpenTelemetryMetrics
from larder_cache import responses as r
from tests.conftest import pipelined, until
from tests.near.conftest import near_client
from tests.near.near_server import NearServer
from tests.support.metrics import FakeMeter, Kept, client_with

NAMES = ("hits", "kept", "invalidations", "clears", "poisoned", "evictions", "copies", "bytes")


async def test_near_hit_updates_near_metrics_but_records_no_call(near_server: NearServer) -> None:
    kept = Kept()
    async with near_client(near_server.port, metrics=kept) as near:
        await near.keep("k")
        for _ in range(5):
            assert await near.client.cache("cache").results.get("k") == r.Hit(b"v1")
        near_server.tell(b"k")
        await until(lambda: not near.has("k"))
        shown = {name: kept.gauges[f"cache.client.near.{name}"]() for name in NAMES}
        assert shown == {name: getattr(near.figures, name) for name in NAMES}
        assert (shown["kept"], shown["invalidations"], shown["copies"]) == (1, 1, 0)
    gets = [len(found) for place, found in kept.durations.items() if place[1] == "get"]
    assert gets == [1, 1, 1] and kept.counts == {"cache.hits": 1}


async def test_client_without_near_cache_reports_no_near_metrics(near_server: NearServer) -> None:
    kept = Kept()
    async with client_with(near_server, pipelined(), kept) as client:
        await client.cache("cache").results.get("k")
    assert not [name for name in kept.gauges if ".near." in name]


async def test_open_telemetry_uses_counters_for_increasing_near_statistics(
    near_server: NearServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    counters: dict[str, Callable[[Any], list[Any]]] = {}

    class Meter(FakeMeter):
        def create_observable_counter(self, name: str, callbacks: list[Any], unit: str) -> None:
            assert unit == "{item}"
            counters[name] = callbacks[0]

    api: Any = types.ModuleType("opentelemetry.metrics")
    meter = Meter()

    def observation(value: int) -> int:
        return value

    api.Observation = observation
    monkeypatch.setitem(sys.modules, "opentelemetry.metrics", api)
    async with near_client(near_server.port, metrics=OpenTelemetryMetrics(meter)) as near:
        await near.keep("k")
        assert set(counters) == {f"cache.client.near.{name}" for name in NAMES[:6]}
        assert counters["cache.client.near.hits"](None) == [near.figures.hits] == [1]
        assert meter.callbacks["cache.client.near.copies"](None) == [1]
        assert meter.callbacks["cache.client.near.bytes"](None) == [136]
