"""Several servers that hold the same items (protocol/spec/fronts.md): for each attempt the choice among those up."""

from __future__ import annotations

import asyncio
import random
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from larder_cache._internal.common import log
from larder_cache._internal.common.detached import detached
from larder_cache._internal.configuration.token_source import TokenSource
from larder_cache._internal.gateways.front import Front
from larder_cache._internal.gateways.front_choice import choose
from larder_cache._internal.gateways.front_names import Names, NameWatch
from larder_cache._internal.near.near_reads import NearReads
from larder_cache._internal.operations.call import Call
from larder_cache._internal.telemetry.statistics import FrontStatistics
from larder_cache._internal.telemetry.telemetry import CONNECTIONS, FRONTS_LEFT_OUT
from larder_cache._internal.transport.outage import Outage, out_of_reach
from larder_cache._internal.transport.pipeline_transport import PipelineTransport
from larder_cache._internal.transport.unary_transport import UnaryTransport
from larder_cache.configuration import Configuration, Transport
from larder_cache.credential_provider import MOST_FRONTS, CredentialProvider
from larder_cache.errors import (
    DEADLINE_EXCEEDED,
    PERMISSION_DENIED,
    RESOURCE_EXHAUSTED,
    UNAUTHENTICATED,
    UNAVAILABLE,
    UNIMPLEMENTED,
    ErrorCode,
    Failure,
)

# What a stream is refused by before its calls are read.
_BEFORE_CALLS = frozenset((PERMISSION_DENIED, RESOURCE_EXHAUSTED, UNAUTHENTICATED, UNIMPLEMENTED))
_NO_PIPELINE = Failure(UNIMPLEMENTED, "no front has the pipeline", not_executed=True)
# A front that cannot be connected tries again by itself; it is asked after it that often.
_ASK_S = 0.100
MakeFront = Callable[[CredentialProvider, str | None], Front]


