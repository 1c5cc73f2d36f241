"""Exceptions from signal handlers at every step of a call must not make other callers wait forever."""

from __future__ import annotations

import asyncio
import gc
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest

from larder_cache import CredentialProvider
from larder_cache import responses as r
from larder_cache import sync
from larder_cache._internal.blocking import background_loop
from larder_cache._internal.blocking.background_loop import wait_for
from larder_cache._internal.calls.single_flight import Flight, run_inside
from larder_cache._internal.calls.soft_timeout import SoftTimeout
from larder_cache._internal.calls.thread_flights import ThreadFlights
from larder_cache._internal.topics.topic_buffer import TopicBuffer
from larder_cache.topic_event import HEARTBEAT
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


def interrupted_after_call(step: int, work: Callable[[], Any]) -> bool:
    """Run `work` and raise Soft after one of its calls, including calls of functions that are not written in Python.

    The interpreter itself runs signal handlers after such calls. Returns False if `work` has fewer calls.
    """
    left = step

    def profile(frame: Any, event: str, argument: Any) -> None:
        nonlocal left
        if event in ("call", "return", "c_return"):
            left -= 1
            if left == 0:
                sys.setprofile(None)
                raise Soft

    before = sys.getprofile()
    try:
        sys.setprofile(profile)
        work()
    except Soft:
        pass
    finally:
        sys.setprofile(before)
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


@pytest.mark.parametrize("soft_timeout_s", [None, PATIENCE_S], ids=["no timeout", "soft timeout"])
@pytest.mark.parametrize("nested", [False, True], ids=["caller", "factory"])
def test_interrupted_caller_leaves_no_waiting_place(nested: bool, soft_timeout_s: float | None) -> None:
    soft_timeout = None
    if soft_timeout_s is not None:
        soft_timeout = SoftTimeout(soft_timeout_s, lambda value, expired_ms: True, lambda: None)
    step, was_interrupted = 0, True
    while was_interrupted:
        step += 1
        flights: ThreadFlights[str, int] = ThreadFlights()
        begun, go_on, is_over = threading.Event(), threading.Event(), threading.Event()

        async def load() -> int:
            begun.set()
            go_on.wait(PATIENCE_S)
            return 7

        async def join() -> int:
            return await flights.run("k", never, soft_timeout=soft_timeout)

        async def never() -> int:
            raise AssertionError("another thread loads the value")

        loader = threading.Thread(target=lambda: background_loop.drive(flights.run("k", load)), daemon=True)
        loader.start()
        assert begun.wait(PATIENCE_S)
        (flight,) = cast(Any, flights)._of_key.values()
        outer = Flight()

        def finish() -> None:
            while not flights.waiting() and not is_over.is_set():
                time.sleep(0.0005)
            # The caller waits, or was interrupted.
            time.sleep(0.0005)
            go_on.set()

        finisher = threading.Thread(target=finish, daemon=True)
        finisher.start()
        work = (
            (lambda: background_loop.drive(run_inside(outer, join)))
            if nested
            else (lambda: background_loop.drive(join()))
        )
        was_interrupted = interrupted_after_call(step, work)
        assert not flight.waiting and not flight.waits_for(outer) and not outer.waits_for(flight), step
        is_over.set()
        for thread in (finisher, loader):
            thread.join(PATIENCE_S)
            assert not thread.is_alive(), step
        assert flights.waiting() == 0
    assert step > 5


def test_interrupted_leave_stops_the_reader_and_wakes_waiters() -> None:
    step, was_interrupted = 0, True
    while was_interrupted:
        step += 1
        buffer = TopicBuffer()
        left: list[bool] = []
        buffer.on_left = lambda: left.append(True)
        waiter = threading.Thread(target=buffer.wait, daemon=True)
        waiter.start()
        was_interrupted = interrupted_after_call(step, buffer.leave)
        # A subscription leaves again when it is closed again or collected.
        buffer.leave()
        assert left, step
        waiter.join(PATIENCE_S)
        assert not waiter.is_alive(), step
    assert step > 3


def test_interrupted_reads_leave_no_waiters() -> None:
    buffer = TopicBuffer()
    for read in (buffer.wait, buffer.wait_until_established):
        step, was_interrupted = 0, True
        while was_interrupted:
            step += 1
            is_over = threading.Event()

            def wake() -> None:
                while not cast(Any, buffer)._waiters and not is_over.is_set():
                    time.sleep(0.0005)
                if not is_over.wait(0.001):
                    buffer.put(HEARTBEAT, 1)
                    buffer.establish()

            waker = threading.Thread(target=wake, daemon=True)
            waker.start()
            was_interrupted = interrupted_after_call(step, read)
            assert not cast(Any, buffer)._waiters, step
            is_over.set()
            waker.join(PATIENCE_S)
            buffer = TopicBuffer()
            read = buffer.wait if read.__name__ == "wait" else buffer.wait_until_established
        assert step > 3


def test_interrupted_start_of_a_subscription_starts_one_reader(real_port: int) -> None:
    def readers() -> int:
        return background_loop.ask(
            lambda: sum(each.get_name() == "larder: read a topic" for each in asyncio.all_tasks())
        )

    with sync.CacheClient(CredentialProvider.local(port=real_port), default_ttl=60) as client:
        step, was_interrupted = 0, True
        while was_interrupted:
            step += 1
            subscription = client.cache("cache").subscribe("topic")
            was_interrupted = interrupted_after_call(step, subscription.established)
            assert subscription.established() is None, step
            assert readers() == 1, step
            subscription.close()
            end = time.monotonic() + PATIENCE_S
            while readers():
                assert time.monotonic() < end, step
        assert step > 20


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
