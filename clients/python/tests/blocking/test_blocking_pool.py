"""The connections of threads, and the gateways to which the pool opens connections."""

from __future__ import annotations

import sys
import threading
from collections import Counter
from types import FrameType
from typing import Any, cast

import pytest

from larder_cache._internal.blocking import blocking_pool
from larder_cache._internal.blocking.blocking_pool import BlockingPool, Opening


class _Stream:
    def __init__(self, name: str) -> None:
        self.name = name
        self.retired = False
        self.heard = False

    def close(self) -> None:
        self.retired = True


def test_pool_counts_opening_connections_when_choosing_a_gateway() -> None:
    loads: list[Counter[str]] = []
    all_open = threading.Barrier(4)

    def choose(load: Counter[str]) -> Opening:
        loads.append(load)
        name = min("ab", key=lambda each: load[each])

        def connect() -> Any:
            all_open.wait(30)  # No connection is open before all four have chosen.
            return _Stream(name)

        return name, connect

    pool = BlockingPool(choose, 4)
    pool.proven = True
    taken: list[Any] = []
    threads = [threading.Thread(target=lambda: taken.append(pool.take())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [load.total() for load in loads] == [0, 1, 2, 3]
    assert sorted(stream.name for stream in taken) == ["a", "a", "b", "b"]
    assert pool.take() is None and (pool.connections, pool.in_flight) == (4, 4)


def test_pool_stops_counting_connection_that_fails_to_open() -> None:
    loads: list[Counter[str]] = []

    def refuse() -> Any:
        raise OSError("refused")

    def choose(load: Counter[str]) -> Opening:
        loads.append(load)
        return "a", refuse

    pool = BlockingPool(choose, 1)
    pool.proven = True
    assert pool.take() is None
    # After a failure, the pool does not try to connect for a while.
    assert pool.take() is None and len(loads) == 1
    pool.after_fork()
    pool.proven = True
    assert pool.take() is None and [load.total() for load in loads] == [0, 0]


def test_retry_7_pool_pauses_if_server_closes_connection_before_a_response(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(blocking_pool, "monotonic", lambda: now)
    pool = BlockingPool(lambda _: ("a", lambda: cast(Any, _Stream("a"))), 1)

    def take() -> Any:
        pool.proven = True
        return pool.take()

    silent = take()
    pool.failed(silent)
    assert take() is None
    now += 1.0
    answering = take()
    answering.heard = True
    pool.failed(answering)
    assert take() is not None


def test_pool_closes_connection_opened_after_close() -> None:
    late = _Stream("a")

    def connect() -> Any:
        pool.close()
        return late

    pool = BlockingPool(lambda _: ("a", connect), 2)
    pool.proven = True
    assert pool.take() is None and late.retired and pool.connections == 0
    assert cast(Any, pool).take() is None


def test_pool_frees_permit_of_collected_connection_despite_signal_handler_exception() -> None:
    pool = BlockingPool(lambda _: ("a", lambda: cast(Any, _Stream("a"))), 1)
    pool.proven = True
    stream = pool.take()
    assert stream is not None and pool.in_flight == 1 and pool.take() is None

    def handler(frame: FrameType, event: str, argument: Any) -> None:
        # Python can run a signal handler at any point. This handler runs at the start of each Python function that the
        # deletion calls.
        if event == "call":
            raise TimeoutError

    previous = sys.getprofile()
    sys.setprofile(handler)
    try:
        del stream
    except TimeoutError:
        pass
    finally:
        sys.setprofile(previous)
    assert (pool.connections, pool.in_flight) == (0, 0)
    assert pool.take() is not None
