"""The background event loop, which runs in its own thread and serves blocking callers."""

from __future__ import annotations

import asyncio
import atexit
import importlib.util
import threading
import weakref
from asyncio import _get_running_loop  # pyright: ignore[reportPrivateUsage]
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec, Protocol, TypeVar

from larder_cache._internal.blocking.loop_job import LoopJob, LoopUnavailable
from larder_cache._internal.calls.thread_load import run_to_end
from larder_cache._internal.common import forks, green_threads, log
from larder_cache._internal.common.detached import detached
from larder_cache.errors import ErrorCode
from larder_cache.responses import Error

# Import uvloop when this module is imported, not when the loop starts. A fork during the import would leave the child
# process with an import lock that is never released.
if importlib.util.find_spec("uvloop") is not None:
    from uvloop import new_event_loop as _new_event_loop
else:
    from asyncio import new_event_loop as _new_event_loop

P = ParamSpec("P")
T = TypeVar("T")

# Each coroutine ends by its own deadline. If a coroutine still runs this long after its deadline, the loop is
# considered unresponsive.
GRACE_S = 5.0
_STOPPED = (
    "the background event loop has stopped, because the interpreter is shutting down; "
    "make all calls before the program exits"
)


def _stopped() -> LoopUnavailable:
    return LoopUnavailable(ErrorCode.CANCELLED, _STOPPED)


class SubscriptionEnd(Protocol):
    """A subscription whose waiting threads must be woken when the loop stops."""

    def end(self, error: Error | None) -> None:
        """End the subscription with this error and wake the threads that wait for its events."""


class _State:
    """The background loop of this process, and the jobs and subscriptions that depend on it.

    A forked child process starts with a new state, because the loop's thread does not exist in the child.
    """

    def __init__(self) -> None:
        self.is_stopped = False
        self.after_fork()
        forks.tell(self)

    def after_fork(self) -> None:
        """Reset the state in a forked child (forks.Forked)."""
        if (loop := getattr(self, "loop", None)) is not None:
            forks.keep(loop)
        self.lock = threading.Lock()
        self.loop: asyncio.AbstractEventLoop | None = None
        self.thread: threading.Thread | None = None
        # Items are added and discarded without a lock, because each of these operations is a single interpreter step.
        self.jobs: set[LoopJob[Any]] = set()
        self.subscriptions: weakref.WeakSet[SubscriptionEnd] = weakref.WeakSet()


_state = _State()
_at_end: list[Callable[[], None]] = []


def background_loop() -> asyncio.AbstractEventLoop:
    """Return the background loop of this process. Start it if it is not running.

    The loop is a uvloop loop if uvloop is installed.

    Raises:
        LoopUnavailable: The interpreter is exiting, or the process uses gevent or eventlet.
    """
    if _state.is_stopped:
        raise _stopped()
    # Read without the lock. If a signal handler makes this call, the code that it interrupted may hold the lock.
    if (loop := _state.loop) is not None:
        return loop
    if (why := green_threads.unsupported()) is not None:
        raise LoopUnavailable(ErrorCode.FAILED_PRECONDITION, why)
    with _state.lock:
        if _state.loop is None:
            loop = detached(_new_event_loop)
            thread = threading.Thread(
                target=detached, args=(loop.run_forever,), name="larder: background loop", daemon=True
            )
            try:
                thread.start()
            except RuntimeError as error:
                loop.close()
                raise LoopUnavailable(ErrorCode.CANCELLED, f"the background event loop cannot start: {error}") from None
            _state.loop, _state.thread = loop, thread
        return _state.loop


def at_end(close: Callable[[], None]) -> None:
    """Register a function that is called when the process ends, while the loop still runs.

    The function is not called if the loop was never started.
    """
    _at_end.append(close)


def close_with_loop(subscription: SubscriptionEnd) -> None:
    """Register a subscription that must end when the loop stops. Only a weak reference is kept."""
    _state.subscriptions.add(subscription)
    if _state.is_stopped:
        subscription.end(_stopped().response("subscribe"))


