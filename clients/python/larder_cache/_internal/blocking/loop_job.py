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
        """Return the Error response of a call with this name."""
        return Error(self.code, f"{call}: {self}")


class LoopJob(Generic[T]):
    """Runs a coroutine and passes its result to one waiter. It uses no lock that Python code could leave locked.

    A signal handler may raise in any Python function of the main thread, including the functions of
    concurrent.futures.Future and threading.Condition. Their lock would then stay locked, and the event loop's thread
    would wait for it forever. Here only the waiter acquires the lock and only the loop releases it. Each of these
    operations is a single interpreter step.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, T]) -> None:
        """Create a job that runs the coroutine `work` on `loop` once `start` is called."""
        self._loop = loop
        self._work = work
        self._task: asyncio.Task[T] | None = None
        self._is_cancelled = False
        self._outcome: list[tuple[Any, BaseException | None]] = []
        self._arrived = threading.Lock()
        self._arrived.acquire()
        # Called with this job when the outcome is set, usually on the loop's thread.
        self.on_end: Callable[[LoopJob[T]], None] | None = None

    def start(self) -> None:
        """Start the coroutine. Must be called on the loop's thread."""
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
            pass  # The loop is closed, so no coroutine is running.

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def wait(self, seconds: float) -> bool:
        """Wait for the outcome in this thread. Returns False on timeout. Only one thread may wait, and only once."""
        return self._arrived.acquire(timeout=min(seconds, threading.TIMEOUT_MAX))

    def result(self) -> T:
        """Return the result of the coroutine, or raise its exception. The outcome must be set."""
        value, error = self._outcome[0]
        if error is not None:
            try:
                raise error
            finally:
                # Avoid a reference cycle: the error references its traceback, whose frame would reference the error.
                del error
        return value
