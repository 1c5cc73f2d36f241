"""Each client has one concurrency limit and one queue for all transports."""

from __future__ import annotations

import asyncio

import pytest

from larder_cache import CacheClient, Configurations, CredentialProvider, ErrorCode, Transport
from larder_cache import responses as r
from larder_cache import sync
from larder_cache._internal.transport.channel_pool import count_of
from protobuf_messages import cache_pb2 as pb
from protobuf_messages import pipeline_pb2 as pipe
from tests.conftest import PATIENCE_S, capped, client_of, pipelined, until
from tests.support.fake_server import FakeServer

LARGE = bytes(70_000)


class Held:
    """A server that holds responses until the test releases them, and counts concurrent calls on both transports."""

    def __init__(self, server: FakeServer) -> None:
        self.now = self.most = 0
        self.open = asyncio.Event()
        self._server = server
        server.on_operation, server.unary_gate = self._operation, self._gate

    async def _gate(self) -> None:
        self.now += 1
        self.most = max(self.most, self.now)
        await self.open.wait()
        self.now -= 1

    async def _operation(self, call: pipe.Operation) -> pipe.Result:
        await self._gate()
        return self._server.answer(call)


def _start_mixed_calls(client: CacheClient, count: int) -> list[asyncio.Task[r.SetResponse]]:
    return [asyncio.create_task(client.cache("cache").results.set("k", LARGE if i % 2 else b"v")) for i in range(count)]


async def test_small_and_large_calls_share_one_limit_and_queue(server: FakeServer) -> None:
    held = Held(server)
    async with client_of(server, capped(pipelined(), 3)) as client:
        calls = _start_mixed_calls(client, 10)
        await until(lambda: held.now == 3)
        assert (client.statistics().in_flight, client.statistics().queued) == (3, 7)
        assert client.statistics().in_flight_limit == 3
        held.open.set()
        assert {type(each) for each in await asyncio.gather(*calls)} == {r.Success}
        assert held.most == 3 and server.received == {"set": 5, "unary set": 5}
        assert not any(client.held().values())


async def test_queue_limit_covers_small_and_large_calls_together(server: FakeServer) -> None:
    held = Held(server)
    async with client_of(server, capped(pipelined(), 1).with_settings(queue_limit=4)) as client:
        calls = _start_mixed_calls(client, 9)
        await until(lambda: sum(call.done() for call in calls) == 4)
        held.open.set()
        answers = await asyncio.gather(*calls)
        errors = [each.code for each in answers if isinstance(each, r.Error)]
        assert errors == [ErrorCode.CLIENT_OVERLOADED] * 4 and held.most == 1


async def test_queue_limit_of_zero_rejects_calls_over_the_limit(server: FakeServer) -> None:
    held = Held(server)
    async with client_of(server, capped(pipelined(), 2).with_settings(queue_limit=0)) as client:
        calls = _start_mixed_calls(client, 4)
        await until(lambda: sum(call.done() for call in calls) == 2)
        held.open.set()
        assert [type(each) for each in await asyncio.gather(*calls)] == [r.Success] * 2 + [r.Error] * 2


@pytest.mark.parametrize("past", [0, 1])
async def test_pipe_10_size_of_the_encoded_request_selects_the_transport(server: FakeServer, past: int) -> None:
    size = 65_536 + past
    request = pb.SetRequest(key=b"k", value=bytes(size), ttl_ms=60_000)
    request.value = bytes(size - (request.ByteSize() - size))
    asked = pb.KeysExistRequest(keys=[b"k"] * 20_000)
    asked.keys.append(bytes(size - asked.ByteSize() - 3))
    assert (request.ByteSize(), asked.ByteSize()) == (size, size)

    def block() -> None:
        at = CredentialProvider.local(port=server.port)
        with sync.CacheClient(at, default_ttl=60, configuration=pipelined()) as blocking:
            for _ in range(2):
                # The first call uses the shared pipeline, and the second call an exclusive connection of the thread.
                assert isinstance(blocking.cache("cache").results.set("k", request.value), r.Success)

    async with client_of(server, pipelined()) as client:
        assert isinstance(await client.cache("cache").results.set("k", request.value), r.Success)
        await asyncio.to_thread(block)
        # The fake server does not support this call, but it counts the request on the transport that was used.
        await client.cache("cache").results.keys_exist(list(asked.keys))
    counts = [server.received.get(kind, 0) for kind in ("set", "unary set", "keys_exist")]
    assert counts == ([0, 3, 0] if past else [3, 0, 1])


