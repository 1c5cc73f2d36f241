"""The deadlines of calls with individual timeouts use one timer for each distinct timeout."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest

from larder_cache import Configuration, ErrorCode
from larder_cache import responses as r
from larder_cache._internal.calls.deadline_lists import DeadlineLists
from protobuf_messages import pipeline_pb2 as pipe
from tests.conftest import capped, client_of, until
from tests.support.fake_server import FakeServer


@dataclass(eq=False)
class Timed:
    """A fake call with only the attributes that the deadline lists use."""

    started: float
    deadline: float


def _timers() -> int:
    loop: Any = asyncio.get_running_loop()
    return sum(not timer.cancelled() for timer in loop._scheduled)


@pytest.mark.parametrize("cap", [20_000, 7])
async def test_calls_with_the_same_timeout_share_one_timer(
    server: FakeServer, configuration: Configuration, cap: int
) -> None:
    answered = asyncio.Event()

    async def hold(call: pipe.Operation) -> pipe.Result:
        await answered.wait()
        return server.answer(call)

    async def gate() -> None:
        await answered.wait()

    server.on_operation, server.unary_gate = hold, gate
    async with client_of(server, capped(configuration, cap)) as client:
        before = _timers()
        calls = [
            asyncio.create_task(client.cache("cache").with_timeout(20 + i % 3).results.get("k")) for i in range(3_000)
        ]
        await until(lambda: client.statistics().in_flight + client.statistics().queued == 3_000)
        assert _timers() - before <= 12, "one for each of three timeouts, and the client's own"
        answered.set()
        assert {type(answer) for answer in await asyncio.gather(*calls)} == {r.Miss}
        assert client.statistics().in_flight == client.statistics().queued == 0
    assert _timers() <= before + 6


async def test_each_call_times_out_at_its_own_deadline(server: FakeServer, configuration: Configuration) -> None:
    async def never() -> None:
        await asyncio.Event().wait()

    async def nothing(_: pipe.Operation) -> pipe.Result | None:
        return None

    server.on_operation, server.unary_gate = nothing, never
    ended: list[int] = []

    async with client_of(server, capped(configuration, 50)) as client:

        async def ask(i: int) -> None:
            answer = await client.cache("cache").with_timeout((0.4, 0.1, 0.25)[i % 3]).results.get("k")
            assert isinstance(answer, r.Error) and answer.code is ErrorCode.TIMEOUT
            ended.append(i % 3)

        await asyncio.gather(*(ask(i) for i in range(300)))
        assert ended == sorted(ended, key=[1, 2, 0].index) and client.statistics().in_flight == 0


async def test_million_distinct_timeouts_use_at_most_64_deadline_lists() -> None:
    loop = asyncio.get_running_loop()
    before = _timers()
    lists = DeadlineLists(loop, lambda _: None)
    for i in range(1_000_000):
        call: Any = Timed(started=0.0, deadline=loop.time() + 60 + i / 1_000)
        lists.add(call)
        lists.remove(call)
    assert lists.timeouts <= 64 and _timers() - before <= 64
    lists.stop()


async def test_deadline_list_emptied_during_expiry_is_removed() -> None:
    loop = asyncio.get_running_loop()
    expired: list[Any] = []

    def expire(call: Any) -> None:
        expired.append(call)
        lists.remove(second)

    lists = DeadlineLists(loop, expire)
    now = loop.time()
    others: list[Any] = [Timed(started=now, deadline=now + 1_000 + i) for i in range(70)]
    for each in others:
        lists.add(each)
    first: Any = Timed(started=now, deadline=now + 0.01)
    second: Any = Timed(started=now, deadline=now + 0.01)
    lists.add(first)
    lists.add(second)
    await until(lambda: bool(expired))
    assert expired == [first] and lists.watched == 70
    lists.stop()
