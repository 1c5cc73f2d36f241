"""Spans of a client's calls, as specified by the table in docs/names.md."""

from __future__ import annotations

import asyncio
import sys
import types
from collections.abc import Callable, Mapping
from contextvars import ContextVar, copy_context
from typing import Any

import pytest

from larder_cache import CacheClient, Configuration, CredentialProvider, OpenTelemetryMetrics, OpenTelemetryTracing
from larder_cache import responses as r
from larder_cache import sync
from protobuf_messages import pipeline_pb2 as pipe
from tests.conftest import pipelined, unary, until
from tests.support.fake_server import FakeServer

# The name of the current span. OpenTelemetry also stores the current span in a context variable.
current: ContextVar[str] = ContextVar("current", default="root")


class Kept:
    """Tracing that records everything."""

    def __init__(self) -> None:
        self.spans: list[dict[str, Any]] = []

    def start(self, name: str, attributes: Mapping[str, Any]) -> Any:
        span = {"name": name, "parent": current.get(), "attributes": dict(attributes), "ended": 0}
        self.spans.append(span)
        return span

    def end(self, span: Any, attributes: Mapping[str, Any]) -> None:
        span["attributes"] |= attributes
        span["ended"] += 1

    @property
    def names(self) -> list[str]:
        return [each["name"] for each in self.spans]


def client_with(server: FakeServer, configuration: Configuration, tracing: Any, **more: Any) -> CacheClient:
    credentials = CredentialProvider.local(port=server.port)
    return CacheClient(credentials, default_ttl=60, configuration=configuration, tracing=tracing, **more)


def expected(server: FakeServer, operation: str, cache: str | None = "cache", attempts: int = 1, **more: Any) -> Any:
    named = {} if cache is None else {"db.namespace": cache}
    return {
        "db.system.name": "larder",
        "db.operation.name": operation,
        "server.address": "127.0.0.1",
        "server.port": server.port,
        "cache.attempts": attempts,
        **named,
        **more,
    }


async def test_each_call_is_a_child_span_of_the_current_span(server: FakeServer, configuration: Configuration) -> None:
    kept = Kept()
    async with client_with(server, configuration, kept) as client:
        current.set("request")
        await client.cache("cache").results.set("k", "secret")
        await asyncio.gather(client.cache("cache").results.get("k"), client.cache("cache").results.get("absent"))
        current.set("other")
        await client.ping()
        await client.cache("cache").results.delete_each(["a", "b"])
        assert current.get() == "other"
    assert kept.names == ["set cache", "get cache", "get cache", "ping", "delete cache", "delete cache"]
    assert [each["parent"] for each in kept.spans] == ["request"] * 3 + ["other"] * 3
    assert all(each["ended"] == 1 for each in kept.spans)
    assert kept.spans[1]["attributes"] == expected(server, "get")
    assert kept.spans[3]["attributes"] == expected(server, "ping", None)
    assert "secret" not in str(kept.spans)


async def test_batch_span_contains_the_batch_size(server: FakeServer) -> None:
    kept = Kept()

    server.on_operation = _refuse
    async with client_with(server, pipelined(), kept) as client:
        await client.cache("cache").results.get_batch(["a", "b", "c"])
        await client.cache("cache").results.set_batch({"a": "1", "b": "2"})
        await client.cache("cache").results.keys_exist(["a", "b"])
        await client.cache("cache").results.key_exists("a")
    sizes = [each["attributes"].get("db.operation.batch.size") for each in kept.spans]
    assert sizes == [3, 2, 2, None]
    assert kept.names == ["get_batch cache", "set_batch cache", "keys_exist cache", "keys_exist cache"]
    assert {each["attributes"]["error.type"] for each in kept.spans} == {"NotFound"}


async def test_retried_call_is_one_span_with_its_attempt_count(server: FakeServer) -> None:
    kept = Kept()
    server.refuse_first(2)
    async with client_with(server, pipelined(), kept) as client:
        assert await client.cache("cache").results.get("k") == r.MISS
    assert kept.names == ["get cache"] and kept.spans[0]["attributes"] == expected(server, "get", attempts=3)


