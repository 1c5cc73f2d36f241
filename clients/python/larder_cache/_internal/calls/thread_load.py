"""A call in a thread of its own, so that its caller can stop waiting for it."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable
from contextvars import copy_context
from typing import Any, Generic, TypeVar, cast

T = TypeVar("T")
V = TypeVar("V")


def run_to_end(work: Awaitable[T]) -> T:
    """Run a coroutine that never suspends, and return its result.

    Raises:
        RuntimeError: The coroutine waits for something that needs an event loop.
    """
    coroutine = cast(Any, work)
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value
    coroutine.close()
    raise RuntimeError("the factory must not await, because a blocking call runs no event loop; pass a plain function")


class ThreadLoad(Generic[V]):
    """One call of `make` in another thread. The thread has a copy of the caller's context variables.

    `run` is the function of that thread. At most one thread waits for the outcome.
    """

    def __init__(self, make: Callable[[], Awaitable[V]]) -> None:
        """Create the call. `make` is called by `run`."""
        self._make = make
        self._context = copy_context()
        self._value: Any = None
        self._error: BaseException | None = None
        # Locked until the outcome is set.
        self._under_way = threading.Lock()
        self._under_way.acquire()
        # The first to empty this list decides: the caller gives up, or the thread delivers the outcome. `pop` is a
        # single interpreter step, so that an exception from a signal handler cannot leave it half done.
        self._undecided = [True]

    @property
    def is_abandoned(self) -> bool:
        """Whether the caller has stopped waiting. Only meaningful while `run` runs."""
        return not self._undecided

    def run(self) -> BaseException | None:
        """Call `make`. Returns its exception if no caller waits for it any more."""
        try:
            self._value = self._context.run(lambda: run_to_end(self._make()))
        except BaseException as error:
            self._error = error
        delivered = self._decide()
        self._under_way.release()
        return None if delivered else self._error

    def wait(self, seconds: float) -> bool:
        """Wait for the outcome. Returns False on timeout: the caller has then given up, and `run` continues."""
        try:
            return self._under_way.acquire(timeout=seconds) or not self._decide()
        except BaseException:
            self._decide()
            raise

    def result(self) -> V:
        """Return the result of `make`, or raise its exception. The outcome must be set."""
        if self._error is not None:
            raise self._error
        return self._value

    def _decide(self) -> bool:
        """Return whether the calling thread is the first to call this method."""
        try:
            return self._undecided.pop()
        except IndexError:
            return False
