"""A client of several servers with the same items, on both transports.

Some servers fail (protocol/spec/gateways.md).
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import Any

import grpc
import pytest

from larder_cache import CacheClient, Configuration, CredentialProvider, ErrorCode, Transport
from larder_cache import responses as r
from larder_cache._internal.calls.loop_calls import LoopCalls
from larder_cache._internal.gateways.gateway_names import Names
from larder_cache._internal.telemetry.statistics import GatewayStatistics
from larder_cache.sync import CacheClient as BlockingClient
from protobuf_messages import pipeline_pb2 as pipe
from tests.conftest import PATIENCE_S, client_of, pipelined, until
from tests.support.fake_server import FakeServer
from tests.support.proxy import Proxy

pytestmark = pytest.mark.asyncio


def _list(*ports: int) -> CredentialProvider:
    return CredentialProvider.from_string(",".join(f"http://127.0.0.1:{port}" for port in ports))


def _of(configuration: Configuration, *ports: int) -> CacheClient:
    return CacheClient(_list(*ports), default_ttl=60, configuration=configuration)


def _up(client: CacheClient) -> list[bool]:
    return [not gateway.left_out for gateway in client.statistics().gateways]


async def _both_up(client: CacheClient) -> None:
    await client.connect(timeout_s=PATIENCE_S)
    await _until_called(client, lambda: _up(client) == [True, True])


async def _until_called(client: CacheClient, condition: Callable[[], bool]) -> None:
    """Make calls until a condition is true, because the client connects to gateways only when there are calls."""
    async with asyncio.timeout(PATIENCE_S):
        while not condition():
            assert not isinstance(await client.cache("cache").results.get("k"), r.Error)
            await asyncio.sleep(0.002)


async def _load(client: CacheClient, over: asyncio.Event, number: int) -> int:
    calls = 0
    key = f"k{number}"
    while not over.is_set():
        stored = await client.cache("cache").results.set(key, key)
        assert not isinstance(stored, r.Error), stored.message
        got = await client.cache("cache").results.get(key)
        assert not isinstance(got, r.Error), got.message
        assert not isinstance(got, r.Hit) or got.value == key.encode()
        calls += 2
    return calls


def _assert_nothing_held(client: CacheClient) -> None:
    assert {name: count for name, count in client.held().items() if count} == {}


async def test_s5h_idempotent_calls_succeed_when_a_gateway_is_killed_and_restarted(
    configuration: Configuration,
) -> None:
    configuration = configuration.with_settings(request_timeout_s=5.0)
    async with FakeServer() as other:
        mortal = FakeServer()
        await mortal.__aenter__()
        async with _of(configuration, mortal.port, other.port) as client:
            await _both_up(client)
            over = asyncio.Event()
            callers = [asyncio.create_task(_load(client, over, number)) for number in range(20)]
            mortal.end_streams("abort")
            await mortal.__aexit__()
            await until(lambda: _up(client) == [False, True])
            async with FakeServer(port=mortal.port) as successor:
                await until(lambda: _up(client) == [True, True])
                await until(lambda: sum(successor.received.values()) > 0)
                over.set()
                assert sum(await asyncio.gather(*callers)) > 0
            _assert_nothing_held(client)


async def test_gateway_5_draining_gateway_receives_no_further_calls() -> None:
    async with FakeServer() as draining, FakeServer() as other:
        async with _of(pipelined(), draining.port, other.port) as client:
            await _both_up(client)
            # The gateway also rejects new streams, because it is shutting down.
            draining.refuse_streams = grpc.StatusCode.UNAVAILABLE
            draining.end_streams("draining")
            await until(lambda: not _up(client)[0])
            before = dict(draining.received)
            for _ in range(100):
                assert isinstance(await client.cache("cache").results.get("k"), r.Miss)
            assert draining.received == before
            _assert_nothing_held(client)


async def test_gateway_6_small_and_large_calls_use_both_gateways(configuration: Configuration) -> None:
    async with FakeServer() as one, FakeServer() as two:
        async with _of(configuration, one.port, two.port) as client:
            await _both_up(client)
            for number in range(60):
                assert isinstance(await client.cache("cache").results.set(f"s{number}", b"x"), r.Success)
                assert isinstance(await client.cache("cache").results.set(f"l{number}", b"x" * 100_000), r.Success)
            for prefix in (b"s", b"l"):
                counts = [sum(key.startswith(prefix) for key in server.items) for server in (one, two)]
                assert sum(counts) == 60
                assert min(counts) > 5
            _assert_nothing_held(client)


async def test_gateway_6_call_is_sent_to_gateway_with_fewer_calls() -> None:
    async with FakeServer() as slow, FakeServer() as quick:

        async def never(_: pipe.Operation) -> pipe.Result | None:
            return None

        slow.on_operation = never
        async with _of(pipelined().with_settings(request_timeout_s=PATIENCE_S), slow.port, quick.port) as client:
            await client.connect(timeout_s=PATIENCE_S)
            await until(lambda: len(_up(client)) == 2)
            waiting: list[asyncio.Task[Any]] = []
            # A call without a response stays in flight at the slow gateway, so the client sends later calls to the fast
            # gateway.
            while slow.received.get("get", 0) == 0:
                waiting = [call for call in waiting if not call.done()]
                waiting.append(asyncio.create_task(client.cache("cache").results.get("k")))
                await asyncio.sleep(0.001)
            # Calls at the fast gateway complete. The others are at the slow gateway or on the way to it.
            await until(lambda: slow.received["get"] == sum(not call.done() for call in waiting))
            sent = slow.received["get"]
            for _ in range(100):
                assert isinstance(await client.cache("cache").results.get("k"), r.Miss)
            assert slow.received["get"] == sent
            for call in waiting:
                call.cancel()
            await asyncio.wait(waiting)


async def test_gateway_9_rejected_call_is_retried_on_another_gateway() -> None:
    async with FakeServer() as refusing, FakeServer() as other:

        async def refuse(call: pipe.Operation) -> pipe.Result | None:
            return pipe.Result(id=call.id, status=pipe.CallStatus(code=14, message="no", cause="not_executed"))

        async with _of(pipelined(), refusing.port, other.port) as client:
            await _both_up(client)
            refusing.on_operation = refuse
            for _ in range(50):
                assert isinstance(await client.cache("cache").results.increment("n"), r.Incremented)
            assert other.items[b"n"] == b"50"
            _assert_nothing_held(client)


async def test_gateway_8_unresponsive_gateway_delays_no_call(
    configuration: Configuration,
) -> None:
    configuration = configuration.with_settings(request_timeout_s=5.0, connect_timeout_s=60.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        async with FakeServer() as server, _of(configuration, silent.getsockname()[1], server.port) as client:
            for _ in range(100):
                answer = await client.cache("cache").results.get("k")
                assert isinstance(answer, r.Miss), answer
            assert _up(client) == [False, True]
            _assert_nothing_held(client)


async def test_gateway_10_call_fails_with_unavailable_without_a_running_gateway(configuration: Configuration) -> None:
    async with FakeServer() as one, FakeServer() as two:
        ports = one.port, two.port
    async with _of(configuration.with_settings(request_timeout_s=3.0), *ports) as client:
        answer = await client.cache("cache").results.get("k")
        assert isinstance(answer, r.Error) and answer.code is ErrorCode.UNAVAILABLE, answer
        assert "gateway" in answer.message
        again = await client.cache("cache").results.get("k")
        assert isinstance(again, r.Error) and again.code is ErrorCode.UNAVAILABLE, again
        assert not await client.connect(timeout_s=0.1)
        _assert_nothing_held(client)


async def test_gateway_10_token_rejected_by_all_gateways_fails_with_unauthenticated() -> None:
    async with FakeServer() as one, FakeServer() as two:
        one.refuse_streams = two.refuse_streams = grpc.StatusCode.UNAUTHENTICATED
        async with _of(pipelined(), one.port, two.port) as client:
            answer = await client.cache("cache").results.get("k")
            assert isinstance(answer, r.Error) and answer.code is ErrorCode.UNAUTHENTICATED, answer
            two.refuse_streams = None
            async with asyncio.timeout(PATIENCE_S):
                while not isinstance(await client.cache("cache").results.get("k"), r.Miss):
                    await asyncio.sleep(0.01)


async def test_gateways_without_the_pipeline_receive_unary_calls() -> None:
    async with FakeServer(pipeline=False) as one, FakeServer(pipeline=False) as two:
        configuration = pipelined().with_settings(transport=Transport.AUTO)
        async with _of(configuration, one.port, two.port) as client:
            for _ in range(20):
                assert isinstance(await client.cache("cache").results.get("k"), r.Miss)
            assert not client.statistics().pipelined
            _assert_nothing_held(client)


async def test_gateway_3_and_11_each_resolved_address_becomes_a_gateway(
    configuration: Configuration,
) -> None:
    async with FakeServer() as server, Proxy(server.port, "127.0.0.2", server.port) as proxy:
        addresses = ["127.0.0.1", "127.0.0.2"]

        async def look_up(host: str) -> list[str]:
            assert host == "localhost"
            return list(addresses)

        names = Names(resolve=look_up, every_s=0.01, pause_s=0.01)
        credentials = CredentialProvider.local("localhost", port=server.port)
        client = CacheClient(
            credentials,
            default_ttl=60,
            configuration=configuration,
            calls=lambda given, settings, metrics: LoopCalls(given, settings, metrics, names),
        )
        async with client:
            await _until_called(client, lambda: _up(client) == [True, True])
            where = f"localhost:{server.port}"
            assert [gateway.address for gateway in client.statistics().gateways] == [
                f"{where} (127.0.0.1)",
                f"{where} (127.0.0.2)",
            ]
            assert proxy.accepted > 0
            addresses.remove("127.0.0.2")
            await _until_called(client, lambda: len(_up(client)) == 1)
            await _until_called(client, lambda: _up(client) == [True])
            _assert_nothing_held(client)


async def test_gateway_4_single_address_has_no_gateway_statistics(configuration: Configuration) -> None:
    async with FakeServer() as server, client_of(server, configuration) as client:
        assert isinstance(await client.cache("cache").results.get("k"), r.Miss)
        statistics = client.statistics()
        assert (statistics.connections, statistics.gateways) == (1, ())


async def test_gateway_13_statistics_list_each_gateway_without_a_token() -> None:
    async with FakeServer() as one, FakeServer() as two:
        text = f"http://s3cret@127.0.0.1:{one.port},http://127.0.0.1:{two.port}"
        credentials = CredentialProvider.from_string(text)
        async with CacheClient(credentials, default_ttl=60, configuration=pipelined()) as client:
            await _both_up(client)
            assert client.statistics().connections == 2
            assert client.statistics().gateways == tuple(
                GatewayStatistics(address=f"127.0.0.1:{port}", connections=1, in_flight=0, left_out=False)
                for port in (one.port, two.port)
            )


async def test_s5h_blocking_calls_continue_on_the_other_gateway() -> None:
    configuration = pipelined().with_settings(request_timeout_s=5.0, transport=Transport.AUTO)
    async with FakeServer() as other:
        mortal = FakeServer()
        await mortal.__aenter__()
        credentials = _list(mortal.port, other.port)
        client = BlockingClient(credentials, default_ttl=60, configuration=configuration)
        over = False

        def load(number: int) -> int:
            calls = 0
            while not over:
                answer = client.cache("cache").results.set(f"k{number}", b"x")
                assert not isinstance(answer, r.Error), answer.message
                calls += 1
            return calls

        callers = [asyncio.create_task(asyncio.to_thread(load, number)) for number in range(4)]
        await until(lambda: mortal.streams > 1 and other.streams > 1)
        mortal.end_streams("abort")
        await mortal.__aexit__()
        stored = other.received.get("set", 0)
        await until(lambda: other.received.get("set", 0) > stored + 200)
        over = True
        assert sum(await asyncio.gather(*callers)) > 0
        await asyncio.to_thread(client.close)


@pytest.mark.parametrize("status", ["UNAUTHENTICATED", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "UNIMPLEMENTED"])
async def test_gateway_9_calls_succeed_if_one_gateway_rejects_streams(status: str) -> None:
    async with FakeServer() as refusing, FakeServer() as other:
        refusing.refuse_streams = grpc.StatusCode[status]
        for client_number in range(10):
            async with _of(pipelined(), refusing.port, other.port) as client:
                await client.connect(timeout_s=PATIENCE_S)
                for count in range(1, 11):
                    answer = await client.cache("cache").results.increment(f"n{client_number}")
                    assert isinstance(answer, r.Incremented) and answer.value == count, answer
                _assert_nothing_held(client)