async def test_span_counts_pipeline_and_unary_attempts_together() -> None:
    kept = Kept()
    async with FakeServer(pipeline=False) as server:
        automatic = pipelined().with_settings(transport=unary().transport.AUTO)
        async with client_with(server, automatic, kept) as client:
            assert await client.cache("cache").results.get("k") == r.MISS
    assert kept.names == ["get cache"] and kept.spans[0]["attributes"]["cache.attempts"] >= 1


async def test_cancellation_ends_the_span_and_unsent_call_reports_no_attempts(
    server: FakeServer,
) -> None:
    kept = Kept()

    async def nothing(_: pipe.Operation) -> pipe.Result | None:
        return None

    server.on_operation = nothing
    settings = pipelined().with_settings(max_in_flight_pipeline=1, queue_limit=1)
    async with client_with(server, settings, kept) as client:
        first = asyncio.create_task(client.cache("cache").results.get("k"))
        await until(lambda: sum(server.received.values()) == 1)
        second = asyncio.create_task(client.cache("cache").results.get("k"))
        await until(lambda: client.statistics().queued == 1)
        answer = await client.cache("cache").results.get("k")
        assert isinstance(answer, r.Error)
        for task in (second, first):
            task.cancel()
        await asyncio.gather(first, second, return_exceptions=True)
    told = [(each["attributes"]["error.type"], each["attributes"]["cache.attempts"]) for each in kept.spans]
    assert told == [("Cancelled", 1), ("Cancelled", 0), ("ClientOverloaded", 0)]
    assert all(each["ended"] == 1 for each in kept.spans)


@pytest.mark.parametrize("transport", [unary(), pipelined()], ids=["unary", "pipeline"])
async def test_blocking_call_span_is_a_child_of_its_thread_context(
    server: FakeServer, transport: Configuration
) -> None:
    kept = Kept()

    def use() -> None:
        credentials = CredentialProvider.local(port=server.port)
        with sync.CacheClient(credentials, default_ttl=60, configuration=transport, tracing=kept) as client:
            current.set("thread")
            for _ in range(3):
                client.cache("cache").results.set("k", "v")
            copy_context().run(lambda: (current.set("inner"), client.cache("cache").results.get("k")))
            client.cache("cache").results.delete_each(["a", "b"])

    await asyncio.get_running_loop().run_in_executor(None, lambda: copy_context().run(use))
    assert [each["parent"] for each in kept.spans] == ["thread"] * 3 + ["inner"] + ["thread"] * 2
    assert all(each["ended"] == 1 for each in kept.spans)
    assert kept.spans[3]["attributes"] == expected(server, "get")


class Broken:
    """Tracing that raises."""

    def __init__(self, at: str) -> None:
        self.at = at

    def start(self, name: str, attributes: Mapping[str, Any]) -> Any:
        if self.at == "start":
            raise KeyError("tracing")
        return object()

    def end(self, span: Any, attributes: Mapping[str, Any]) -> None:
        raise KeyError("tracing")


