"""Runs calls: permits, deadlines, attempts and results."""

from __future__ import annotations

import asyncio
from asyncio import _get_running_loop  # pyright: ignore[reportPrivateUsage]
from collections.abc import Callable, Coroutine
from time import perf_counter
from typing import Any, TypeVar, cast

from larder_cache._internal.calls.adaptive_limiter import AdaptiveCalls, AdaptiveLimiter
from larder_cache._internal.calls.deadline_lists import DeadlineLists
from larder_cache._internal.calls.deadline_sweep import DeadlineSweep
from larder_cache._internal.calls.in_flight_limiter import InFlightLimiter
from larder_cache._internal.calls.observers import NOBODY, Observers
from larder_cache._internal.calls.retry_policy import RetryPolicy
from larder_cache._internal.common import log
from larder_cache._internal.configuration.token_source import CallMetadata, TokenSource
from larder_cache._internal.gateways.gateway_names import Names, name_of
from larder_cache._internal.gateways.gateway_set import GatewaySet
from larder_cache._internal.gateways.near_gateway_set import gateway_set
from larder_cache._internal.near.near_end_listener import NearEndListener
from larder_cache._internal.near.near_reads import NearReads
from larder_cache._internal.operations.arguments import Refusal, check_timeout
from larder_cache._internal.operations.call import Call
from larder_cache._internal.operations.error_texts import CLOSED, CLOSED_MEANWHILE, error_of, late, overloaded
from larder_cache._internal.operations.operation import Operation
from larder_cache._internal.telemetry.telemetry import OUT_OF_REACH, ObservedCall
from larder_cache._internal.transport.pipeline_result import USE_UNARY
from larder_cache._internal.transport.pipeline_stream import LARGE_REQUEST_BYTES
from larder_cache._internal.transport.pipeline_transport import PipelineTransport
from larder_cache._internal.transport.renewals import Renewals, first_token
from larder_cache._internal.transport.stale_connections import StaleConnections
from larder_cache._internal.transport.unary_transport import UnaryTransport
from larder_cache._internal.transport.unary_way import start_unary
from larder_cache.configuration import Configuration, Transport
from larder_cache.credential_provider import CredentialProvider
from larder_cache.errors import UNIMPLEMENTED, ErrorCode, Failure
from larder_cache.responses import Error

R = TypeVar("R")


