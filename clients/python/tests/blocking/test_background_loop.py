"""Every wait for the background loop is bounded, and no lock stays locked after an interrupt."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from larder_cache import CredentialProvider
from larder_cache import responses as r
from larder_cache import sync
from larder_cache._internal.blocking import background_loop
from larder_cache._internal.blocking.background_loop import ask, awaited, submit, wait_for
from larder_cache._internal.blocking.loop_job import LoopJob, LoopUnavailable
from larder_cache.errors import ErrorCode
from tests.conftest import PATIENCE_S, run_alone


@contextmanager
def blocked_loop() -> Iterator[None]:
    """Block the background loop's thread."""
    blocks, goes_on = threading.Event(), threading.Event()

    def block() -> None:
        blocks.set()
        goes_on.wait(PATIENCE_S)

    background_loop.background_loop().call_soon_threadsafe(block)
    assert blocks.wait(PATIENCE_S)
    try:
        yield
    finally:
        goes_on.set()


@pytest.fixture
def short_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background_loop, "GRACE_S", 0.01)


def test_blocking_calls_time_out_if_the_loop_is_blocked() -> None:
    client = sync.CacheClient(CredentialProvider.local(port=9), default_ttl=60)
    # Shorten the grace period only while the loop is blocked, because later calls must succeed.
    with pytest.MonkeyPatch.context() as patch, blocked_loop():
        patch.setattr(background_loop, "GRACE_S", 0.01)
        answers: list[Any] = [
            client.cache("cache").with_timeout(0.01).results.get("k"),
            client.cache("cache").with_timeout(0.01).results.set("k", b"v" * 100_000),
            *client.cache("cache").with_timeout(0.01).results.delete_each(["a", "b"]),
        ]
        assert [each.code for each in answers] == [ErrorCode.TIMEOUT] * 4
        assert "not responded" in answers[0].message and "get" in answers[0].message
        assert client.connect(timeout_s=0.01) is False
        with pytest.raises(LoopUnavailable):
            client.statistics()
        event = next(client.cache("cache").results.subscribe("topic"))
        assert isinstance(event, r.Error) and event.code is ErrorCode.TIMEOUT
        client.close()
    # The abandoned job does not run later, and the loop continues.
    assert ask(lambda: 7) == 7
    assert isinstance(client.cache("cache").results.get("k"), r.Error)


@pytest.mark.parametrize("within_s", [0.0, 0.05, 0.5])
def test_wait_for_times_out_and_cancels_the_coroutine(short_grace: None, within_s: float) -> None:
    ended = threading.Event()

    async def never() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    with pytest.raises(LoopUnavailable, match=f"{within_s + 0.01:g} s") as caught:
        wait_for(never(), within_s)
    assert caught.value.code is ErrorCode.TIMEOUT
    assert ended.wait(PATIENCE_S)


def test_wait_for_returns_the_result_or_raises_the_coroutine_error() -> None:
    async def result() -> int:
        return 7

    async def broken() -> int:
        raise KeyError("k")

    async def exits() -> int:
        raise asyncio.CancelledError

    assert wait_for(result(), PATIENCE_S) == 7
    with pytest.raises(KeyError):
        wait_for(broken(), PATIENCE_S)
    with pytest.raises(asyncio.CancelledError):
        wait_for(exits(), PATIENCE_S)
    assert wait_for(result(), 1e300) == 7


def test_awaited_function_propagates_errors_and_cancellation_across_event_loops() -> None:
    began, ended = threading.Event(), threading.Event()

    async def never() -> None:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async def broken() -> int:
        raise KeyError("k")

    async def here() -> None:
        with pytest.raises(KeyError):
            await awaited(broken())
        waiting = asyncio.ensure_future(awaited(never()))
        while not began.is_set():
            await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    run_alone(here())
    assert ended.wait(PATIENCE_S)


def test_job_cancelled_before_start_never_runs() -> None:
    ran: list[int] = []

    async def work() -> None:
        ran.append(1)

    with blocked_loop():
        job = submit(work())
        job.cancel()
    assert job.wait(PATIENCE_S)
    with pytest.raises(asyncio.CancelledError):
        job.result()
    assert not ran


def test_completed_loop_jobs_are_garbage_collected() -> None:
    async def work() -> None:
        pass

    for _ in range(100):
        wait_for(work(), PATIENCE_S)
    gc.collect()
    assert sum(isinstance(each, LoopJob) for each in gc.get_objects()) <= 2