@pytest.mark.parametrize("at", ["start", "end"])
async def test_exception_in_tracing_fails_no_call_and_is_logged_once(
    server: FakeServer, configuration: Configuration, at: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with client_with(server, configuration, Broken(at)) as client:
        for _ in range(5):
            assert await client.cache("cache").results.get("k") == r.MISS
        assert client.held() == dict.fromkeys(client.held(), 0)
    assert caplog.text.count("The tracing object passed to the client raised") == 1


async def test_tracing_can_be_combined_with_metrics_and_adaptive_limit(server: FakeServer) -> None:
    kept, recorded = Kept(), list[tuple[float, Mapping[str, Any]]]()

    class Metered:
        def record(self, name: str, seconds: float, attributes: Mapping[str, str]) -> None:
            pass

        def add(self, name: str, count: int, attributes: Mapping[str, str]) -> None:
            pass

        def watch(self, name: str, read: Callable[[], int | None]) -> None:
            pass

        def record_call(self, seconds: float, attributes: Mapping[str, Any]) -> None:
            recorded.append((seconds, attributes))

    settings = pipelined().with_settings(adaptive_target_s=0.1)
    async with client_with(server, settings, kept, metrics=Metered()) as client:
        await client.cache("cache").results.get("k")
        await client.cache("cache").with_timeout(0).results.get("k")
    assert kept.names == ["get cache"]
    [(seconds, attributes)] = recorded
    assert attributes == expected(server, "get") and seconds > 0


class Span:
    """The part of an OpenTelemetry span that the client uses."""

    def __init__(self, name: str, kind: str, attributes: Mapping[str, Any]) -> None:
        self.told = [name, kind, current.get()]
        self.attributes = dict(attributes)
        self.status: Any = None
        self.ended = False

    def set_attribute(self, name: str, value: Any) -> None:
        self.attributes[name] = value

    def set_status(self, status: Any) -> None:
        self.status = status

    def end(self) -> None:
        self.ended = True


async def test_open_telemetry_records_spans_with_its_own_tracer_and_histogram(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Debian has no OpenTelemetry package, so this class implements the part of its API that the client uses.
    spans: list[Span] = []
    scopes: list[str] = []

    class Tracer:
        def start_span(self, name: str, *, kind: str, attributes: Mapping[str, Any]) -> Span:
            spans.append(Span(name, kind, attributes))
            return spans[-1]

    def get_tracer(name: str) -> Tracer:
        scopes.append(name)
        return Tracer()

    def status(code: str) -> tuple[str, str]:
        return "status", code

    api: Any = types.ModuleType("opentelemetry.trace")
    api.get_tracer, api.Status = get_tracer, status
    api.SpanKind, api.StatusCode = types.SimpleNamespace(CLIENT="client"), types.SimpleNamespace(ERROR="error")
    monkeypatch.setitem(sys.modules, "opentelemetry.trace", api)

    durations: list[tuple[str, str, Mapping[str, Any]]] = []

    class Meter:
        def create_histogram(self, name: str, unit: str) -> Any:
            def record(value: float, attributes: Mapping[str, Any]) -> None:
                durations.append((name, unit, attributes))

            return types.SimpleNamespace(record=record)

        def create_counter(self, name: str, unit: str) -> Any:
            def add(value: int, attributes: Mapping[str, str]) -> None:
                pass

            return types.SimpleNamespace(add=add)

        def create_observable_gauge(self, name: str, callbacks: list[Any], unit: str) -> None:
            pass

    metrics = OpenTelemetryMetrics(Meter())
    async with client_with(server, pipelined(), OpenTelemetryTracing(), metrics=metrics) as client:
        current.set("request")
        await client.cache("cache").results.get("k")
        server.on_operation = _refuse
        await client.cache("cache").results.get("k")
    good, bad = spans
    assert scopes == ["larder"] and good.told == ["get cache", "client", "request"]
    assert good.attributes == expected(server, "get") and good.status is None and good.ended
    assert bad.attributes == expected(server, "get") | {"error.type": "NotFound"}
    assert bad.status == ("status", "error") and bad.ended
    by_convention = [told for told in durations if told[0] == "db.client.operation.duration"]
    assert [(unit, attributes) for _, unit, attributes in by_convention] == [
        ("s", expected(server, "get")),
        ("s", expected(server, "get") | {"error.type": "NotFound"}),
    ]


async def _refuse(call: pipe.Operation) -> pipe.Result:
    return pipe.Result(id=call.id, status=pipe.CallStatus(code=5, message="no such cache"))


def test_open_telemetry_tracing_raises_import_error_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere: Any = None
    monkeypatch.setitem(sys.modules, "opentelemetry.trace", nowhere)
    with pytest.raises(ImportError):
        OpenTelemetryTracing()
