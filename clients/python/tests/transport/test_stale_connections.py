"""Connections that were lost without a reset are replaced after silence, and after a gap in the clock."""

from __future__ import annotations

import asyncio
import gc
import time
import weakref
from collections.abc import Callable
from typing import Any, TypeVar, cast

import pytest

from larder_cache import CacheClient, Configuration, Configurations, CredentialProvider, ErrorCode, Transport
from larder_cache import responses as r
from larder_cache import sync
from larder_cache._internal.transport import stale_connections
from larder_cache._internal.transport.clock_gap import LIMIT_S, ClockGap
from larder_cache._internal.transport.stale_connections import SILENCE_S, StaleConnections
from protobuf_messages import pipeline_pb2 as pipe
from tests.conftest import PATIENCE_S, until
from tests.support.fake_server import FakeServer
from tests.support.proxy import Proxy

T = TypeVar("T")
# The client sends a value of this size as a unary call.
_LARGE = bytes(100_000)


def _frozen_function(transport: Transport, **settings: Any) -> Configuration:
    """Return settings without keepalive, for processes that are stopped between calls."""
    return Configurations.Lambda.v1().with_settings(
        request_timeout_s=PATIENCE_S, connect_timeout_s=PATIENCE_S, transport=transport, **settings
    )


@pytest.fixture(params=["unary", "pipeline"])
def settings(request: pytest.FixtureRequest) -> Configuration:
    return _frozen_function(Transport.UNARY if request.param == "unary" else Transport.PIPELINE)


def _client(proxy: Proxy, settings: Configuration) -> CacheClient:
    return CacheClient(CredentialProvider.local(port=proxy.port), default_ttl=60, configuration=settings)


