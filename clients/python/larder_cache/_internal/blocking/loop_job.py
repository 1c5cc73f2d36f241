"""A coroutine that runs on one event loop for a caller in another thread or event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

from larder_cache.errors import ErrorCode
from larder_cache.responses import Error

T = TypeVar("T")


class LoopUnavailable(RuntimeError):
    """The background loop has stopped, cannot start, or does not respond."""

    def __init__(self, code: ErrorCode, why: str) -> None:
        super().__init__(why)
        self.code = code

    def response(self, call: str) -> Error:
        """Return the response of a call with this name."""
        return Error(self.code, f"{call}: {self}")


class LoopJob(Generic[T]):
    """Passes a result to one waiter without a lock that Python code holds.

    A signal handler may raise in any Python function of the main thread, including those of concurrent.futures.Future
    and threading.Condition. They would leave their lock held, and the event loop's thread would wait for it forever.
    The lock here is only acquired by the waiter and only released by the loop; each is one step of the interpreter.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, T]) -> None:
        """`start` returns the coroutine."""
        self._loop = loop
        self._work = work
        self._task: asyncio.Task[T] | None = None
        self._is_cancelled = False
        self._outcome: list[tuple[Any, BaseException | None]] = []
        self._arrived = threading.Lock()
        self._arrived.acquire()
        # Called on the loop's thread when there is an outcome.
        self.on_end: Callable[[LoopJob[T]], None] | None = None

    def start(self) -> None:
        """Start the coroutine. Called on the loop's thread."""
        if self._is_cancelled or self._outcome:
            self._work.close()
            self.settle(None, asyncio.CancelledError())
            return
        self._task = self._loop.create_task(self._work)
        self._task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[T]) -> None:
        if task.cancelled():
            self.settle(None, asyncio.CancelledError())
        elif (error := task.exception()) is not None:
            self.settle(None, error)
        else:
            self.settle(task.result(), None)

    def settle(self, value: Any, error: BaseException | None) -> None:
        """Set the outcome, unless it is already set."""
        if self._outcome:
            return
        self._outcome.append((value, error))
        self._arrived.release()
        if self.on_end is not None:
            self.on_end(self)

    def cancel(self) -> None:
        """Cancel the coroutine. Thread-safe."""
        self._is_cancelled = True
        try:
            self._loop.call_soon_threadsafe(self._cancel)
        except RuntimeError:
            pass  # The loop is closed, so nothing is running.

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def wait(self, seconds: float) -> bool:
        """Wait in this thread. Returns False on timeout. Only one thread may wait, and only once."""
        return self._arrived.acquire(timeout=min(seconds, threading.TIMEOUT_MAX))

    def result(self) -> T:
        """Return the outcome, or raise it. It must have arrived."""
        value, error = self._outcome[0]
        if error is not None:
            try:
                raise error
            finally:
                # Avoid a reference cycle: the traceback's frame would hold the error that holds the traceback.
                del error
        return value
