"""One event loop on a thread of its own, for callers that block."""

from __future__ import annotations

import asyncio
import atexit
import importlib.util
import os
import threading
from asyncio import _get_running_loop  # pyright: ignore[reportPrivateUsage]
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, ParamSpec, TypeVar

from larder_cache import forks

# Here, and not when the loop is started: a fork in mid-import would leave the child a lock that nobody opens.
if importlib.util.find_spec("uvloop") is not None:
    from uvloop import new_event_loop as _new_event_loop
else:
    from asyncio import new_event_loop as _new_event_loop

P = ParamSpec("P")
T = TypeVar("T")

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None
_at_end: list[Callable[[], None]] = []


class _OfTheProcess:
    def after_fork(self) -> None:
        """The child has the loop's memory but not its thread (forks.Forked)."""
        global _loop, _lock
        forks.keep(_loop)
        _loop, _lock = None, threading.Lock()


_of_the_process = _OfTheProcess()
forks.tell(_of_the_process)


def background_loop() -> asyncio.AbstractEventLoop:
    """Return the process's background loop, started by the first to ask; uvloop's where it is installed."""
    global _loop
    with _lock:
        if _loop is None:
            _loop = _new_event_loop()
            thread = threading.Thread(target=_loop.run_forever, name="larder: background loop", daemon=True)
            thread.start()
            atexit.register(_stop, _loop, thread, os.getpid())
        return _loop


def at_end(close: Callable[[], None]) -> None:
    """Have `close` called when the process ends, while the loop still runs; not where nothing has started it."""
    _at_end.append(close)


def _stop(loop: asyncio.AbstractEventLoop, thread: threading.Thread, process: int) -> None:
    # A loop that still runs while the interpreter is taken apart fails noisily.
    if process == os.getpid():
        for close in _at_end:
            close()
        loop.call_soon_threadsafe(loop.stop)
        thread.join(5.0)


def submit(work: Coroutine[Any, Any, T]) -> Future[T]:
    """Start a coroutine on the background loop; cancelling the future cancels it."""
    return asyncio.run_coroutine_threadsafe(work, background_loop())


def wait_for(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on the background loop and wait for its result; interrupting the wait cancels it."""
    future = submit(work)
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


def ask(question: Callable[[], T]) -> T:
    """Return what a function says on the background loop."""

    async def there() -> T:
        return question()

    return wait_for(there())


def made_by(factory: Callable[P, T]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Return a blocking factory as `get_or_set` takes it."""

    async def make(*given: P.args, **named: P.kwargs) -> T:
        return factory(*given, **named)

    return make


def drive(work: Coroutine[Any, Any, T]) -> T:
    """Run, on this thread, a coroutine that waits for nothing that is not ready: one over `BlockingCalls`.

    Raises RuntimeError where an event loop runs on this thread: waiting here would stop it.
    """
    if _get_running_loop() is not None:  # pyright: ignore[reportUnnecessaryComparison]
        work.close()
        raise RuntimeError("this thread runs an event loop; await larder_cache.CacheClient there instead")
    return drive_anywhere(work)


def drive_anywhere(work: Coroutine[Any, Any, T]) -> T:
    """As `drive`, also where an event loop runs on this thread: it then stands still meanwhile."""
    try:
        work.send(None)
    except StopIteration as done:
        return done.value
    work.close()
    raise RuntimeError("a call of the blocking client, or a factory given to it, waited for an event loop")
