"""The metrics of a client's calls."""

from __future__ import annotations

import asyncio
import sys
import types
from typing import Any

import pytest

from larder_cache import Configuration, OpenTelemetryMetrics
from protobuf_messages import pipeline_pb2 as pipe
from tests.conftest import capped, pipelined, until
from tests.support.fake_server import FakeServer
from tests.support.metrics import FakeMeter, Kept, client_with

OPERATION, QUEUE, WIRE = (f"cache.client.{part}.duration" for part in ("operation", "queue", "wire"))


async def test_operation_duration_is_the_sum_of_queue_and_wire_durations(
    server: FakeServer, configuration: Configuration
) -> None:
    kept = Kept()
    async with client_with(server, capped(configuration, 2), kept) as client:
        await client.cache("cache").results.set("k", "v")
        await asyncio.gather(
            *(client.cache("cache").results.get("k") for _ in range(20)), client.cache("cache").results.get("absent")
        )
    assert {place: len(found) for place, found in kept.durations.items()} == {
        (name, *what): count
        for name in (OPERATION, QUEUE, WIRE)
        for what, count in ((("set", "Success"), 1), (("get", "Hit"), 20), (("get", "Miss"), 1))
    }
    hits = [kept.durations[name, "get", "Hit"] for name in (OPERATION, QUEUE, WIRE)]
    for operation, queue, wire in zip(*hits, strict=True):
        assert operation == pytest.approx(queue + wire)  # pyright: ignore[reportUnknownMemberType]
        assert queue >= 0 and wire > 0
    assert sum(queue > 0 for queue in hits[1]) >= 18, "all but two waited for the cap"
    assert kept.counts == {"cache.hits": 20, "cache.misses": 1}


async def test_gauges_report_calls_in_flight_and_the_limit(server: FakeServer, configuration: Configuration) -> None:
    kept = Kept()
    held = asyncio.Event()

    async def gate() -> None:
        await held.wait()

    async def hold(call: pipe.Operation) -> pipe.Result:
        await held.wait()
        return server.answer(call)

    server.unary_gate = gate
    server.on_operation = hold
    async with client_with(server, capped(configuration, 3), kept) as client:
        calls = [asyncio.create_task(client.cache("cache").results.get("k")) for _ in range(5)]
        await until(lambda: sum(server.received.values()) == 3)
        assert {name: read() for name, read in kept.gauges.items()} == {
            "cache.client.in_flight": 3,
            "cache.client.in_flight.limit": 3,
        }
        held.set()
        await asyncio.gather(*calls)
        assert kept.gauges["cache.client.in_flight"]() == 0


async def test_call_metrics_record_error_codes_and_cancellations(
    server: FakeServer, configuration: Configuration
) -> None:
    kept = Kept()
    never = asyncio.Event()

    async def gate() -> None:
        await never.wait()

    async def nothing(_: pipe.Operation) -> pipe.Result | None:
        return None

    server.unary_gate = gate
    server.on_operation = nothing
    async with client_with(server, capped(configuration, 1).with_settings(queue_limit=1), kept) as client:
        first = asyncio.create_task(client.cache("cache").results.get("k"))
        await until(lambda: sum(server.received.values()) == 1)
        waiting = asyncio.create_task(client.cache("cache").results.get("k"))
        await until(lambda: client.statistics().queued == 1)
        await client.cache("cache").results.get("k")
        for task in (waiting, first):
            task.cancel()
        await asyncio.gather(waiting, first, return_exceptions=True)
        never.set()
    counts = {place: len(found) for place, found in kept.durations.items()}
    assert counts[OPERATION, "get", "ClientOverloaded"] == 1
    assert counts[OPERATION, "get", "Cancelled"] == 2
    assert counts[WIRE, "get", "Cancelled"] == 1, "the one that waited was never sent"
    assert (WIRE, "get", "ClientOverloaded") not in counts


async def test_open_telemetry_records_metrics_with_its_own_instruments(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Debian has no OpenTelemetry package, so this class implements the part of its API that the client uses.
    meter = FakeMeter()
    api: Any = types.ModuleType("opentelemetry.metrics")

    def get_meter(name: str) -> FakeMeter:
        return meter

    def observation(value: int) -> tuple[str, int]:
        return "observed", value

    api.get_meter = get_meter
    api.Observation = observation
    monkeypatch.setitem(sys.modules, "opentelemetry.metrics", api)
    async with client_with(server, pipelined(), OpenTelemetryMetrics()) as client:
        await client.cache("cache").results.get("absent")
    attributes = {"cache.operation": "get", "cache.outcome": "Miss"}
    for name in (OPERATION, QUEUE, WIRE):
        assert (name, "s") in meter.seen and (name, attributes) in meter.seen
    assert ("cache.misses", 1, {"cache.operation": "get"}) in meter.seen
    assert meter.callbacks["cache.client.in_flight"](None) == [("observed", 0)]
    assert meter.callbacks["cache.client.in_flight.limit"](None) == [("observed", 1_000)]


def test_open_telemetry_metrics_raise_import_error_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere: Any = None
    monkeypatch.setitem(sys.modules, "opentelemetry.metrics", nowhere)
    with pytest.raises(ImportError):
        OpenTelemetryMetrics()