def _stop() -> None:
    """Stop the loop and end every wait on it.

    The loop must stop before the interpreter is finalized. Otherwise, the running loop would crash the process.
    """
    if _state.loop is not None:
        for close in _at_end:
            try:
                close()
            except Exception as error:
                log.close_failed(error)
    loop, thread, _state.is_stopped = _state.loop, _state.thread, True
    if loop is not None and thread is not None:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(GRACE_S)
    stopped = _stopped()
    for job in list(_state.jobs):
        job.settle(None, stopped)
    for subscription in list(_state.subscriptions):
        subscription.end(stopped.response("subscribe"))


# `atexit` runs handlers in reverse order of registration. Registering on import makes this handler run after those that
# the program registers later, for example `atexit.register(client.close)`.
atexit.register(_stop)


def submit(work: Coroutine[Any, Any, T], on_end: Callable[[LoopJob[T]], None] | None = None) -> LoopJob[T]:
    """Start a coroutine on the background loop and return its job.

    Args:
        on_end: Called on the loop's thread when the coroutine has ended.

    Raises:
        LoopUnavailable: The loop has stopped or cannot start.
    """
    try:
        loop = background_loop()
    except BaseException:
        work.close()
        raise
    job = LoopJob(loop, work)

    def ended(job: LoopJob[T]) -> None:
        _state.jobs.discard(job)
        if on_end is not None:
            on_end(job)

    job.on_end = ended
    _state.jobs.add(job)
    loop.call_soon_threadsafe(job.start)
    if _state.is_stopped:
        # The loop may have stopped before the job was added to `_state.jobs`. In that case `_stop` did not end the job.
        job.settle(None, _stopped())
    return job


def wait_for(work: Coroutine[Any, Any, T], within_s: float) -> T:
    """Run a coroutine on the background loop and wait for its result. Interrupting the wait cancels the coroutine.

    Raises:
        LoopUnavailable: The loop has stopped, or the coroutine has not ended within `within_s` + GRACE_S seconds.
    """
    job = submit(work)
    try:
        if not job.wait(within_s + GRACE_S):
            why = (
                f"the background event loop has not responded for {within_s + GRACE_S:g} s; "
                "a factory may be blocking the loop"
            )
            raise LoopUnavailable(ErrorCode.TIMEOUT, why)
    except BaseException:
        job.cancel()
        raise
    return job.result()


async def awaited(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on the background loop and await its result on the caller's loop.

    Cancelling the awaiting task cancels the coroutine.
    """
    here = asyncio.get_running_loop()
    future: asyncio.Future[None] = here.create_future()

    def tell() -> None:
        if not future.done():
            future.set_result(None)

    def ended(_: LoopJob[T]) -> None:
        try:
            here.call_soon_threadsafe(tell)
        except RuntimeError:
            pass  # The caller's loop is closed, so no task awaits the result.

    job = submit(work, ended)
    try:
        await future
    except BaseException:
        job.cancel()
        raise
    return job.result()


def ask(question: Callable[[], T]) -> T:
    """Call a function on the background loop and return its result. Raises LoopUnavailable."""

    async def there() -> T:
        return question()

    return wait_for(there(), 0.0)


def made_by(factory: Callable[P, T]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Wrap a blocking factory in an asynchronous function, as `get_or_set` requires.

    The wrapped function raises TypeError if the factory is a coroutine function.
    """

    async def make(*given: P.args, **named: P.kwargs) -> T:
        value = factory(*given, **named)
        if isinstance(value, Coroutine):
            # Close the coroutine, so that Python does not warn that it was never awaited.
            value.close()
            raise TypeError(
                "the factory of a blocking client must be a plain function, not a coroutine function; use"
                " larder_cache.CacheClient to await it"
            )
        return value

    return make


def drive(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine of `BlockingCalls` in this thread. The coroutine never suspends.

    Raises:
        RuntimeError: This thread runs an event loop, which the call would block.
    """
    if _get_running_loop() is not None:  # pyright: ignore[reportUnnecessaryComparison]
        work.close()
        raise RuntimeError(
            "this thread runs an event loop, which the call would block; use larder_cache.CacheClient with await"
        )
    return run_on_any_thread(work)


def run_on_any_thread(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine as `drive` does, but also on a thread that runs an event loop.

    That event loop is blocked until the call ends.
    """
    return run_to_end(work)
