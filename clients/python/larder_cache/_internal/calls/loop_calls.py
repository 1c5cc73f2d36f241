"""Runs calls on the event loop that awaits them.

A connection belongs to one event loop, so each event loop has its own connections.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from larder_cache import responses as r
from larder_cache._internal.calls.call_runner import CallRunner
from larder_cache._internal.calls.observers import NOBODY, Observers
from larder_cache._internal.calls.single_flight import SingleFlight
from larder_cache._internal.common import forks, green_threads
from larder_cache._internal.common.detached import detached
from larder_cache._internal.configuration.token_source import TokenSource
from larder_cache._internal.gateways.gateway import Gateway
from larder_cache._internal.gateways.gateway_names import Names
from larder_cache._internal.near.near_metrics import watch
from larder_cache._internal.near.near_reads import NearReads
from larder_cache._internal.operations.operation import Operation
from larder_cache._internal.telemetry.statistics import ClientStatistics, TopicStatistics
from larder_cache._internal.topics.subscriptions import Subscriptions
from larder_cache._internal.topics.topic_buffer import TopicBuffer
from larder_cache._internal.topics.topic_messages import Wanted
from larder_cache.configuration import Configuration
from larder_cache.credential_provider import CredentialProvider
from larder_cache.errors import ErrorCode

# The maximum number of concurrent calls that one `run_each` makes. Equal to the default concurrency limit.
AT_ONCE = 1_000
# The time that closing waits for the event loop of another thread, in seconds.
CLOSING_S = 2.0


class LoopCalls:
    """The calls of `larder_cache.CacheClient`. The first call on an event loop creates the CallRunner of that loop."""

    def __init__(
        self,
        credentials: CredentialProvider,
        configuration: Configuration,
        observers: Observers | None,
        names: Names | None = None,
    ) -> None:
        """Validate the settings. Does not connect.

        Args:
            names: See GatewaySet.

        Raises:
            RuntimeError: The process uses gevent or eventlet.
        """
        green_threads.check()
        self._names = names
        self.credentials = credentials
        self.configuration = configuration
        self._observers = observers or NOBODY
        self.tokens = None if credentials.token_provider is None else TokenSource(credentials.token_provider)
        self.near = None if configuration.near_cache is None else NearReads(configuration.near_cache)
        if self.near is not None and self._observers.metrics is not None:
            watch(self.near, self._observers.metrics)
        self._runners: dict[asyncio.AbstractEventLoop, CallRunner] = {}
        # One entry per event loop, created by the first subscription on that loop.
        self._subscriptions: dict[asyncio.AbstractEventLoop, Subscriptions] = {}
        # The `run` method of the runner that was used last, if a runner exists. That method passes calls of other event
        # loops to `_run_first`.
        self.run: Callable[..., Coroutine[Any, Any, Any]] = self._run_first
        self._closed = False
        # See StaleConnections.on_doubt. Any of the event loops may call this.
        self.on_doubt: Callable[[], None] = lambda: None
        # See InFlightLimiter.apart.
        self.apart: Callable[[], tuple[int, int]] = lambda: (0, 0)
        self.flights: SingleFlight[tuple[str, bytes], bytes] = SingleFlight()
        forks.tell(self)

    def _started(self) -> CallRunner:
        """Return the runner of the running event loop. Create the runner if needed.

        Raises:
            RuntimeError: No event loop is running.
        """
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            why = "no event loop is running; call from a coroutine, and after a fork start a new loop with asyncio.run"
            raise RuntimeError(why) from None
        runner = self._runners.get(loop)
        if runner is None:
            green_threads.check()
            for ended in [each for each in self._runners if each.is_closed()]:
                del self._runners[ended]
                self._subscriptions.pop(ended, None)
            self.flights.forget_closed_loops()
            first, names = self._run_first, self._names
            runner = CallRunner(
                self.credentials,
                self.configuration,
                loop,
                self._observers,
                elsewhere=first,
                names=names,
                tokens=self.tokens,
                near=self.near,
            )
            runner.stale.on_doubt = lambda: self.on_doubt()
            runner.limiter.apart = lambda: self.apart()
            self._runners[loop] = runner
        self.run = runner.run
        return runner

    async def _run_first(self, operation: Operation[Any], *call: Any) -> Any:
        if self._closed:
            return r.Error(ErrorCode.CANCELLED, f"{operation.name}: the client is closed")
        return await self._started().run(operation, *call)

    async def run_each(
        self, operation: Operation[Any], cache: str, payloads: list[bytes], timeout_s: float | None = None
    ) -> list[Any]:
        answers: list[Any] = []
        for first in range(0, len(payloads), AT_ONCE):
            part = payloads[first : first + AT_ONCE]
            answers += await asyncio.gather(*(self.run(operation, cache, each, timeout_s) for each in part))
        return answers

    def follow(self, wanted: Wanted, buffer: TopicBuffer) -> None:
        if self._closed:
            buffer.end(r.Error(ErrorCode.CANCELLED, "subscribe: the client is closed"))
            return
        runner, loop = self._started(), asyncio.get_running_loop()
        subscriptions = self._subscriptions.get(loop)
        if subscriptions is None:
            subscriptions = self._subscriptions[loop] = Subscriptions(
                self.credentials,
                self.configuration,
                loop,
                gateways=lambda: runner.gateways,
                tokens=self.tokens,
                metrics=self._observers.metrics,
            )
        subscriptions.follow(wanted, buffer)

    async def gone(self, buffer: TopicBuffer) -> None:
        subscriptions = self._subscriptions.get(asyncio.get_running_loop())
        if subscriptions is not None:
            await subscriptions.gone(buffer)

    async def resume(self, *call: Any) -> Any:
        """Continue a call whose first attempt failed. See `CallRunner.resume`."""
        return await self._started().resume(*call)

    async def connect(self, timeout_s: float) -> bool:
        return await self._started().connect(timeout_s)

    async def aclose(self) -> None:
        self._closed = True
        self.run = self._run_first
        if self.near is not None:
            self.near.close()
        if self.tokens is not None:
            self.tokens.close()
        runners, self._runners = self._runners, {}
        subscriptions, self._subscriptions = self._subscriptions, {}
        for loop, each in [*subscriptions.items(), *runners.items()]:
            if loop is asyncio.get_running_loop():
                await each.aclose()
            elif loop.is_running():
                closing = asyncio.wrap_future(asyncio.run_coroutine_threadsafe(each.aclose(), loop))
                # The other loop may stop, or its thread may be blocked. Do not wait longer than this, because the
                # loop's connections close when the loop ends.
                await asyncio.wait([closing], timeout=CLOSING_S)

    def after_fork(self) -> None:
        """Reset the state in a forked child process (forks.Forked)."""
        forks.keep(self._runners)
        forks.keep(self._subscriptions)
        self._subscriptions = {}
        if self.near is not None:
            self.near.after_fork()
        if self.tokens is not None:
            self.tokens.after_fork()
        self._runners = {}
        self.run = self._run_first
        self.flights.forget()

    def statistics(self) -> ClientStatistics:
        runner = self._started()
        limiter = runner.limiter
        subscriptions = self._subscriptions.get(asyncio.get_running_loop())
        return ClientStatistics(
            in_flight=limiter.in_flight,
            in_flight_limit=limiter.limit,
            target_out_of_reach=runner.target_out_of_reach,
            queued=limiter.queued,
            connections=runner.connections + (0 if subscriptions is None else subscriptions.connections),
            pipelined=runner.pipelined,
            gateways=() if runner.gateways is None else runner.gateways.statistics(),
            topics=TopicStatistics() if subscriptions is None else subscriptions.statistics(),
        )

    def replace_idle(self, name: str) -> None:
        """Replace idle connections. See `StaleConnections.replace_idle`. Thread-safe."""
        for loop, runner in list(self._runners.items()):
            try:
                detached(loop.call_soon_threadsafe, runner.stale.replace_idle, name)
            except RuntimeError:
                pass  # The loop was closed, and with it its connections.

    def gap_since(self, monotonic_s: float) -> bool:
        """Return whether the process was suspended since a given `time.monotonic` time. Thread-safe."""
        return any(runner.stale.gap_since(monotonic_s) for runner in list(self._runners.values()))

    def gateways_up(self) -> list[Gateway] | None:
        """Return the gateways that probably accept calls, or None if there is only one server. Thread-safe."""
        several = [runner.gateways for runner in list(self._runners.values()) if runner.gateways is not None]
        return several[0].up() if several else None

    def held(self) -> dict[str, int]:
        subscriptions = self._subscriptions.get(asyncio.get_running_loop())
        return self._started().held() | {
            "flights": self.flights.under_way,
            "subscriptions": 0 if subscriptions is None else subscriptions.open,
            "streams of topics": 0 if subscriptions is None else subscriptions.streams,
            "near gets": 0 if self.near is None else len(self.near.state.flights),
        }

    @property
    def pipelined(self) -> bool:
        """Whether calls on all event loops use the pipeline, as far as is known."""
        return all(runner.pipelined for runner in self._runners.values())
