"""One event loop on a thread of its own, for callers that block."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import threading
from collections.abc import Coroutine
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
            threading.Thread(target=_loop.run_forever, name="larder: background loop", daemon=True).start()
        return _loop


def run_blocking(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on the background loop and wait for its result; interrupting the wait cancels it.

    Raises RuntimeError where a loop already runs on this thread: waiting here would stop it.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        pass  # As it should be: nothing runs here.
    else:
        work.close()
        raise RuntimeError("this thread runs an event loop; await larder_cache.CacheClient there instead")
    future = asyncio.run_coroutine_threadsafe(work, background_loop())
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise
