"""Several servers with the same items (protocol/spec/gateways.md). Each attempt uses one of the available servers."""

from __future__ import annotations

import asyncio
import random
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from larder_cache._internal.common import log
from larder_cache._internal.common.detached import detached
from larder_cache._internal.configuration.token_source import TokenSource
from larder_cache._internal.gateways.gateway import Gateway
from larder_cache._internal.gateways.gateway_choice import choose
from larder_cache._internal.gateways.gateway_names import Names, NameWatch
from larder_cache._internal.near.near_reads import NearReads
from larder_cache._internal.operations.call import Call
from larder_cache._internal.telemetry.statistics import GatewayStatistics
from larder_cache._internal.telemetry.telemetry import CONNECTIONS, GATEWAYS_LEFT_OUT
from larder_cache._internal.transport.outage import Outage, out_of_reach
from larder_cache._internal.transport.pipeline_transport import PipelineTransport
from larder_cache._internal.transport.unary_transport import UnaryTransport
from larder_cache.configuration import Configuration, Transport
from larder_cache.credential_provider import MOST_GATEWAYS, CredentialProvider
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

# The statuses with which a server rejects a stream before it reads calls from the stream.
_BEFORE_CALLS = frozenset((PERMISSION_DENIED, RESOURCE_EXHAUSTED, UNAUTHENTICATED, UNIMPLEMENTED))
_NO_PIPELINE = Failure(UNIMPLEMENTED, "no gateway supports the pipeline", not_executed=True)
# The interval in seconds at which a gateway is polled. A transport that cannot connect retries by itself.
_ASK_S = 0.100
MakeGateway = Callable[[CredentialProvider, str | None], Gateway]


