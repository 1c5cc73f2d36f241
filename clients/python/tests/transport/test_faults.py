"""Network and server faults N4, N5, N6 and N9, with the fake server."""

from __future__ import annotations

import asyncio
import os
from typing import Any, cast

import grpc
import pytest

from larder_cache import CacheClient, Configuration, CredentialProvider, ErrorCode
from larder_cache import responses as r
from larder_cache._internal.http2 import http2_frames as h2
from protobuf_messages import pipeline_pb2 as pipe
from tests.conftest import PATIENCE_S, capped, client_of, pipelined, unary, until
from tests.support.fake_server import FakeServer
from tests.support.proxy import Proxy
from tests.transport.fault_helpers import errors_of, no_answer, wait_for


def _at(port: int, configuration: Configuration) -> CacheClient:
    return CacheClient(CredentialProvider.local(port=port), default_ttl=60, configuration=configuration)


async def test_n4_call_on_a_half_open_connection_times_out(server: FakeServer, configuration: Configuration) -> None:
    async with Proxy(server.port) as proxy, _at(proxy.port, configuration) as client:
        assert isinstance(await client.cache("cache").results.get("k"), r.Miss)
        proxy.freeze()
        answer = await client.cache("cache").with_timeout(0.2).results.get("k")
        assert isinstance(answer, r.Error) and answer.code is ErrorCode.TIMEOUT
        assert client.statistics().in_flight == 0


@pytest.mark.skipif("LARDER_LONG" not in os.environ, reason="takes a ping interval of 5 s; LARDER_LONG=1 runs it")
async def test_n4_dead_connection_is_replaced_after_ping_interval_and_timeout(
    server: FakeServer, configuration: Configuration
) -> None:
    async with Proxy(server.port) as proxy, _at(proxy.port, configuration) as client:
        await client.cache("cache").results.get("k")
        proxy.freeze()
        assert isinstance(await client.cache("cache").results.get("k"), r.Miss), "sent again on a new connection"
        assert proxy.accepted >= 2


async def test_n5_interrupted_gets_are_retried_but_increments_are_not(server: FakeServer) -> None:
    async with Proxy(server.port) as proxy, _at(proxy.port, pipelined()) as client:
        await client.cache("cache").results.set("k", "v")
        server.on_operation = no_answer
        gets = [asyncio.create_task(client.cache("cache").results.get("k")) for _ in range(50)]
        increments = [asyncio.create_task(client.cache("cache").results.increment("n")) for _ in range(50)]
        await until(lambda: server.received.get("increment", 0) == 50 and server.received.get("get", 0) == 50)
        server.on_operation = None
        proxy.cut()
        assert all(answer == r.Hit(b"v") for answer in await asyncio.gather(*gets))
        assert errors_of(await asyncio.gather(*increments)) == {ErrorCode.UNAVAILABLE}
        assert server.received["increment"] == 50
        assert client.statistics().in_flight == 0


async def test_n5_interrupted_unary_gets_are_retried(server: FakeServer) -> None:
    held = asyncio.Event()
    server.unary_gate = lambda: wait_for(held)
    async with Proxy(server.port) as proxy, _at(proxy.port, unary()) as client:
        gets = [asyncio.create_task(client.cache("cache").results.get("k")) for _ in range(20)]
        await until(lambda: server.received.get("unary get", 0) == 20)
        held.set()
        proxy.cut()
        assert all(isinstance(answer, r.Miss) for answer in await asyncio.gather(*gets))


async def test_n5_stream_drained_while_opening_ends_immediately() -> None:
    opening = (
        h2.settings({})
        + h2.frame(h2.HEADERS, 4, 1, b"\x88")
        + h2.frame(h2.GOAWAY, 0, 0, b"\x7f\xff\xff\xff" + bytes(4))
    )
    ended = asyncio.Event()

    async def drain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        listener.close()
        writer.write(
            opening + h2.frame(h2.DATA, 0, 1, b"\0\0\0\0\2" + pipe.BatchResult(draining=True).SerializeToString())
        )
        await reader.readuntil(h2.frame(h2.DATA, h2.END_STREAM, 1))
        ended.set()
        writer.close()

    listener = await asyncio.start_server(drain, "127.0.0.1")
    async with _at(listener.sockets[0].getsockname()[1], pipelined()) as client:
        call = asyncio.create_task(client.cache("cache").results.get("k"))
        await asyncio.wait_for(ended.wait(), PATIENCE_S)
        call.cancel()


@pytest.mark.parametrize("how", ["ok", "abort", "draining"])
async def test_n5_gets_succeed_if_a_stream_ends_under_load(server: FakeServer, how: str) -> None:
    async with client_of(server, pipelined()) as client:

        async def caller() -> list[r.GetResponse]:
            return [await client.cache("cache").results.get("k") for _ in range(50)]

        callers = [asyncio.create_task(caller()) for _ in range(20)]
        for _ in range(3):
            seen = server.received.get("get", 0)
            await until(lambda seen=seen: server.received.get("get", 0) > seen or all(c.done() for c in callers))
            server.end_streams(how)
        answers = [answer for answers in await asyncio.gather(*callers) for answer in answers]
        assert len(answers) == 1_000
        assert errors_of(answers) == set()


async def test_n5_gets_succeed_during_a_server_restart_on_the_same_port(configuration: Configuration) -> None:
    async with FakeServer() as first:
        client = client_of(first, configuration)
        await client.cache("cache").results.get("k")
        port = first.port
    calls = [asyncio.create_task(client.cache("cache").results.get("k")) for _ in range(100)]
    await asyncio.sleep(0)
    async with FakeServer(port=port):
        answers = await asyncio.gather(*calls)
        assert errors_of(answers) == set()
        await client.aclose()


