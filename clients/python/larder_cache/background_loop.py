"""One event loop on a thread of its own, for callers that block."""

from __future__ import annotations

import asyncio
import atexit
import importlib.util
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


def _forget() -> None:
    # A forked child has the loop's memory but not its thread.
    global _loop, _lock
    _loop, _lock = None, threading.Lock()


os.register_at_fork(after_in_child=_forget)


def background_loop() -> asyncio.AbstractEventLoop:
    """Return the process's background loop, started by the first to ask; uvloop's where it is installed."""
    global _loop
    with _lock:
        if _loop is None:
            if importlib.util.find_spec("uvloop") is not None:
                import uvloop

                _loop = uvloop.new_event_loop()
            else:
                _loop = asyncio.new_event_loop()
            thread = threading.Thread(target=_loop.run_forever, name="larder: background loop", daemon=True)
            thread.start()
            atexit.register(_stop, _loop, thread, os.getpid())
        return _loop


def _stop(loop: asyncio.AbstractEventLoop, thread: threading.Thread, process: int) -> None:
    # A loop that still runs while the interpreter is taken apart fails noisily.
    if process == os.getpid():
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


def run_blocking(work: Coroutine[Any, Any, T]) -> T:
    """As `wait_for`. Raises RuntimeError where a loop already runs on this thread: waiting here would stop it."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return wait_for(work)
    work.close()
    raise RuntimeError("this thread runs an event loop; await larder_cache.CacheClient there instead")