class GatewaySet:
    """Implements the interfaces of PipelineTransport and UnaryTransport with several gateways.

    Each gateway has both transports. If no gateway is available, a call waits in this class and not in the transport of
    one gateway. The first gateway that becomes available gets the call.
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
        """Create the gateways without connecting. `changed`: called when the set of gateways changes."""
        self._configuration = configuration
        self._loop = loop
        self._make: MakeGateway = lambda each, at: Gateway(each, at, configuration, leave, loop, tokens, near)
        self._changed = changed
        self._random = rand
        self._given = credentials.gateways()
        self.gateways = [self._make(each, None) for each in self._given]
        # Gateways that were removed but still process calls.
        self._leaving: list[Gateway] = []
        self._pipelined = configuration.transport is not Transport.UNARY
        self._waiting: OrderedDict[Call, None] = OrderedDict()
        # Unary calls that wait for a gateway. A future gets a Failure, or None when a gateway is available.
        self._waiters: set[asyncio.Future[Failure | None]] = set()
        self._outage = Outage(configuration.request_timeout_s)
        self._closed = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._watch = NameWatch(self._given, names or Names(), loop, self._apply)
        self._watch.start()

    # The methods of PipelineTransport, which the call runner uses.

    @property
    def unsupported(self) -> bool:
        """Whether no gateway supports the pipeline. If one does, gateways without a pipeline get no calls."""
        return all(gateway.pipeline.unsupported for gateway in self.gateways)

    @property
    def connections(self) -> int:
        """The number of open connections."""
        return sum(gateway.connections for gateway in self.gateways + self._leaving)

    def state(self, told: str) -> str:
        """Return a short text about the state of the gateways, to append to the error message `told`."""
        up = sum(gateway.ready(self._pipelined) for gateway in self.gateways)
        why = "" if up or self._outage.reason in told else f" ({self._outage.reason})"
        return f"{up} of {len(self.gateways)} gateways available{why}"

    def start(self, call: Call) -> None:
        """Send a call that has its permit. The future receives a response or a Failure. Does not raise."""
        gateway = self._choose(call)
        if gateway is not None:
            call.gateway = gateway
            gateway.pipeline.start(call)
            return
        if self._closed or self.unsupported or self._is_permanent_failure():
            call.attempts += 1
            failure = _NO_PIPELINE if not self._closed and self.unsupported else self._out_of_reach()
            # Set the result in a later iteration, not inside the code that granted the permit.
            self._loop.call_soon(_tell, call.future, failure)
        else:
            self._waiting[call] = None
        self._connect_all()

    def forget(self, call: Call) -> bool:
        """Remove a call. See `PipelineTransport.forget`."""
        if call in self._waiting:
            del self._waiting[call]
        return any([gateway.pipeline.forget(call) for gateway in self.gateways + self._leaving])

    def replace_idle(self, name: str = "") -> None:
        """Replace idle connections of one gateway, or of all if `name` is empty (`PipelineTransport.replace_idle`)."""
        for gateway in self.gateways:
            if name in ("", gateway.name):
                gateway.replace_idle()

    def late(self, call: Call) -> Failure | None:
        """Return the failure of a call whose deadline passed while it was waiting for a connection.

        Returns None if no failure is known.
        """
        if call in self._waiting:
            return self._out_of_reach() if self._outage.lasts else None
        return next((late for gateway in self.gateways + self._leaving if (late := gateway.pipeline.late(call))), None)

    def outstanding(self) -> list[Call]:
        """Return all calls that were sent or are waiting. The deadline sweep uses them."""
        calls = list(self._waiting)
        for gateway in self.gateways + self._leaving:
            calls += gateway.pipeline.outstanding()
        return calls

    # The methods of UnaryTransport, which the call runner uses.

    async def attempt(self, call: Call) -> Any:
        """Make an attempt over the unary transport. Returns the response or a Failure."""
        while (gateway := self._choose(call)) is None:
            if self._closed or self._is_permanent_failure():
                self._connect_all()
                return self._out_of_reach()
            self._connect_all()
            try:
                async with asyncio.timeout(max(0.0, call.deadline - self._loop.time())):
                    failure = await self._news()
            except TimeoutError:
                late = Failure(
                    DEADLINE_EXCEEDED, "the deadline passed while waiting for a gateway", code=ErrorCode.TIMEOUT
                )
                return self._out_of_reach() if self._outage.lasts else late
            if failure is not None:
                return failure
        call.gateway = gateway
        return await gateway.unary.attempt(call)

    async def connect(self, timeout_s: float) -> bool:
        """Connect the gateways and wait for the first one. Returns False on timeout."""
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
        """Take over the transports that were used while there was only one server. They may still process calls."""
        gateway = self._make(self._given[0], None)
        gateway.pipeline, gateway.unary = pipeline or gateway.pipeline, unary
        if gateway.busy or gateway.connections:
            self._leaving.append(gateway)
            self._run(self._let_go(gateway), "larder: close a gateway")

    def gauges(self) -> list[tuple[str, Callable[[], int | None]]]:
        """Return the gauges of all gateways together, by name. A gauge has no value while there is only one server."""

        def connections() -> int | None:
            return self.connections if len(self.gateways) > 1 else None

        def left_out() -> int | None:
            return len(self.gateways) - len(self.up()) if len(self.gateways) > 1 else None

        return [(CONNECTIONS, connections), (GATEWAYS_LEFT_OUT, left_out)]

    def fall_back_to_unary(self) -> None:
        """Switch to unary calls, because no gateway supports the pipeline. Also affects `up` and `statistics`."""
        self._pipelined = False

    def judged(self, call: Call, failure: Failure) -> Failure:
        """Record that a call's gateway rejected it (GATEWAY-9). Returns the failure for the retry policy."""
        gateway = getattr(call, "gateway", None)
        if not isinstance(gateway, Gateway):
            return failure
        pipeline = gateway.pipeline
        refusal = pipeline.refusal
        # True if the server accepted the stream and then rejected it without reading the calls already written.
        of_stream = failure.status in _BEFORE_CALLS and (
            failure.status == UNIMPLEMENTED
            if pipeline.unsupported
            else refusal is not None and (refusal.status, refusal.message) == (failure.status, failure.message)
        )
        if of_stream or failure.cause == "not_executed":
            self._refused(gateway)
        if of_stream and any(each.pipeline.refusal is None and not each.pipeline.unsupported for each in self.gateways):
            return Failure(UNAVAILABLE, failure.message, "not_executed", not_executed=True)
        return failure

    def statistics(self) -> tuple[GatewayStatistics, ...]:
        """Return the statistics of each gateway in configured order."""
        return tuple(gateway.statistics(self._pipelined) for gateway in self.gateways)

    def up(self) -> list[Gateway]:
        """Return the gateways that accept calls. Thread-safe."""
        return [gateway for gateway in self.gateways if gateway.ready(self._pipelined)]

    def _any_up(self) -> bool:
        return any(gateway.ready(self._pipelined) for gateway in self.gateways)

    async def aclose(self) -> None:
        """Close every connection. Waiting calls end with UNAVAILABLE."""
        if self._closed:
            return
        self._closed = True
        self._outage.reason = "the client is closed"
        await self._watch.aclose()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._fail_waiting(self._out_of_reach())
        for gateway in self.gateways + self._leaving:
            await gateway.aclose()

    def _choose(self, call: Call) -> Gateway | None:
        pipelined, now = self._pipelined, self._loop.time()
        up, aside = list[Gateway](), list[Gateway]()
        for gateway in self.gateways:
            if not gateway.ready(pipelined):
                self._connect(gateway)
            elif gateway.health.aside_until > now:
                aside.append(gateway)
            else:
                up.append(gateway)
        some = up or aside
        if not some:
            return None
        failed_by = getattr(call, "gateway", None) if call.attempts else None
        if failed_by is not None and len(some) > 1:
            some = [gateway for gateway in some if gateway is not failed_by]
        if len(some) == 1:
            return some[0]
        return some[choose([gateway.in_flight for gateway in some], self._random(), self._random())]

    def _refused(self, gateway: Gateway) -> None:
        """Remove a gateway from rotation because it rejected a call (GATEWAY-9)."""
        log.gateway_set_aside(gateway.name)
        gateway.health.refused(self._loop.time(), self._random())

    def _connect_all(self) -> None:
        for gateway in self.gateways:
            if not gateway.ready(self._pipelined):
                self._connect(gateway)

    def _connect(self, gateway: Gateway) -> None:
        if not gateway.connecting and not self._closed:
            gateway.connecting = True
            if self._pipelined and gateway.pipeline.refusal is not None:
                # The gateway accepted the stream and then rejected it.
                self._refused(gateway)
            self._run(self._bring_up(gateway), "larder: connect a gateway")

    def _run(self, work: Any, name: str) -> None:
        task = detached(self._loop.create_task, work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            log.client_fault("connecting to gateways", fault)

    async def _bring_up(self, gateway: Gateway) -> None:
        told = False
        try:
            while not self._closed and not gateway.gone:
                left = gateway.health.aside_until - self._loop.time()
                if left > 0:
                    await asyncio.sleep(left)
                if await gateway.connect(self._pipelined, _ASK_S) and gateway.ready(self._pipelined):
                    break
                why = gateway.failing(self._pipelined)
                if why is not None and not told:
                    told = True
                    log.gateway_left_out(gateway.name, why)
                self._judge(gateway, why)
                if gateway.pipeline.unsupported:
                    await asyncio.sleep(_ASK_S)
        finally:
            gateway.connecting = False
        if gateway.ready(self._pipelined):
            if told:
                log.gateway_up(gateway.name)
            self._outage.over()
            self._on_up()

    def _on_up(self) -> None:
        waiting, self._waiting = self._waiting, OrderedDict()
        for call in waiting:
            self.start(call)
        self._tell_waiters(None)

    def _judge(self, gateway: Gateway, why: str | None) -> None:
        """Process a failed attempt to connect. Fails the waiting calls if waiting longer would not help."""
        if self._any_up():
            return
        refusal = gateway.pipeline.refusal if self._pipelined else None
        if refusal is not None:
            self._refused(gateway)
        if why is not None:
            self._outage.seen(why, self._loop.time())
            self._watch.soon()
        if self._pipelined and self.unsupported:
            self._fail_waiting(_NO_PIPELINE)
        elif refusal is not None and all(each.pipeline.refusal is not None for each in self.gateways):
            self._fail_waiting(refusal)
        elif self._is_permanent_failure():
            self._fail_waiting(self._out_of_reach())

    def _fail_waiting(self, failure: Failure) -> None:
        waiting, self._waiting = self._waiting, OrderedDict()
        for call in waiting:
            call.attempts += 1
            _tell(call.future, failure)
        self._tell_waiters(failure)

    async def _news(self) -> Failure | None:
        """Wait until a gateway is available or the waiting calls fail. Returns None or the failure."""
        waiter: asyncio.Future[Failure | None] = self._loop.create_future()
        self._waiters.add(waiter)
        try:
            return await waiter
        finally:
            self._waiters.discard(waiter)

    def _tell_waiters(self, failure: Failure | None) -> None:
        for waiter in self._waiters:
            _tell(waiter, failure)

    def _is_permanent_failure(self) -> bool:
        return self._outage.past_grace(self._loop.time())

    def _out_of_reach(self) -> Failure:
        why = self._outage.reason
        return out_of_reach(why if self._closed else f"no gateway is available: {why}")

    def _apply(self) -> None:
        wanted = [(given, at) for given in self._given for at in self._watch.addresses(given) or [None]][:MOST_GATEWAYS]
        there = {(gateway.credentials, gateway.address): gateway for gateway in self.gateways}
        after = [there.pop((given, at), None) or self._make(given, at) for given, at in wanted]
        if after == self.gateways:
            return
        self.gateways = after
        log.gateways_changed([gateway.name for gateway in after])
        for gateway in there.values():
            gateway.gone = True
            self._leaving.append(gateway)
            self._run(self._let_go(gateway), "larder: close a gateway")
        self._changed()
        if self._waiting or self._waiters:
            self._connect_all()

    async def _let_go(self, gateway: Gateway) -> None:
        """Close a removed gateway once its calls have ended or timed out."""
        until = self._loop.time() + self._configuration.request_timeout_s
        while gateway.busy and self._loop.time() < until:
            await asyncio.sleep(_ASK_S)
        self._leaving.remove(gateway)
        await gateway.aclose()


def _tell(future: asyncio.Future[Any], outcome: Any) -> None:
    if not future.done():
        future.set_result(outcome)
