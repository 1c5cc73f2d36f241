"""N7: calls over the concurrency limit wait in a bounded queue, with the fake server."""

from __future__ import annotations

import asyncio
import gc
import tracemalloc

from larder_cache import Configuration, ErrorCode
from larder_cache import responses as r
from protobuf_messages import pipeline_pb2 as pipe
from tests.conftest import capped, client_of, pipelined, unary, until
from tests.support.fake_server import FakeServer
from tests.transport.fault_helpers import errors_of, no_answer, wait_for


async def test_n7_ten_thousand_callers_complete_with_a_bounded_queue(server: FakeServer) -> None:
    async with client_of(server, capped(pipelined(), 100)) as client:
        answers = await asyncio.gather(*(client.cache("cache").results.get(f"k{i}") for i in range(10_000)))
        assert all(isinstance(answer, r.Miss) for answer in answers)
        assert max(server.batches) <= 100


async def test_n7_callers_over_the_limit_are_served_in_order(server: FakeServer) -> None:
    seen: list[bytes] = []

    async def note(call: pipe.Operation) -> pipe.Result:
        seen.append(call.get.key)
        return server.answer(call)

    server.on_operation = note
    async with client_of(server, capped(pipelined(), 50)) as client:
        calls = [client.cache("cache").results.get(f"k{i}") for i in range(10_000)]
        await asyncio.gather(*calls)
        assert seen == [b"k%d" % i for i in range(10_000)]
        assert (client.statistics().in_flight, client.statistics().queued) == (0, 0)


async def test_n7_ten_thousand_unary_callers_complete(server: FakeServer) -> None:
    async with client_of(server, capped(unary(), 50)) as client:
        answers = await asyncio.gather(*(client.cache("cache").results.get(f"k{i}") for i in range(10_000)))
        assert all(isinstance(answer, r.Miss) for answer in answers)
        assert (client.statistics().in_flight, client.statistics().queued) == (0, 0)


async def test_n7_repeated_mass_cancellations_do_not_increase_memory(server: FakeServer) -> None:
    server.on_operation = no_answer
    async with client_of(server, capped(pipelined(), 10)) as client:

        async def crowd() -> int:
            calls = [asyncio.create_task(client.cache("cache").results.get("k")) for _ in range(10_000)]
            await until(lambda: client.statistics().queued == 9_990)
            for call in calls[10:]:
                call.cancel()
            await until(lambda: client.statistics().queued == 0)
            for call in calls:
                call.cancel()
            await asyncio.gather(*calls, return_exceptions=True)
            del calls
            gc.collect()
            return tracemalloc.get_traced_memory()[0]

        tracemalloc.start()
        try:
            await crowd()
            second = await crowd()
            assert await crowd() <= second + 100_000, "ten bytes for each caller that came and went"
        finally:
            tracemalloc.stop()


async def test_n7_calls_over_the_queue_limit_fail_immediately(server: FakeServer, configuration: Configuration) -> None:
    held = asyncio.Event()
    server.unary_gate = lambda: wait_for(held)

    async def hold(call: pipe.Operation) -> pipe.Result:
        await held.wait()
        return server.answer(call)

    server.on_operation = hold
    async with client_of(server, capped(configuration, 2).with_settings(queue_limit=3)) as client:
        calls = [asyncio.create_task(client.cache("cache").results.get("k")) for _ in range(10)]
        await until(lambda: sum(call.done() for call in calls) == 5)
        held.set()
        answers = await asyncio.gather(*calls)
        assert errors_of(answers) == {ErrorCode.CLIENT_OVERLOADED}
        assert sum(isinstance(answer, r.Miss) for answer in answers) == 5


async def test_n7_queued_calls_past_their_deadline_are_not_sent(
    server: FakeServer, configuration: Configuration
) -> None:
    held = asyncio.Event()
    server.unary_gate = lambda: wait_for(held)

    async def hold(call: pipe.Operation) -> pipe.Result:
        await held.wait()
        return server.answer(call)

    server.on_operation = hold

    def received() -> int:
        return server.received.get("get", 0) + server.received.get("unary get", 0)

    async with client_of(server, capped(configuration, 5)) as client:
        # These calls have late deadlines and hold every permit until all other calls have ended.
        holders = [asyncio.create_task(client.cache("cache").results.get("k")) for _ in range(5)]
        await until(lambda: received() == 5)
        answers = await asyncio.gather(*(client.cache("cache").with_timeout(0.05).results.get("k") for _ in range(100)))
        assert errors_of(answers) == {ErrorCode.TIMEOUT} and len(answers) == 100
        assert (client.statistics().in_flight, client.statistics().queued, received()) == (5, 0, 5)
        held.set()
        assert await asyncio.gather(*holders) == [r.Miss()] * 5 and received() == 5
