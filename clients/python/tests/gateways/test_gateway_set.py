"""The choice of a gateway, and gateways that become unavailable and available again.

The tests use virtual time and fake gateways.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from larder_cache import ErrorCode
from larder_cache import responses as r
from larder_cache._internal.gateways import gateway_set
from larder_cache.errors import UNAVAILABLE, Failure
from tests.gateways.fake_gateways import FakeGateway, Fleet, VirtualTime

LOST = Failure(UNAVAILABLE, "the connection was lost")
REFUSED = Failure(UNAVAILABLE, "no", "not_executed", not_executed=True)
NO_TOKEN = Failure(16, "no token", not_executed=True)


def _simulated(test: Callable[[Fleet], Coroutine[Any, Any, None]], up: list[bool], timeout_s: float = 60.0) -> None:
    """Run a test in virtual time, with reproducible draws."""
    random.seed(1)
    time = VirtualTime()
    loop = asyncio.SelectorEventLoop(time)
    loop.time = lambda: time.now

    async def run() -> None:
        fleet = Fleet(up, timeout_s)
        await test(fleet)
        assert (fleet.runner.limiter.in_flight, fleet.runner.limiter.queued) == (0, 0)
        await fleet.runner.aclose()

    try:
        loop.run_until_complete(run())
    finally:
        loop.close()


@pytest.fixture(autouse=True)
def fake_gateways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway_set, "Gateway", FakeGateway)


def test_gateway_5_calls_skip_a_gateway_that_is_down() -> None:
    async def test(fleet: Fleet) -> None:
        await fleet.gets(100)
        assert fleet.sent == [0, 100]

    _simulated(test, [False, True])


def test_gateway_6_call_is_sent_to_the_less_loaded_gateway() -> None:
    async def test(fleet: Fleet) -> None:
        fleet.gateways[1].pretended = fleet.gateways[2].pretended = 5
        await fleet.gets(3_000)
        # For each call, the client picks two of the three gateways at random and uses the less loaded one. The least
        # loaded gateway is among the two for two thirds of all calls.
        least, *others = fleet.sent
        assert 1_900 < least < 2_100
        assert all(400 < other < 600 for other in others)

    _simulated(test, [True, True, True])


def test_gateway_7_retry_avoids_the_gateway_that_just_failed() -> None:
    async def test(fleet: Fleet) -> None:
        first, second = fleet.gateways
        second.pretended = 1_000
        call = await fleet.begun()
        first.answers = second.answers = False
        assert fleet.sent == [1, 0]
        first.pipeline.fail_all(LOST)
        await asyncio.sleep(0.1)
        assert fleet.sent == [1, 1]
        first.pretended, second.pretended = 1_000, 0
        second.pipeline.fail_all(LOST)
        await asyncio.sleep(0.2)
        assert fleet.sent == [2, 1]
        first.pipeline.answer_all()
        assert isinstance(await call, r.Miss)

    _simulated(test, [True, True])


def test_gateway_7_retries_are_spread_over_all_other_gateways() -> None:
    async def test(fleet: Fleet) -> None:
        failing, *others = fleet.gateways
        for other in others:
            other.pretended = 1_000
        for _ in range(200):
            call = await fleet.begun()
            before = failing.sent
            failing.pipeline.fail_all(LOST)
            for other in others:
                other.pipeline.answer_all()
            await asyncio.sleep(0.1)
            assert isinstance(await call, r.Miss)
            assert failing.sent == before
        assert min(fleet.sent[1:]) > 50

    _simulated(test, [True, True, True])


def test_gateway_7_retry_reuses_the_only_gateway_that_is_up() -> None:
    async def test(fleet: Fleet) -> None:
        call = await fleet.begun()
        fleet.gateways[0].pipeline.fail_all(LOST)
        assert isinstance(await call, r.Miss)
        assert fleet.sent == [2, 0]

    _simulated(test, [True, False])


def test_gateway_8_removed_gateway_rejoins_after_background_reconnect() -> None:
    async def test(fleet: Fleet) -> None:
        away, there = fleet.gateways
        away.refuse()
        await fleet.gets(1)
        while away.tries < 2:
            await asyncio.sleep(0.01)
        away.become_available()
        await fleet.gets(100)
        assert 20 < away.sent < 80
        assert there.tries == 0

    _simulated(test, [False, True])


def test_gateway_9_rejecting_gateway_is_paused_with_doubling_back_off() -> None:
    async def test(fleet: Fleet) -> None:
        refusing, other = fleet.gateways
        other.pretended = 1_000
        for least_s, most_s in (0.010, 0.020), (0.020, 0.040), (0.040, 0.080):
            before = refusing.sent
            # Several rejections while the gateway is out of rotation count as one rejection.
            calls = [await fleet.begun(), await fleet.begun()]
            assert refusing.sent == before + 2
            refusing.pipeline.fail_all(REFUSED)
            await asyncio.sleep(least_s - 0.0001)
            await fleet.gets(1)
            assert refusing.sent == before + 2
            await asyncio.sleep(most_s - least_s + 0.0002)
            await fleet.gets(1)
            assert refusing.sent == before + 3
            for call in calls:
                assert isinstance(await call, r.Miss)

    _simulated(test, [True, True])


def test_gateway_9_lost_call_does_not_pause_its_gateway() -> None:
    async def test(fleet: Fleet) -> None:
        fleet.gateways[1].pretended = 1_000
        call = await fleet.begun()
        fleet.gateways[0].pipeline.fail_all(LOST)
        await asyncio.sleep(0)
        await fleet.gets(1)
        assert fleet.sent == [2, 0]
        assert isinstance(await call, r.Miss)

    _simulated(test, [True, True])


def test_gateway_9_rejected_stream_pauses_its_gateway_even_after_reconnecting() -> None:
    async def test(fleet: Fleet) -> None:
        refusing, other = fleet.gateways
        other.pretended = 1_000
        refusing.refuse(NO_TOKEN)
        await fleet.gets(1)
        refusing.become_available()
        await asyncio.sleep(0.0099)
        await fleet.gets(10)
        assert fleet.sent == [0, 11]
        await asyncio.sleep(0.0102)
        await fleet.gets(1)
        assert fleet.sent == [1, 11]

    _simulated(test, [False, True])


def test_gateway_9_calls_are_sent_if_all_gateways_are_paused() -> None:
    async def test(fleet: Fleet) -> None:
        first, second = fleet.gateways
        second.pretended = 1_000
        calls = [await fleet.begun()]
        first.pipeline.fail_all(REFUSED)
        await asyncio.sleep(0)
        calls.append(await fleet.begun())
        second.pipeline.fail_all(REFUSED)
        await asyncio.sleep(0)
        assert fleet.sent == [1, 1]
        await fleet.gets(1)
        assert fleet.sent == [2, 1]
        for call in calls:
            assert isinstance(await call, r.Miss)

    _simulated(test, [True, True])


def test_gateway_10_calls_wait_for_the_first_gateway_to_connect() -> None:
    async def test(fleet: Fleet) -> None:
        calls = [fleet.get() for _ in range(10)]
        await asyncio.sleep(0.01)
        assert [gateway.tries for gateway in fleet.gateways] == [1, 1, 1]
        fleet.gateways[0].refuse()
        fleet.gateways[1].become_available()
        for call in calls:
            assert isinstance(await call, r.Miss)
        assert fleet.sent == [0, 10, 0]

    _simulated(test, [False, False, False])


@pytest.mark.parametrize(("stream", "code"), [(None, ErrorCode.UNAVAILABLE), (NO_TOKEN, ErrorCode.UNAUTHENTICATED)])
def test_gateway_10_call_reports_why_all_gateways_reject_it(stream: Failure | None, code: ErrorCode) -> None:
    async def test(fleet: Fleet) -> None:
        for gateway in fleet.gateways:
            gateway.refuse(stream)
        for _ in range(2):
            answer = await fleet.get()
            assert isinstance(answer, r.Error) and answer.code is code, answer
            assert ("the test refuses" if stream is None else "no token") in answer.message
        assert asyncio.get_running_loop().time() < 30, "long before their deadline"

    _simulated(test, [False, False])


def test_gateway_10_call_that_finds_no_gateway_frees_its_permit() -> None:
    async def test(fleet: Fleet) -> None:
        assert isinstance(await fleet.get(), r.Error)
        for gateway in fleet.gateways:
            gateway.become_available()
        await asyncio.sleep(1)
        assert fleet.sent == [0, 0]

    _simulated(test, [False, False], timeout_s=0.5)