async def test_large_response_is_fetched_by_unary_call_with_same_permit(server: FakeServer) -> None:
    async def large(call: pipe.Operation) -> pipe.Result:
        return pipe.Result(id=call.id, use_unary=pipe.UseUnary())

    held = Held(server)
    server.items[b"k"] = LARGE
    server.on_operation = large
    async with client_of(server, capped(pipelined(), 1)) as client:
        gets = [asyncio.create_task(client.cache("cache").results.get("k")) for _ in range(3)]
        await until(lambda: held.now == 1)
        assert (client.statistics().in_flight, client.statistics().queued) == (1, 2)
        held.open.set()
        assert await asyncio.gather(*gets) == [r.Hit(LARGE)] * 3
        assert held.most == 1 and not any(client.held().values())


@pytest.mark.parametrize("adaptive_target_s", [None, 1.0])
async def test_server_without_pipeline_uses_the_unary_limit(adaptive_target_s: float | None) -> None:
    async with FakeServer(pipeline=False) as old:
        held = Held(old)
        configuration = Configurations.Laptop.v1().with_settings(
            request_timeout_s=PATIENCE_S,
            max_in_flight_unary=2,
            max_in_flight_pipeline=5,
            adaptive_target_s=adaptive_target_s,
        )
        async with client_of(old, configuration) as client:
            first = asyncio.create_task(client.cache("cache").results.get("k"))
            await until(lambda: held.now == 1)
            calls = [asyncio.create_task(client.cache("cache").results.get("k")) for _ in range(6)]
            await until(lambda: held.now == 2)
            assert client.statistics().in_flight_limit == 2
            held.open.set()
            assert {type(each) for each in await asyncio.gather(first, *calls)} == {r.Miss} and held.most == 2


async def test_queued_large_call_ends_at_deadline_or_client_close(
    server: FakeServer,
) -> None:
    held = Held(server)
    async with client_of(server, capped(pipelined(), 1)) as client:
        first = asyncio.create_task(client.cache("cache").results.set("k", b"v"))
        await until(lambda: held.now == 1)
        late = await client.cache("cache").with_timeout(0.05).results.set("k", LARGE)
        assert (
            isinstance(late, r.Error)
            and late.code is ErrorCode.TIMEOUT
            and "waiting in the client's queue" in late.message
        )
        waiting = asyncio.create_task(client.cache("cache").results.set("k", LARGE))
        given_up = asyncio.create_task(client.cache("cache").results.set("k", LARGE))
        await until(lambda: client.statistics().queued == 2)
        given_up.cancel()
        await until(lambda: client.statistics().queued == 1)
        await client.aclose()
        for answer in await asyncio.gather(first, waiting):
            assert isinstance(answer, r.Error) and answer.code is ErrorCode.CANCELLED
        held.open.set()
    assert "unary set" not in server.received


def test_default_channel_count_is_one_per_100_concurrent_calls() -> None:
    usual = Configurations.Laptop.v1().with_settings(channels=0, transport=Transport.UNARY)
    counts = [count_of(usual.with_settings(max_in_flight_unary=cap)) for cap in (1, 100, 101, 100_000, None)]
    assert counts == [1, 1, 2, 100, 1] and count_of(usual.with_settings(channels=7)) == 7