async def _in_thread(work: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(None, work)


def _is_timeout(answer: object) -> bool:
    return isinstance(answer, r.Error) and answer.code is ErrorCode.TIMEOUT


def _stop_process(client: Any, seconds: float) -> None:
    """Make the client's clock show that the process was stopped for this long."""
    for runner in client._calls._runners.values():
        stale = runner.stale
        stale._monotonic = lambda clock=stale._monotonic: clock() + seconds
        stale._wall = lambda clock=stale._wall: clock() + seconds


# The following tests replace connections after silence.


async def test_silent_connection_is_replaced_after_one_timeout(server: FakeServer, settings: Configuration) -> None:
    async with Proxy(server.port) as proxy, _client(proxy, settings) as client:
        assert isinstance(await client.cache("cache").results.set("k", "v"), r.Success)
        proxy.freeze()
        assert _is_timeout(await client.cache("cache").with_timeout(SILENCE_S * 2).results.get("k"))
        assert [await client.cache("cache").results.get("k") for _ in range(3)] == [r.Hit(b"v")] * 3
        assert proxy.accepted == 2 and client.statistics().in_flight == 0
        await until(lambda: client.statistics().connections == 1)


async def test_silent_connection_is_replaced_even_if_the_call_is_cancelled(
    server: FakeServer, settings: Configuration
) -> None:
    async with Proxy(server.port) as proxy, _client(proxy, settings) as client:
        await client.cache("cache").results.set("k", "v")
        proxy.freeze()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(SILENCE_S * 2):
                await client.cache("cache").results.get("k")
        assert await client.cache("cache").results.get("k") == r.Hit(b"v")


async def test_silent_connection_is_replaced_even_with_short_deadlines(
    server: FakeServer, settings: Configuration
) -> None:
    async with Proxy(server.port) as proxy, _client(proxy, settings) as client:
        await client.cache("cache").results.set("k", "v")
        proxy.freeze()
        async with asyncio.timeout(PATIENCE_S):
            while proxy.accepted == 1:
                await client.cache("cache").with_timeout(SILENCE_S / 10).results.get("k")
        assert await client.cache("cache").results.get("k") == r.Hit(b"v")


@pytest.mark.parametrize("part", [0.1, 0.5])
async def test_connection_is_kept_if_timeout_is_below_the_silence_limit(
    server: FakeServer, settings: Configuration, part: float
) -> None:
    never = asyncio.Event()
    async with Proxy(server.port) as proxy, _client(proxy, settings) as client:
        await client.cache("cache").results.set("k", "v")
        server.unary_gate = cast(Any, never.wait)
        server.on_operation = _nothing
        assert _is_timeout(await client.cache("cache").with_timeout(SILENCE_S * part).results.get("k"))
        server.unary_gate = server.on_operation = None
        assert await client.cache("cache").results.get("k") == r.Hit(b"v")
        assert proxy.accepted == 1


async def test_connection_with_responses_to_other_calls_is_kept(server: FakeServer) -> None:
    async def answer_b(call: pipe.Operation) -> pipe.Result | None:
        return server.answer(call) if call.get.key == b"b" else None

    settings = _frozen_function(Transport.PIPELINE)
    async with Proxy(server.port) as proxy, _client(proxy, settings) as client:
        await client.cache("cache").results.set("k", "v")
        server.on_operation = answer_b
        late = asyncio.create_task(client.cache("cache").with_timeout(SILENCE_S * 2).results.get("a"))
        while not late.done():
            assert isinstance(await client.cache("cache").results.get("b"), r.Miss)
        assert _is_timeout(late.result()) and proxy.accepted == 1


async def test_silence_after_a_response_to_another_call_is_detected(
    server: FakeServer, settings: Configuration
) -> None:
    never, asked = asyncio.Event(), asyncio.Event()

    async def hold_first_call() -> None:
        if not asked.is_set():
            asked.set()
            await never.wait()

    async def answer(call: pipe.Operation) -> pipe.Result | None:
        await hold_first_call()
        return server.answer(call)

    async with Proxy(server.port) as proxy, _client(proxy, settings) as client:
        await client.cache("cache").results.set("k", "v")
        server.unary_gate, server.on_operation = cast(Any, hold_first_call), answer
        late = asyncio.create_task(client.cache("cache").with_timeout(SILENCE_S * 3).results.get("k"))
        await asyncio.wait_for(asked.wait(), PATIENCE_S)
        assert await client.cache("cache").results.get("k") == r.Hit(b"v")
        proxy.freeze()
        assert _is_timeout(await late)
        assert (
            await client.cache("cache").with_timeout(PATIENCE_S / 2).results.get("k") == r.Hit(b"v")
            and proxy.accepted == 2
        )


async def test_pending_calls_on_a_silent_connection_can_still_complete(
    server: FakeServer, settings: Configuration
) -> None:
    async with Proxy(server.port) as proxy, _client(proxy, settings) as client:
        await client.cache("cache").results.set("k", "v")
        proxy.hold()
        patient = asyncio.create_task(client.cache("cache").results.get("k"))
        assert _is_timeout(await client.cache("cache").with_timeout(SILENCE_S * 2).results.get("k"))
        assert await client.cache("cache").results.get("k") == r.Hit(b"v") and not patient.done()
        proxy.release()
        assert await patient == r.Hit(b"v") and proxy.accepted == 2
        await until(lambda: client.statistics().connections == 1)


async def test_silent_server_does_not_affect_connections_to_other_servers(settings: Configuration) -> None:
    async with FakeServer() as one, FakeServer() as two, Proxy(one.port) as silent, Proxy(two.port) as other:
        at = CredentialProvider.from_string(f"http://127.0.0.1:{silent.port},http://127.0.0.1:{other.port}")
        async with CacheClient(at, default_ttl=60, configuration=settings) as client:
            async with asyncio.timeout(PATIENCE_S):
                while any(gateway.left_out for gateway in client.statistics().gateways):
                    await client.cache("cache").results.get("k")
            assert silent.accepted == other.accepted == 1
            silent.freeze()
            async with asyncio.timeout(PATIENCE_S):
                while silent.accepted == 1:
                    await client.cache("cache").with_timeout(SILENCE_S * 2).results.get("k")
            answers = [await client.cache("cache").results.get("k") for _ in range(20)]
            assert answers == [r.MISS] * 20 and other.accepted == 1


async def _nothing(_: pipe.Operation) -> pipe.Result | None:
    return None


@pytest.mark.parametrize("first", ["small", "large"])
async def test_silent_connection_fails_only_one_blocking_call(server: FakeServer, first: str) -> None:
    def use(proxy: Proxy) -> None:
        credentials = CredentialProvider.local(port=proxy.port)
        with sync.CacheClient(credentials, default_ttl=60, configuration=_frozen_function(Transport.AUTO)) as client:
            for value in ("v", "v", _LARGE, _LARGE):
                assert isinstance(client.cache("cache").results.set("k", value), r.Success)
            assert client.statistics().connections == 3, "the thread's own, the shared one and that of large values"
            before = proxy.accepted
            proxy.freeze()
            value = "v" if first == "small" else _LARGE
            assert _is_timeout(client.cache("cache").with_timeout(SILENCE_S * 2).results.set("k", value))
            for value in ("v", _LARGE, "v", "v", _LARGE):
                assert isinstance(client.cache("cache").results.set("k", value), r.Success)
            assert proxy.accepted == before + 3

    async with Proxy(server.port) as proxy:
        await _in_thread(lambda: use(proxy))


# The following tests replace connections after a gap in the clock.


async def test_idle_connection_is_replaced_after_process_suspension(
    server: FakeServer, settings: Configuration
) -> None:
    async with Proxy(server.port) as proxy, _client(proxy, settings) as client:
        await client.cache("cache").results.set("k", "v")
        proxy.freeze()
        _stop_process(client, 3_600)
        # Wait until the deadline timer has stopped, because it also checks the clock. It runs while calls are in
        # flight.
        await until(lambda: not cast(Any, client)._calls._started()._sweep.running)
        assert await client.cache("cache").results.get("k") == r.Hit(b"v")
        assert proxy.accepted == 2


async def test_connection_with_a_call_in_flight_survives_process_suspension(
    server: FakeServer, settings: Configuration
) -> None:
    release = asyncio.Event()

    async def hold(call: pipe.Operation) -> pipe.Result | None:
        await release.wait()
        return server.answer(call)

    async with Proxy(server.port) as proxy, _client(proxy, settings) as client:
        await client.cache("cache").results.set("k", "v")
        server.unary_gate = cast(Any, release.wait)
        server.on_operation = hold
        waiting = asyncio.create_task(client.cache("cache").results.get("k"))
        await until(lambda: client.statistics().in_flight == 1)
        _stop_process(client, 3_600)
        cast(Any, client)._calls._started().stale.look()
        release.set()
        assert await waiting == await client.cache("cache").results.get("k") == r.Hit(b"v")
        assert proxy.accepted == 1


async def test_blocking_client_replaces_idle_connections_after_process_suspension(server: FakeServer) -> None:
    def use(proxy: Proxy) -> None:
        credentials = CredentialProvider.local(port=proxy.port)
        with sync.CacheClient(credentials, default_ttl=60, configuration=_frozen_function(Transport.AUTO)) as client:
            for value in ("v", "v", _LARGE):
                assert isinstance(client.cache("cache").results.set("k", value), r.Success)
            before = proxy.accepted
            proxy.freeze()
            _stop_process(cast(Any, client)._async._calls.remote and _Remote(client), 3_600)
            time.sleep(0.06)  # A connection that was idle for less is not checked.
            for value in ("v", "v", _LARGE, "v", _LARGE):
                assert isinstance(client.cache("cache").results.set("k", value), r.Success)
            assert proxy.accepted == before + 3

    async with Proxy(server.port) as proxy:
        await _in_thread(lambda: use(proxy))


class _Remote:
    """The calls of a blocking client's background loop, with the interface of a client."""

    def __init__(self, client: sync.CacheClient) -> None:
        self._calls = cast(Any, client)._async._calls.remote


# The following tests check the clocks.


@pytest.mark.parametrize(
    "monotonic, wall, is_gap",
    [
        (1.0, 1.0, False),
        (LIMIT_S, LIMIT_S, False),
        (LIMIT_S + 0.001, LIMIT_S + 0.001, True),
        (LIMIT_S * 10, LIMIT_S * 10, True),
        # The machine was suspended, so the monotonic clock stopped.
        (0.1, LIMIT_S, False),
        (0.1, LIMIT_S + 0.001, True),
        (0.1, LIMIT_S * 10, True),
        # The wall clock was set back.
        (1.0, -86_400.0, False),
        (LIMIT_S * 10, -86_400.0, True),
    ],
)
def test_gap_in_wall_or_monotonic_clock_is_detected(monotonic: float, wall: float, is_gap: bool) -> None:
    gap = ClockGap()
    assert not gap.is_open(10.0, 1_000.0) and not gap.look(10.0, 1_000.0)
    assert gap.is_open(10.0 + monotonic, 1_000.0 + wall) is is_gap
    assert gap.look(10.0 + monotonic, 1_000.0 + wall) is is_gap
    assert not gap.look(10.0 + monotonic + 1, 1_000.0 + wall + 1)


class _Transport:
    def __init__(self) -> None:
        self.replaced: list[str] = []

    def replace_idle(self, name: str = "") -> None:
        self.replaced.append(name)


async def test_gap_since_detects_suspension_before_the_next_timer_check() -> None:
    now = 100.0
    transport, doubts = _Transport(), list[None]()
    stale = StaleConnections(
        asyncio.get_running_loop(), lambda: (transport, None), monotonic=lambda: now, wall=lambda: now
    )
    stale.on_doubt = lambda: doubts.append(None)
    assert not stale.gap_since(0.0), "nothing has looked yet"
    stale.look()
    now = 100.0 + LIMIT_S + 1
    assert stale.gap_since(99.0) and not transport.replaced
    stale.look()
    assert transport.replaced == [""] and len(doubts) == 1
    assert stale.gap_since(100.0) and not stale.gap_since(now)
    stale.stop()
    now += LIMIT_S + 1
    stale.look()
    assert transport.replaced == [""], "it is stopped"


async def test_clock_gap_timer_repeats_and_allows_garbage_collection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stale_connections, "TICK_S", 0.001)
    looks = 0

    def clock() -> float:
        nonlocal looks
        looks += 1
        return 0.0

    stale = StaleConnections(asyncio.get_running_loop(), lambda: (), monotonic=clock, wall=lambda: 0.0)
    held = weakref.ref(stale)
    stale.look()
    await until(lambda: looks >= 3)
    del stale
    gc.collect()
    await until(lambda: held() is None)
