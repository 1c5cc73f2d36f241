"""Exceptions from signal handlers at every step of a call must not make other callers wait forever."""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from larder_cache import CredentialProvider
from larder_cache import responses as r
from larder_cache import sync
from larder_cache._internal.blocking import background_loop
from larder_cache._internal.blocking.background_loop import wait_for
from larder_cache._internal.calls.thread_flights import ThreadFlights
from larder_cache._internal.topics.topic_buffer import TopicBuffer
from tests.conftest import PATIENCE_S
from tests.support.larder_server import larder_server

# Python issues these warnings if the exception interrupts the interpreter's own callbacks or is raised before a
# coroutine starts.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::RuntimeWarning")


class Soft(Exception):
    """Raised by a signal handler, like the soft time limit of a Celery worker."""


@pytest.fixture(scope="module")
def real_port() -> Iterator[int]:
    with larder_server() as port:
        yield port


def interrupted_at(step: int, work: Callable[[], Any]) -> bool:
    """Run `work` and raise Soft at one of its steps.

    A step is a call or a return of Python code, where a signal handler may run.

    Returns False if `work` has fewer steps.
    """
    left = step

    def trace(frame: Any, event: str, argument: Any) -> Any:
        nonlocal left
        if event in ("call", "return"):
            left -= 1
            if left == 0:
                sys.settrace(None)
                raise Soft
        return trace

    before = sys.gettrace()
    try:
        sys.settrace(trace)
        work()
    except Soft:
        pass
    finally:
        sys.settrace(before)
    return left <= 0


def test_background_loop_keeps_running_if_a_wait_is_interrupted() -> None:
    async def work() -> int:
        return 7

    step = 1
    while interrupted_at(step, lambda: wait_for(work(), PATIENCE_S)):
        step += 1
        gc.collect() if step % 20 == 0 else None
        assert wait_for(work(), PATIENCE_S) == 7, step
    assert step > 5


@pytest.mark.parametrize("size", [1, 100_000], ids=["own connection", "background loop"])
def test_client_stays_usable_if_a_call_is_interrupted(real_port: int, size: int) -> None:
    client = sync.CacheClient(CredentialProvider.local(port=real_port), default_ttl=60)
    value = b"v" * size
    client.cache("cache").results.set("k", value)
    step = 1
    while interrupted_at(step, lambda: client.cache("cache").results.set("k", value)):
        step += 3
        if step % 10 == 0:
            assert isinstance(client.cache("cache").results.set("k", value), r.Success), step
    assert step > 5
    gc.collect()
    assert client.held()["connections taken"] == 0
    assert isinstance(client.cache("cache").results.set("k", value), r.Success)
    client.close()


def test_topic_buffer_does_not_block_if_its_reader_is_interrupted() -> None:
    step = 1
    while True:
        buffer = TopicBuffer()
        waker = threading.Timer(0.001, buffer.end, [None])
        waker.start()
        was_interrupted = interrupted_at(step, buffer.wait)
        waker.join(PATIENCE_S)
        assert not waker.is_alive(), step
        if not was_interrupted:
            break
        step += 1
    assert step > 1


def test_interrupted_load_does_not_block_the_next_load() -> None:
    flights: ThreadFlights[str, int] = ThreadFlights()

    async def make() -> int:
        return 7

    def load() -> Any:
        return background_loop.drive(flights.run("k", make))

    step = 1
    while interrupted_at(step, load):
        step += 1
        loaded: list[Any] = []
        other = threading.Thread(target=lambda: loaded.append(load()), daemon=True)
        other.start()
        other.join(PATIENCE_S)
        assert loaded == [7], step
    assert step > 3


@pytest.mark.parametrize("way", ["within", "outlast", "begin"])
def test_interrupted_call_in_a_thread_frees_its_place(way: str) -> None:
    flights: ThreadFlights[str, int] = ThreadFlights()

    async def make() -> int:
        return 7

    def load() -> Any:
        if way == "begin":
            return flights.begin(make)
        if way == "within":
            return background_loop.drive(flights.within(make, PATIENCE_S))
        return background_loop.drive(flights.outlast(make, PATIENCE_S, 0))

    def interrupted() -> None:
        try:
            load()
        except TimeoutError:
            pass  # Python's Thread.start raises RuntimeError if it is interrupted in its Condition.

    step = 1
    while interrupted_at(step, interrupted):
        step += 1
    # More interruptions than the limit of 32, so that a place that is not freed would fail the last call.
    assert step > 33
    # Threads that were started before the interruption may still run.
    end = time.monotonic() + PATIENCE_S
    while load() not in (7, True):
        assert time.monotonic() < end
