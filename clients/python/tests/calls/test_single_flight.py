"""get_or_set and @cached make one factory call per key, even if some callers stop waiting."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable

import pytest

from larder_cache import CacheClient, CacheError, Configurations, CredentialProvider, cached, sync
from larder_cache._internal.calls.single_flight import SingleFlight
from larder_cache._internal.integrations.django_clients import Clients
from larder_cache._internal.integrations.shared_clients import SharedClients
from protobuf_messages import pipeline_pb2 as pipe
from tests.conftest import client_of, until
from tests.support.fake_server import FakeServer


async def test_concurrent_callers_share_one_factory_call() -> None:
    flights: SingleFlight[str, int] = SingleFlight()
    calls: list[int] = []
    gate = asyncio.Event()

    async def make() -> int:
        calls.append(1)
        await gate.wait()
        return len(calls)

    tasks = [asyncio.create_task(flights.run("k", make)) for _ in range(10)]
    await until(lambda: len(calls) == 1)
    gate.set()
    assert await asyncio.gather(*tasks) == [1] * 10
    assert await flights.run("k", make) == 2, "a landed flight is not taken again"


async def test_factory_error_reaches_all_waiting_callers_and_is_not_cached() -> None:
    flights: SingleFlight[str, int] = SingleFlight()

    async def fail() -> int:
        raise LookupError("no such user")

    async def make() -> int:
        return 1

    answers = await asyncio.gather(*(flights.run("k", fail) for _ in range(3)), return_exceptions=True)
    assert [type(answer) for answer in answers] == [LookupError] * 3
    assert await flights.run("k", make) == 1


async def test_cancelled_first_caller_does_not_cancel_the_shared_call() -> None:
    flights: SingleFlight[str, int] = SingleFlight()
    gate = asyncio.Event()

    async def make() -> int:
        await gate.wait()
        return 1

    first, second = (asyncio.create_task(flights.run("k", make)) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    gate.set()
    assert await second == 1


async def test_cancelling_the_last_caller_cancels_the_factory_call() -> None:
    flights: SingleFlight[str, int] = SingleFlight()
    ended: list[str] = []

    async def make() -> int:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")
        return 1

    only = asyncio.create_task(flights.run("k", make))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    only.cancel()
    await asyncio.gather(only, return_exceptions=True)
    await until(lambda: ended == ["cancelled"])


async def test_deadlock_check_visits_each_nested_load_once() -> None:
    flights: SingleFlight[object, str] = SingleFlight()
    reached, gate = asyncio.Event(), asyncio.Event()

    # There are 2 to the power of 40 paths to the innermost load, so a check that follows each path would never end.
    def nest(depth: int) -> Awaitable[str]:
        async def make() -> str:
            if depth == 40:
                reached.set()
                await gate.wait()
                return "last"
            return (await asyncio.gather(nest(depth + 1), nest(depth + 1)))[0]

        return flights.run(depth, make)

    made = asyncio.ensure_future(nest(0))
    await reached.wait()

    async def outside() -> str:
        asked = asyncio.ensure_future(nest(0))
        await asyncio.sleep(0)
        gate.set()
        return await asked

    assert await asyncio.gather(made, flights.run("outside", outside)) == ["last", "last"]


async def test_get_or_set_cancelled_during_get_runs_no_factory(server: FakeServer) -> None:
    asked = asyncio.Event()

    async def silent(_: pipe.Operation) -> pipe.Result | None:
        asked.set()
        return None

    made = False

    async def make() -> str:
        nonlocal made
        made = True
        return "value"

    server.on_operation = silent
    async with client_of(server) as client:
        call = asyncio.create_task(client.cache("cache").get_or_set("k", make))
        await asked.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await until(lambda: client.held()["flights"] == 0 and client.statistics().in_flight == 0)
    assert not made


async def test_invalid_ttl_raises_and_ttl_rejected_by_server_is_logged(
    server: FakeServer, caplog: pytest.LogCaptureFixture
) -> None:
    async def refuse(call: pipe.Operation) -> pipe.Result:
        if call.WhichOneof("call") == "set":
            return pipe.Result(id=call.id, status=pipe.CallStatus(code=3, message="the time is past --max-ttl"))
        return server.answer(call)

    async def make() -> str:
        return "made"

    async def never() -> str:
        raise AssertionError("not called")

    server.on_operation = refuse
    async with client_of(server) as client:
        cache = client.cache("cache")
        for ttl in (0, -1, 366 * 86_400):
            with pytest.raises(CacheError):
                await cache.get_or_set("k", never, ttl=ttl)
        with caplog.at_level(logging.ERROR, "larder_cache"):
            assert [await cache.get_or_set(key, make, ttl=30 * 86_400) for key in ("a", "b")] == [b"made"] * 2
        said = [record.getMessage() for record in caplog.records if record.name == "larder_cache"]
        assert len(said) == 1 and "--max-ttl" in said[0]


def user_key(number: int, full: bool = False) -> str:
    return f"user {number} {full}"


async def test_cached_function_runs_once_until_invalidated(server: FakeServer) -> None:
    async with client_of(server) as client:
        calls: list[int] = []

        @cached(client.cache("cache"), ttl=30, key=user_key)
        async def user(number: int, *, full: bool = False) -> dict[str, object]:
            """Load a user."""
            calls.append(number)
            return {"id": number, "full": full}

        assert [await user(7) for _ in range(3)] == [{"id": 7, "full": False}] * 3
        assert await user(7, full=True) == {"id": 7, "full": True}
        assert calls == [7, 7]
        await user.invalidate(7)
        await user(7)
        assert calls == [7, 7, 7]
        assert user.__doc__ == "Load a user."


async def test_get_or_set_returns_factory_value_if_server_is_unreachable() -> None:
    async with FakeServer() as gone:
        client = client_of(gone)
    async with client:
        cache = client.cache("cache")

        async def make() -> str:
            return "made"

        assert await cache.get_or_set("k", make) == b"made"


async def test_get_or_set_raises_for_an_invalid_key(server: FakeServer) -> None:
    async with client_of(server) as client:

        async def make() -> str:
            raise AssertionError("not called")

        with pytest.raises(CacheError):
            await client.cache("cache").get_or_set("", make)


async def test_handles_of_one_cache_share_one_factory_call_per_key(server: FakeServer) -> None:
    loads: list[str] = []
    gate = asyncio.Event()

    async def load() -> str:
        loads.append("load")
        await gate.wait()
        return "page"

    async with client_of(server) as client:
        calls = [asyncio.create_task(client.cache("cache").get_or_set("page", load)) for _ in range(10)]
        other = asyncio.create_task(client.cache("other").get_or_set("page", load))
        await until(lambda: len(loads) == 2)
        gate.set()
        assert await asyncio.gather(*calls, other) == [b"page"] * 11
    assert len(loads) == 2, "one for each cache"


async def test_goc_16_clients_with_different_tokens_share_no_factory_call(server: FakeServer) -> None:
    at = CredentialProvider.local(port=server.port)
    gate, began = asyncio.Event(), asyncio.Event()

    async def slow() -> str:
        began.set()
        await gate.wait()
        return "one's"

    async def quick() -> str:
        return "other's"

    async with (
        CacheClient(at.with_token("first-token"), default_ttl=60) as one,
        CacheClient(at.with_token("second-token"), default_ttl=60) as other,
    ):
        first = asyncio.create_task(one.cache("cache").results.get_or_set("k", slow))
        await asyncio.wait_for(began.wait(), 60)
        assert await asyncio.wait_for(other.cache("cache").results.get_or_set("k", quick), 60) == b"other's"
        gate.set()
        assert await first == b"one's"


async def test_goc_16_blocking_clients_with_different_tokens_share_no_factory_call(server: FakeServer) -> None:
    at = CredentialProvider.local(port=server.port)
    gate, began = threading.Event(), threading.Event()

    def slow() -> str:
        began.set()
        gate.wait(60)
        return "one's"

    def run() -> None:
        with (
            sync.CacheClient(at.with_token("first-token"), default_ttl=60) as one,
            sync.CacheClient(at.with_token("second-token"), default_ttl=60) as other,
        ):
            values: list[bytes] = []
            first = threading.Thread(target=lambda: values.append(one.cache("cache").results.get_or_set("k", slow)))
            first.start()
            assert began.wait(60)
            assert other.cache("cache").results.get_or_set("k", lambda: "other's") == b"other's"
            gate.set()
            first.join(60)
            assert values == [b"one's"]

    await asyncio.to_thread(run)


def test_goc_16_shared_clients_are_separate_for_each_token() -> None:
    at, settings = CredentialProvider.local(port=1), Configurations.Laptop.latest()
    for made in (Clients(), SharedClients()):
        one = made.of(at.with_token("first-token"), settings)
        assert made.of(at.with_token("second-token"), settings) is not one
        assert made.of(at.with_token("first-token"), settings) is one