async def test_n6_retries_against_a_failing_server_stay_within_the_budget(server: FakeServer) -> None:
    async def unavailable(call: pipe.Operation) -> pipe.Result:
        return pipe.Result(id=call.id, status=pipe.CallStatus(code=14, message="no"))

    server.on_operation = unavailable
    async with client_of(server, capped(pipelined(), 100)) as client:
        answers = await asyncio.gather(*(client.cache("cache").results.get("k") for _ in range(2_000)))
        assert errors_of(answers) == {ErrorCode.UNAVAILABLE}
        assert server.received["get"] <= 2_000 * 1.1 + 100


async def test_n6_unary_retries_against_a_failing_server_stay_within_budget(server: FakeServer) -> None:
    server.unary_status = grpc.StatusCode.UNAVAILABLE
    async with client_of(server, capped(unary(), 100)) as client:
        answers = await asyncio.gather(*(client.cache("cache").results.get("k") for _ in range(1_000)))
        assert errors_of(answers) == {ErrorCode.UNAVAILABLE}
        assert server.received["unary get"] <= 1_000 * 1.1 + 100


async def test_n6_callers_share_one_connection_after_server_restart(configuration: Configuration) -> None:
    async with Proxy(1) as proxy:
        patient = configuration.with_settings(request_timeout_s=1.0)
        async with _at(proxy.port, patient) as client:
            lost = await asyncio.gather(*(client.cache("cache").results.get("k") for _ in range(500)))
            assert errors_of(lost) <= {ErrorCode.UNAVAILABLE, ErrorCode.TIMEOUT} and len(errors_of(lost)) > 0
            async with FakeServer() as back:
                proxy.target = back.port
                before = proxy.accepted
                async with asyncio.timeout(PATIENCE_S):
                    while not isinstance(await client.cache("cache").results.get("k"), r.Miss):
                        await asyncio.sleep(0.01)
                answers = await asyncio.gather(
                    *(client.cache("cache").with_timeout(PATIENCE_S).results.get("k") for _ in range(500))
                )
                assert errors_of(answers) == set()
                assert proxy.accepted - before <= 2, "no stampede: one connection, or one that was under way"


async def test_n6_unreachable_server_gets_few_connection_attempts() -> None:
    async with Proxy(1) as proxy, _at(proxy.port, pipelined().with_settings(request_timeout_s=1.0)) as client:
        answers = await asyncio.gather(*(client.cache("cache").results.get("k") for _ in range(500)))
        assert errors_of(answers) <= {ErrorCode.UNAVAILABLE, ErrorCode.TIMEOUT} and len(errors_of(answers)) > 0
        # The back-off starts at 50 ms and doubles. Jitter at most halves each wait, so within one second the attempts
        # are at least 25, 50, 100, 200 and 400 ms apart.
        assert proxy.accepted <= 8


async def test_n6_connect_succeeds_after_100000_failed_attempts(server: FakeServer) -> None:
    brief = pipelined().with_settings(max_back_off_s=0.08)
    async with client_of(server, brief) as client:
        assert isinstance(await client.cache("cache").results.get("k"), r.Miss)
        transport = cast(Any, client)._calls._started()._pipeline
        server.end_streams("ok")
        await until(lambda: transport.connections == 0)
        # Simulate the number of attempts after a long outage. The wait must not exceed its maximum.
        transport._link._attempts = 100_000
        assert isinstance(await client.cache("cache").results.get("k"), r.Miss)


async def test_n9_each_call_on_a_broken_stream_ends_once(server: FakeServer) -> None:
    server.on_operation = no_answer
    async with client_of(server, capped(pipelined(), 4_000)) as client:
        gets = [asyncio.create_task(client.cache("cache").results.get("k")) for _ in range(2_000)]
        increments = [asyncio.create_task(client.cache("cache").results.increment("n")) for _ in range(2_000)]
        await until(lambda: server.received.get("increment", 0) == 2_000)
        server.on_operation = None
        server.end_streams("abort")
        assert errors_of(await asyncio.gather(*gets)) == set()
        assert errors_of(await asyncio.gather(*increments)) == {ErrorCode.UNAVAILABLE}
        assert server.received["increment"] == 2_000, "what may have run is not sent again"
        assert client.statistics().in_flight == 0


async def test_server_without_pipeline_receives_unary_calls(server: FakeServer) -> None:
    async with FakeServer(pipeline=False) as old, client_of(old) as client:
        answers = await asyncio.gather(*(client.cache("cache").results.get("k") for _ in range(50)))
        assert errors_of(answers) == set()
        assert old.received == {"unary get": 50}
        assert not client.statistics().pipelined


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (grpc.StatusCode.UNAUTHENTICATED, ErrorCode.UNAUTHENTICATED),
        (grpc.StatusCode.PERMISSION_DENIED, ErrorCode.PERMISSION_DENIED),
    ],
)
async def test_calls_on_a_rejected_stream_report_why_it_was_rejected(
    server: FakeServer, status: grpc.StatusCode, code: ErrorCode
) -> None:
    server.refuse_streams = status
    async with client_of(server, pipelined()) as client:
        answer = await client.cache("cache").results.get("k")
        assert isinstance(answer, r.Error) and answer.code is code
        assert "refused" in answer.message