class FrontSet:
    """Has the calls of a PipelineTransport and of a UnaryTransport, and one of each for every front.

    A call that finds no front up waits here, and not with one of them: the first that is there has it.
    """

    def __init__(
        self,
        credentials: CredentialProvider,
        configuration: Configuration,
        leave: Callable[[int], None],
        loop: asyncio.AbstractEventLoop,
        *,
        names: Names | None = None,
        tokens: TokenSource | None = None,
        near: NearReads | None = None,
        changed: Callable[[], None] = lambda: None,
        rand: Callable[[], float] = random.random,
    ) -> None:
        """`changed`: hears that there are other fronts."""
        self._configuration = configuration
        self._loop = loop
        self._make: MakeFront = lambda each, at: Front(each, at, configuration, leave, loop, tokens, near)
        self._changed = changed
        self._random = rand
        self._given = credentials.fronts()
        self.fronts = [self._make(each, None) for each in self._given]
        # Their addresses are gone, and calls are still answered there.
        self._leaving: list[Front] = []
        self._pipelined = configuration.transport is not Transport.UNARY
        self._waiting: OrderedDict[Call, None] = OrderedDict()
        # Unary calls that wait for a front: told of a failure, or that one is up.
        self._waiters: set[asyncio.Future[Failure | None]] = set()
        self._outage = Outage(configuration.request_timeout_s)
        self._closed = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._watch = NameWatch(self._given, names or Names(), loop, self._apply)
        self._watch.start()

    # What a call runner asks of a pipeline.

    @property
    def unsupported(self) -> bool:
        """No front has the pipeline; one that has none is left out while another has it."""
        return all(front.pipeline.unsupported for front in self.fronts)

    @property
    def connections(self) -> int:
        """Connections open now."""
        return sum(front.connections for front in self.fronts + self._leaving)

    def state(self, told: str) -> str:
        """The fronts in a few words, for error texts."""
        up = sum(front.ready(self._pipelined) for front in self.fronts)
        why = "" if up or self._outage.reason in told else f" ({self._outage.reason})"
        return f"{up} of {len(self.fronts)} fronts up{why}"

    def start(self, call: Call) -> None:
        """Send a call that holds its permit. Its future gets a response or a Failure; nothing is raised."""
        front = self._choose(call)
        if front is not None:
            call.front = front
            front.pipeline.start(call)
            return
        if self._closed or self.unsupported or self._hopeless():
            call.attempts += 1
            failure = _NO_PIPELINE if not self._closed and self.unsupported else self._out_of_reach()
            # Later, and not within whoever gave us the permit.
            self._loop.call_soon(_tell, call.future, failure)
        else:
            self._waiting[call] = None
        self._connect_all()

    def forget(self, call: Call) -> bool:
        """As PipelineTransport.forget."""
        if call in self._waiting:
            del self._waiting[call]
        return any([front.pipeline.forget(call) for front in self.fronts + self._leaving])

    def replace_idle(self, name: str = "") -> None:
        """As PipelineTransport.replace_idle. `name`: of this front alone; "": of all."""
        for front in self.fronts:
            if name in ("", front.name):
                front.replace_idle()

    def late(self, call: Call) -> Failure | None:
        """Why a call has waited in vain for a connection; None: not for want of a server, as far as is known."""
        if call in self._waiting:
            return self._out_of_reach() if self._outage.lasts else None
        return next((late for front in self.fronts + self._leaving if (late := front.pipeline.late(call))), None)

    def outstanding(self) -> list[Call]:
        """Calls sent or waiting, for the deadline sweep."""
        calls = list(self._waiting)
        for front in self.fronts + self._leaving:
            calls += front.pipeline.outstanding()
        return calls

    # What a call runner asks of unary calls.

    async def attempt(self, call: Call) -> Any:
        """Return the response, or a Failure."""
        while (front := self._choose(call)) is None:
            if self._closed or self._hopeless():
                self._connect_all()
                return self._out_of_reach()
            self._connect_all()
            try:
                async with asyncio.timeout(max(0.0, call.deadline - self._loop.time())):
                    failure = await self._news()
            except TimeoutError:
                late = Failure(DEADLINE_EXCEEDED, "the deadline passed waiting for a front", code=ErrorCode.TIMEOUT)
                return self._out_of_reach() if self._outage.lasts else late
            if failure is not None:
                return failure
        call.front = front
        return await front.unary.attempt(call)

    async def connect(self, timeout_s: float) -> bool:
        """Connect the fronts, and wait for one. False: not within the time."""
        self._connect_all()
        try:
            async with asyncio.timeout(timeout_s):
                while not self._closed and not self.unsupported:
                    if self._any_up():
                        return True
                    await self._news()
        except TimeoutError:
            return False
        return not self._closed

    def adopt(self, pipeline: PipelineTransport | None, unary: UnaryTransport) -> None:
        """Take over what had the calls while there was one server: they are still answered there."""
        front = self._make(self._given[0], None)
        front.pipeline, front.unary = pipeline or front.pipeline, unary
        if front.busy or front.connections:
            self._leaving.append(front)
            self._run(self._let_go(front), "larder: let a front go")

    def gauges(self) -> list[tuple[str, Callable[[], int | None]]]:
        """The figures of the fronts together, by name; there are none while there is one."""

        def connections() -> int | None:
            return self.connections if len(self.fronts) > 1 else None

        def left_out() -> int | None:
            return len(self.fronts) - len(self.up()) if len(self.fronts) > 1 else None

        return [(CONNECTIONS, connections), (FRONTS_LEFT_OUT, left_out)]

    def leave_the_pipeline(self) -> None:
        """No front has it: a front is up where a unary channel is."""
        self._pipelined = False

    def judged(self, call: Call, failure: Failure) -> Failure:
        """Note that a call's front refused it (FRONT-9). Return the failure as the retry rule is to see it."""
        front = getattr(call, "front", None)
        if not isinstance(front, Front):
            return failure
        pipeline = front.pipeline
        refusal = pipeline.refusal
        # It took the stream, calls were written, and it refused the stream then, without a look at them.
        of_stream = failure.status in _BEFORE_CALLS and (
            failure.status == UNIMPLEMENTED
            if pipeline.unsupported
            else refusal is not None and (refusal.status, refusal.message) == (failure.status, failure.message)
        )
        if of_stream or failure.cause == "not_executed":
            self._refused(front)
        if of_stream and any(each.pipeline.refusal is None and not each.pipeline.unsupported for each in self.fronts):
            return Failure(UNAVAILABLE, failure.message, "not_executed", not_executed=True)
        return failure

    def statistics(self) -> tuple[FrontStatistics, ...]:
        """What is held of each front, in the order given."""
        return tuple(front.statistics(self._pipelined) for front in self.fronts)

    def up(self) -> list[Front]:
        """The fronts that take calls. From any thread."""
        return [front for front in self.fronts if front.ready(self._pipelined)]

    def _any_up(self) -> bool:
        return any(front.ready(self._pipelined) for front in self.fronts)

    async def aclose(self) -> None:
        """Close every connection; calls that wait end with UNAVAILABLE."""
        if self._closed:
            return
        self._closed = True
        self._outage.reason = "the client is closed"
        await self._watch.aclose()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._fail_waiting(self._out_of_reach())
        for front in self.fronts + self._leaving:
            await front.aclose()

    # The choice.

    def _choose(self, call: Call) -> Front | None:
        pipelined, now = self._pipelined, self._loop.time()
        up, aside = list[Front](), list[Front]()
        for front in self.fronts:
            if not front.ready(pipelined):
                self._connect(front)
            elif front.health.aside_until > now:
                aside.append(front)
            else:
                up.append(front)
        some = up or aside
        if not some:
            return None
        failed_by = getattr(call, "front", None) if call.attempts else None
        if failed_by is not None and len(some) > 1:
            some = [front for front in some if front is not failed_by]
        if len(some) == 1:
            return some[0]
        return some[choose([front.in_flight for front in some], self._random(), self._random())]

    # Fronts that are left out.

    def _refused(self, front: Front) -> None:
        """Set a front aside that refused (FRONT-9)."""
        log.front_set_aside(front.name)
        front.health.refused(self._loop.time(), self._random())

    def _connect_all(self) -> None:
        for front in self.fronts:
            if not front.ready(self._pipelined):
                self._connect(front)

    def _connect(self, front: Front) -> None:
        if not front.connecting and not self._closed:
            front.connecting = True
            if self._pipelined and front.pipeline.refusal is not None:
                # It took the stream and refused it then.
                self._refused(front)
            self._run(self._bring_up(front), "larder: connect a front")

    def _run(self, work: Any, name: str) -> None:
        task = detached(self._loop.create_task, work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            log.client_fault("looking after its fronts", fault)

    async def _bring_up(self, front: Front) -> None:
        told = False
        try:
            while not self._closed and not front.gone:
                left = front.health.aside_until - self._loop.time()
                if left > 0:
                    await asyncio.sleep(left)
                if await front.connect(self._pipelined, _ASK_S) and front.ready(self._pipelined):
                    break
                why = front.failing(self._pipelined)
                if why is not None and not told:
                    told = True
                    log.front_left_out(front.name, why)
                self._judge(front, why)
                if front.pipeline.unsupported:
                    await asyncio.sleep(_ASK_S)
        finally:
            front.connecting = False
        if front.ready(self._pipelined):
            if told:
                log.front_up(front.name)
            self._outage.over()
            self._on_up()

    def _on_up(self) -> None:
        waiting, self._waiting = self._waiting, OrderedDict()
        for call in waiting:
            self.start(call)
        self._tell_waiters(None)

    def _judge(self, front: Front, why: str | None) -> None:
        """A front could not be connected: what becomes of those who wait?"""
        if self._any_up():
            return
        refusal = front.pipeline.refusal if self._pipelined else None
        if refusal is not None:
            self._refused(front)
        if why is not None:
            self._outage.seen(why, self._loop.time())
            self._watch.soon()
        if self._pipelined and self.unsupported:
            self._fail_waiting(_NO_PIPELINE)
        elif refusal is not None and all(each.pipeline.refusal is not None for each in self.fronts):
            self._fail_waiting(refusal)
        elif self._hopeless():
            self._fail_waiting(self._out_of_reach())

    def _fail_waiting(self, failure: Failure) -> None:
        waiting, self._waiting = self._waiting, OrderedDict()
        for call in waiting:
            call.attempts += 1
            _tell(call.future, failure)
        self._tell_waiters(failure)

    async def _news(self) -> Failure | None:
        """Wait until a front is up (None), or those who wait are told of a failure."""
        waiter: asyncio.Future[Failure | None] = self._loop.create_future()
        self._waiters.add(waiter)
        try:
            return await waiter
        finally:
            self._waiters.discard(waiter)

    def _tell_waiters(self, failure: Failure | None) -> None:
        for waiter in self._waiters:
            _tell(waiter, failure)

    def _hopeless(self) -> bool:
        return self._outage.past_grace(self._loop.time())

    def _out_of_reach(self) -> Failure:
        why = self._outage.reason
        return out_of_reach(why if self._closed else f"no front is up: {why}")

    # Names.

    def _apply(self) -> None:
        wanted = [(given, at) for given in self._given for at in self._watch.addresses(given) or [None]][:MOST_FRONTS]
        there = {(front.credentials, front.address): front for front in self.fronts}
        after = [there.pop((given, at), None) or self._make(given, at) for given, at in wanted]
        if after == self.fronts:
            return
        self.fronts = after
        log.fronts_changed([front.name for front in after])
        for front in there.values():
            front.gone = True
            self._leaving.append(front)
            self._run(self._let_go(front), "larder: let a front go")
        self._changed()
        if self._waiting or self._waiters:
            self._connect_all()

    async def _let_go(self, front: Front) -> None:
        """Its calls are answered, or their deadline passes."""
        until = self._loop.time() + self._configuration.request_timeout_s
        while front.busy and self._loop.time() < until:
            await asyncio.sleep(_ASK_S)
        self._leaving.remove(front)
        await front.aclose()


def _tell(future: asyncio.Future[Any], outcome: Any) -> None:
    if not future.done():
        future.set_result(outcome)