class CallRunner:
    """Runs every call of one client on one event loop.

    There is one limiter for all transports. A call takes one permit and keeps it during retries. The call also keeps
    the permit if it continues over the unary transport because it is large or the server has no pipeline. The permit is
    returned exactly once, either by the reader that completes the call or by this class.
    """

    def __init__(
        self,
        credentials: CredentialProvider,
        configuration: Configuration,
        loop: asyncio.AbstractEventLoop,
        observers: Observers = NOBODY,
        *,
        elsewhere: Callable[..., Coroutine[Any, Any, Any]],
        names: Names | None = None,
        tokens: TokenSource | None = None,
        near: NearReads | None = None,
    ) -> None:
        """Create the runner of one event loop. Does not connect. `elsewhere` runs calls of other loops and forks."""
        self._elsewhere = elsewhere
        self._configuration = configuration
        self._loop = loop
        self._endpoint, self._timeout_s = credentials.endpoint, configuration.request_timeout_s
        metadata = CallMetadata(credentials.token, configuration.headers, tokens)
        self._tokens = tokens
        self._renewals = Renewals(tokens)
        is_unary = configuration.transport is Transport.UNARY
        cap = configuration.max_in_flight_unary if is_unary else configuration.max_in_flight_pipeline
        self.limiter = InFlightLimiter(cap, configuration.queue_limit)
        metrics = observers.guarded()
        is_timed = configuration.adaptive_target_s is not None
        self._telemetry, self._make = observers.listener(metrics, self._endpoint, self.limiter, is_timed)
        self._adaptive: AdaptiveLimiter | None = None
        if (target := configuration.adaptive_target_s) is not None:
            self._adaptive = AdaptiveLimiter(self.limiter, target, perf_counter())
            self._telemetry = AdaptiveCalls(self._adaptive, self._telemetry)
            if metrics is not None:
                metrics.watch(OUT_OF_REACH, lambda: int(self.target_out_of_reach))
        if near is not None:
            self._telemetry = NearEndListener(near, self._telemetry)
        self._retries = RetryPolicy(configuration, cap)
        self._unary: UnaryTransport | GatewaySet = UnaryTransport(credentials, configuration, metadata, loop)
        self._pipeline: PipelineTransport | GatewaySet | None = None
        if not is_unary:
            leave = self.limiter.leave
            self._pipeline = PipelineTransport(credentials, configuration, metadata, leave, loop, near=near)
        # Set if there are several servers, or if the host name may resolve to several addresses. Calls use it only
        # while there are several servers.
        self._gateways: GatewaySet | None = None
        if credentials.others or name_of(credentials) is not None:
            told: dict[str, Any] = {"names": names, "tokens": tokens, "changed": self._use_gateways}
            self._gateways = gateway_set(near, credentials, configuration, self.limiter.leave, loop, **told)
        if credentials.others:
            self._use_gateways()
        self._sweep = DeadlineSweep(loop, self._timeout_s, self._expire)
        self.stale = StaleConnections(loop, lambda: {self._unary, self._pipeline})
        # The deadlines of calls with their own timeout.
        self._own_deadlines = DeadlineLists(loop, self._expire_call)
        self._closed, self._unary_calls = False, set[Call]()
        if metrics is not None and self._gateways is not None:
            for name, read in self._gateways.gauges():
                metrics.watch(name, read)

    def _use_gateways(self) -> None:
        """Switch to several servers. From now on a gateway is chosen for each call."""
        gateways = self._gateways
        if gateways is None or self._unary is gateways:
            return
        if isinstance(self._unary, UnaryTransport) and not isinstance(self._pipeline, GatewaySet):
            gateways.adopt(self._pipeline, self._unary)
        if self._pipeline is None and self._configuration.transport is not Transport.UNARY:
            gateways.fall_back_to_unary()
        self._unary = gateways
        if self._pipeline is not None:
            self._pipeline = gateways

    async def run(
        self,
        operation: Operation[R],
        cache: str,
        payload: bytes,
        timeout_s: float | None = None,
        attempts: int = 0,
        large: bool = False,
        renewals: int = 0,
    ) -> R | Error:
        """Run one call. It ends within its deadline. Raises only if the caller is cancelled.

        The cache's name and the payload are already validated, so invalid arguments cannot raise here.

        Args:
            attempts: The number of attempts already made.
            large: Whether the server announced a response that is too large for the pipeline. The call is then unary.
            renewals: The number of times the call was sent again with a new token.
        """
        # A forked child process has no running loop, even if its parent had one.
        if _get_running_loop() is not self._loop:
            return await self._elsewhere(operation, cache, payload, timeout_s, attempts)
        if timeout_s is not None:
            try:
                check_timeout(timeout_s)
            except Refusal as refusal:
                return refusal.error
        pipeline, start = self._pipeline, start_unary
        if pipeline is not None and operation.field is not None and len(payload) <= LARGE_REQUEST_BYTES and not large:
            start = pipeline.start
        if self._tokens is not None and not self._tokens.version:
            start = first_token
        now = self._loop.time()
        deadline = now + (self._timeout_s if timeout_s is None else timeout_s)
        future: asyncio.Future[Any] = self._loop.create_future()
        call = self._make(operation, cache, payload, now, deadline, future, start)
        call.attempts = attempts
        self._retries.on_call()
        if not self._sweep.running:
            self._sweep.start()
            self.stale.look()
        try:
            if self._closed:
                return self._ended(call, self._error(call, CLOSED))
            if self.limiter.try_enter():
                call.permit = True
                start(call)
            elif not self.limiter.enqueue(call):
                return self._ended(call, self._error(call, overloaded(self.limiter)))
            if timeout_s is not None:
                self._own_deadlines.add(call)
            outcome: Any = await future
            if outcome.__class__ is Failure:
                outcome = await self._recover(call, outcome, renewals)
        except BaseException:
            self._abandon(call)
            self._ended(call, None)
            raise
        finally:
            if timeout_s is not None:
                self._own_deadlines.remove(call)
        if self._telemetry is not None:
            self._telemetry.ended(call, outcome)
        return outcome

    async def resume(
        self, operation: Operation[Any], cache: str, payload: bytes, elapsed_s: float, left_s: float, failure: Failure
    ) -> Any:
        """Continue a call whose first attempt failed on a connection outside this runner."""
        if failure.cause == USE_UNARY:
            return await self.run(operation, cache, payload, left_s, large=True)
        if failure.status == UNIMPLEMENTED and failure.not_executed:
            return await self.run(operation, cache, payload, left_s)
        now = self._loop.time()
        future: asyncio.Future[Any] = self._loop.create_future()
        call = self._make(operation, cache, payload, now - elapsed_s, now + left_s, future, start_unary)
        call.sent, call.attempts = call.started, 1
        if self._renewals.wanted(failure):
            if (missing := await self._renewals.after(call.deadline, failure)) is not None:
                return self._ended(call, self._error(call, missing))
        elif (delay := self._delay(call, failure)) is None:
            return self._ended(call, self._error(call, failure))
        else:
            await asyncio.sleep(delay)
        left_s = max(call.deadline - self._loop.time(), 0.001)
        return await self.run(operation, cache, payload, left_s, call.attempts, renewals=1)

    def _ended(self, call: Call, response: Any) -> Any:
        if self._telemetry is not None:
            self._telemetry.ended(call, response)
        return response

    async def _recover(self, call: Call, failure: Failure, renewals: int) -> Any:
        """Continue after a failed attempt: switch the transport, retry, or return an error."""
        try:
            while True:
                if failure.cause == USE_UNARY:
                    return await self._run_unary(call, renewals)
                judged = self._judged(call, failure)
                if failure.status == UNIMPLEMENTED and (self._pipeline is None or self._pipeline.unsupported):
                    if self._configuration.transport is Transport.PIPELINE:
                        return self._error(call, failure)
                    self._fall_back_to_unary()
                    return await self._run_unary(call, renewals)
                if self._renewals.wanted(failure, renewals):
                    if (missing := await self._renewals.after(call.deadline, failure)) is not None:
                        return self._error(call, missing)
                    if call.start is first_token:
                        call.start = self._transport_of(call)
                    else:
                        renewals += 1
                elif (delay := self._delay(call, judged)) is None:
                    return self._error(call, failure)
                else:
                    await asyncio.sleep(delay)
                call.future = self._loop.create_future()
                call.start(call)
                outcome = await call.future
                if outcome.__class__ is not Failure:
                    return outcome
                failure = outcome
        finally:
            # Return the permit after the error message is created, so that the message counts this call.
            self._give_back(call)

    def _transport_of(self, call: Call) -> Callable[[Call], None]:
        pipeline = self._pipeline
        fits = call.operation.field is not None and len(call.payload) <= LARGE_REQUEST_BYTES
        return pipeline.start if pipeline is not None and fits else start_unary

    async def _run_unary(self, call: Call, renewals: int) -> Any:
        if isinstance(call, ObservedCall):
            call.earlier = call.attempts
        call.start, call.attempts = start_unary, 0
        self._unary_calls.add(call)
        while True:
            outcome = await self._unary.attempt(call)
            if outcome.__class__ is not Failure:
                return outcome
            if outcome.silent:
                self.stale.silent(call)
            if self._renewals.wanted(outcome, renewals):
                renewals += 1
                if (missing := await self._renewals.after(call.deadline, outcome)) is not None:
                    return self._error(call, missing)
                continue
            if (delay := self._delay(call, self._judged(call, outcome))) is None:
                return self._error(call, outcome)
            await asyncio.sleep(delay)

    def _judged(self, call: Call, failure: Failure) -> Failure:
        return failure if self._gateways is None else self._gateways.judged(call, failure)

    def _fall_back_to_unary(self) -> None:
        """Switch to unary calls and their limit, because the server has no pipeline."""
        if self._pipeline is None:
            return
        self._pipeline = None
        log.pipeline_unsupported(self._endpoint)
        if self._gateways is not None:
            self._gateways.fall_back_to_unary()
        most = self._configuration.max_in_flight_unary
        if self._adaptive is None:
            self.limiter.change_limit(most)
        else:
            self._adaptive.change_most(most)

    def _delay(self, call: Call, failure: Failure) -> float | None:
        idempotent, left_s = call.operation.idempotent, call.deadline - self._loop.time()
        delay = self._retries.delay_s(failure, idempotent=idempotent, attempts=call.attempts, remaining_s=left_s)
        if delay is not None:
            log.retried(call.operation.name, call.cache, failure.error_code, call.attempts, delay)
        return delay

    def _abandon(self, call: Call) -> None:
        """Abandon a call: remove it from the queue, or return its permit and cancel it on the server."""
        call.future.cancel()
        if not self.limiter.withdraw(call):
            if self._pipeline is not None:
                self._pipeline.forget(call)
            self._give_back(call)

    def _give_back(self, call: Call) -> None:
        self._unary_calls.discard(call)
        if call.permit:
            call.permit = False
            self.limiter.leave()

    def _expire(self, now: float) -> bool:
        """End the calls whose deadline has passed. Returns whether any are left."""
        limiter, pipeline = self.limiter, self._pipeline
        waiting = [cast(Call, waiter) for waiter in limiter.waiting()]
        for call in [*waiting, *self._unary_calls, *(pipeline.outstanding() if pipeline is not None else ())]:
            if call.deadline <= now:
                self._expire_call(call)
        return limiter.in_flight > 0 or limiter.queued > 0

    def _expire_call(self, call: Call) -> None:
        """End a call whose deadline has passed, whatever its state."""
        if call.expire is not None:
            call.expire()
        elif call.future.done():
            return
        elif self.limiter.withdraw(call):
            call.future.set_result(late("waiting in the client's queue"))
        elif self._pipeline is not None:
            unreached = self._pipeline.late(call)
            call.attempts += unreached is not None
            if self._pipeline.forget(call):
                self.stale.silent(call)
            why = "waiting for the response" if call.sent else "waiting to be sent"
            call.future.set_result(unreached or late(why))

    def _error(self, call: Call, failure: Failure) -> Error:
        state = ""
        if self._pipeline is not None and call.start is not start_unary:
            state = self._pipeline.state(failure.message)
        hint = self._renewals.hint if failure.error_code is ErrorCode.UNAUTHENTICATED else ""
        return error_of(call, failure, self._loop.time(), self.limiter, self._sweep.lag_ms, state, hint)

    @property
    def connections(self) -> int:
        """The number of open connections."""
        if self._gateways is not None and self._unary is self._gateways:
            return self._gateways.connections
        return self._unary.connections + (self._pipeline.connections if self._pipeline is not None else 0)

    def held(self) -> dict[str, int]:
        """Return named counts. Each count must be 0 once every call has ended."""
        return {
            "permits": self.limiter.in_flight,
            "queued": self.limiter.queued,
            "ids and parked": len(self._pipeline.outstanding()) if self._pipeline is not None else 0,
            "deadlines": self._own_deadlines.watched,
        }

    @property
    def gateways(self) -> GatewaySet | None:
        """The servers among which calls are distributed, or None if there is only one."""
        return self._gateways if self._unary is self._gateways else None

    @property
    def target_out_of_reach(self) -> bool:
        """Whether the adaptive limit found that a smaller limit does not help."""
        return self._adaptive is not None and self._adaptive.out_of_reach

    @property
    def pipelined(self) -> bool:
        """Whether calls use the pipeline."""
        return self._pipeline is not None

    async def connect(self, timeout_s: float) -> bool:
        """Connect before the first call. Returns False on timeout or if no token is available."""
        until = self._loop.time() + timeout_s
        if not await self._renewals.begin(timeout_s):
            return False
        timeout_s = max(0.001, until - self._loop.time())
        return await (self._pipeline or self._unary).connect(timeout_s)

    async def aclose(self) -> None:
        """End every running and waiting call with CANCELLED, and close the connections."""
        self._closed = True
        for waiter in self.limiter.waiting():
            call = cast(Call, waiter)
            self.limiter.withdraw(call)
            call.future.set_result(CLOSED_MEANWHILE)
        if self._pipeline is not None:
            for call in self._pipeline.outstanding():
                if not call.future.done():
                    call.future.set_result(CLOSED_MEANWHILE)
            await self._pipeline.aclose()
        self._sweep.stop()
        self.stale.stop()
        self._own_deadlines.stop()
        await self._unary.aclose()
        if self._gateways is not None:
            await self._gateways.aclose()
