"""The pipelined transport. It uses one stream at a time.

The stream is replaced when it breaks, drains or has no free ids.
"""

from __future__ import annotations

import asyncio
import random
from collections import OrderedDict
from collections.abc import Callable

from larder_cache._internal.common import log
from larder_cache._internal.common.detached import detached
from larder_cache._internal.configuration.token_source import CallMetadata
from larder_cache._internal.http2.connection_loss import lasts, unreachable_reason
from larder_cache._internal.http2.http2_stream import Http2Stream
from larder_cache._internal.near.near_reads import NearReads
from larder_cache._internal.operations.call import Call
from larder_cache._internal.transport.link_state import LinkPhase, LinkState
from larder_cache._internal.transport.near_stream import NearStream
from larder_cache._internal.transport.pipeline_stream import PipelineStream
from larder_cache.configuration import Configuration
from larder_cache.credential_provider import CredentialProvider
from larder_cache.errors import INTERNAL, UNAVAILABLE, UNIMPLEMENTED, ErrorCode, Failure

_PATH = "/larder.v1.Pipeline/Run"

# PIPE-16: the number of ids per permit. Without a limit on calls in flight, there is a fixed number of ids.
_SLOTS_PER_PERMIT = 4
_SLOTS_UNCAPPED = 400_000

_SILENT = "calls timed out and the connection received nothing; replacing the connection"
_REPLACED = (
    "the connection may be lost, because the process was suspended or another connection received nothing; "
    "replacing the connection"
)

# The maximum number of streams that are closing but still process calls. If there are more, the oldest stream is
# closed.
_MOST_RETIRED = 8


class PipelineTransport:
    """Sends calls on the current stream, or queues them until there is a stream.

    Queued calls have permits, so the concurrency limit also limits their number. A queued call ends at its deadline or
    when its caller cancels it. All queued calls end with UNAVAILABLE when the server has been unreachable for 2 s, or
    for the request timeout if that is shorter. From then on calls fail immediately and are not retried, until an
    attempt to connect succeeds.
    """

    def __init__(
        self,
        credentials: CredentialProvider,
        configuration: Configuration,
        metadata: CallMetadata,
        leave: Callable[[int], None],
        loop: asyncio.AbstractEventLoop,
        address: str | None = None,
        near: NearReads | None = None,
    ) -> None:
        """Create the transport without connecting.

        Args:
            leave: Returns permits to the limiter.
            address: The address to connect to, if the host name has several.
            near: The client's near cache.
        """
        self._near = near
        self._credentials = credentials
        self._address = address
        # The name of the server for logs, as in Gateway.name.
        self._endpoint = credentials.endpoint if address is None else f"{credentials.endpoint} ({address})"
        self._configuration = configuration
        self._metadata = metadata
        self._loop = loop
        self.leave = leave
        cap = configuration.max_in_flight_pipeline
        self._slots = _SLOTS_UNCAPPED if cap is None else _SLOTS_PER_PERMIT * cap
        self._stream: PipelineStream | None = None
        self._retired: list[PipelineStream] = []
        self._parked: OrderedDict[Call, None] = OrderedDict()
        self._connecting: asyncio.Task[None] | None = None
        self._opened: asyncio.Event = asyncio.Event()
        self._link = LinkState(configuration.max_back_off_s, configuration.request_timeout_s)

    @property
    def refusal(self) -> Failure | None:
        """The reason why the server rejects streams although it is reachable, or None."""
        return self._link.refusal

    @property
    def unsupported(self) -> bool:
        """Whether the server has no pipeline. Every call must then be unary (PIPE-15)."""
        return self._link.phase is LinkPhase.UNARY

    @property
    def connections(self) -> int:
        """The number of open connections, including those that are closing."""
        return len(self._retired) + (self._stream is not None)

    @property
    def ready(self) -> bool:
        """Whether a call would be sent immediately and not queued."""
        stream = self._stream
        if stream is not None and stream.full:
            self.retire(stream)
        return self._stream is not None

    @property
    def is_near(self) -> bool:
        """Whether the current stream is the near stream."""
        return isinstance(self._stream, NearStream) and self._stream.is_near

    @property
    def in_flight(self) -> int:
        """The number of ids in use on the stream, including those of abandoned calls."""
        return 0 if self._stream is None else self._stream.outstanding

    @property
    def failing(self) -> str | None:
        """The reason why the client cannot connect to the server. None if it can, or if there was no attempt."""
        return self._link.outage.reason if self._link.outage.lasts else None

    def state(self, told: str) -> str:
        """Return a short text about the state of the connection. Includes the reason unless `told` contains it."""
        if self._stream is not None:
            return "connected"
        why = self._link.outage.reason
        return "not connected" if why in told else f"not connected ({why})"

    def start(self, call: Call) -> None:
        """Send a call that has its permit. The future receives a response or a Failure. Does not raise."""
        try:
            self._start(call)
        except Exception as broken:
            # The call cannot be encoded or there is not enough memory. Only this call fails.
            self._parked.pop(call, None)
            why = f"the call could not be sent: {type(broken).__name__}: {broken}"
            self._loop.call_soon(_fail, call, Failure(INTERNAL, why, not_executed=True, code=ErrorCode.INTERNAL))

    def _start(self, call: Call) -> None:
        stream = self._stream
        shown = self._metadata.version
        if stream is not None:
            # A stream keeps the token with which it was opened. Calls with another token use another stream.
            if stream.shown == shown and stream.add(call):
                return
            self.retire(stream)
        self._link.shows(shown)
        if (refusal := self._link.refusal_of(self._loop.time())) is not None:
            call.attempts += 1
            # Set the result in a later iteration, not inside the code that granted the permit.
            self._loop.call_soon(_fail, call, refusal)
        else:
            self._parked[call] = None
        if self._link.phase not in (LinkPhase.UNARY, LinkPhase.CLOSED):
            self._ensure_connecting(call.cache)

    def forget(self, call: Call) -> bool:
        """Remove a call for which no caller waits, because its deadline passed or it was cancelled.

        Returns whether the call's connection is silent. In that case the next call opens another connection.
        """
        is_silent = False
        for stream in (self._stream, *self._retired):
            if stream is not None and stream.holds(call):
                stream.cancel(call)
                is_silent = stream.silent
                if is_silent and stream is self._stream:
                    stream.doubted = True
                    self.retire(stream)
                    if stream.heard:
                        self._link.heard()
                if stream.doubted:
                    # Close in a later iteration, because the caller ends the call only after this method returns.
                    self._loop.call_soon(self._close_unawaited, stream)
        # Remove the call last, because `retire` queues a call again if it was never written.
        self._parked.pop(call, None)
        return is_silent

    def late(self, call: Call) -> Failure | None:
        """Return the failure of a call that is still queued at its deadline.

        Returns None if the server is not known to be unreachable.
        """
        return self._link.out_of_reach() if self._link.outage.lasts and call in self._parked else None

    def outstanding(self) -> list[Call]:
        """Return all calls that were sent or are queued. The deadline sweep uses them."""
        calls = list(self._parked)
        for stream in (self._stream, *self._retired):
            if stream is not None:
                calls += stream.calls()
        return calls

    async def connect(self, timeout_s: float) -> bool:
        """Open a stream before the first call. Returns False on timeout."""
        if self._stream is None and not self.unsupported:
            self._ensure_connecting("")
            try:
                async with asyncio.timeout(timeout_s):
                    await self._opened.wait()
            except TimeoutError:
                return False
        return True

    def _ensure_connecting(self, cache: str) -> None:
        if self._connecting is None or self._connecting.done():
            self._opened.clear()
            self._connecting = detached(
                self._loop.create_task, self._connect(cache), name="larder: connect the pipeline"
            )

    async def _connect(self, cache: str) -> None:
        """Try to open a stream until there is one, or until calls no longer wait for the server."""
        while self._link.phase is not LinkPhase.CLOSED:
            if wait_s := self._link.wait_s(random.uniform(0.5, 1.0)):
                await asyncio.sleep(wait_s)
            self._link.tries()
            stream = self._new_stream(cache)
            stream.shown = self._metadata.version
            metadata = self._metadata.pairs()
            if cache.isascii() and cache.isprintable() and cache.strip() == cache != "":
                metadata = [*metadata, ("cache", cache)]
            else:
                stream.forget_default_cache()
            try:
                async with asyncio.timeout(self._configuration.connect_timeout_s):
                    stream.stream = await Http2Stream.open(stream, self._credentials, _PATH, metadata, self._address)
            except (OSError, TimeoutError) as failure:
                if self._on_unreachable(unreachable_reason(failure, self._credentials), lasting=lasts(failure)):
                    return
                continue
            except Exception as broken:
                # This is not a network error, so waiting does not help. Fail the waiting calls immediately.
                why = self._link.outage.reason = f"{type(broken).__name__}: {broken}"
                self._fail_parked(Failure(UNAVAILABLE, why, code=ErrorCode.UNAVAILABLE))
                return
            if not stream.retired:
                self._on_connected(stream)
                return
            # The server started to shut down while the stream was opened. It waits for the client to end the stream.
            stream.stream.finish()
            if self.unsupported or not self._parked:
                return

    def _new_stream(self, cache: str) -> PipelineStream:
        made = self, cache, self._slots, self._configuration.request_timeout_s, self._loop
        return PipelineStream(*made) if self._near is None else NearStream(self._near, *made)

    def _on_connected(self, stream: PipelineStream) -> None:
        self._link.opened()
        self._stream = stream
        log.connection_opened(self._endpoint)
        interval = self._configuration.keepalive_interval_s
        if interval is not None and stream.stream is not None:
            stream.stream.keep_alive(interval, self._configuration.keepalive_timeout_s)
        stream.connected()
        self._opened.set()
        parked, self._parked = self._parked, OrderedDict()
        for call in parked:
            self.start(call)

    def _on_unreachable(self, why: str, *, lasting: bool) -> bool:
        """Record a failed attempt to connect.

        Returns True if calls no longer wait. After that, only the next call makes another attempt.
        """
        if self._link.unreachable(why, self._loop.time(), lasting=lasting):
            log.connection_failed(self._endpoint, why)
        if (refusal := self._link.refusal_of(self._loop.time())) is None:
            return False
        self._fail_parked(refusal)
        return True

    def _fail_parked(self, failure: Failure) -> None:
        parked, self._parked = self._parked, OrderedDict()
        for call in parked:
            call.attempts += 1
            _fail(call, failure)

    def replace_idle(self, name: str = "") -> None:
        """Close the stream if no caller waits for a call on it. The next call opens another stream.

        `name` is not used, because this transport has only one server.
        """
        stream = self._stream
        if stream is not None and stream.stream is not None and not stream.awaited:
            stream.stream.close(Failure(UNAVAILABLE, _REPLACED))

    def _close_unawaited(self, stream: PipelineStream) -> None:
        if stream.stream is not None and not stream.awaited:
            stream.stream.fail(Failure(UNAVAILABLE, _SILENT))

    # Callbacks of a stream.

    def retire(self, stream: PipelineStream) -> None:
        """Send no more calls on a stream. Its calls continue. Calls that were never written move to another stream."""
        if stream.retired:
            return
        stream.stop()
        if stream is self._stream:
            self._stream = None
            self._link.retired()
        self._retired.append(stream)
        for call in stream.take_unsent():
            if not call.future.done():
                call.attempts -= 1
                call.start(call)
        if stream.stream is not None:
            if stream.outstanding == 0 and not stream.doubted:
                stream.stream.finish()
            if len(self._retired) > _MOST_RETIRED and (oldest := self._retired[0].stream) is not None:
                oldest.abort()

    def ended(self, stream: PipelineStream, failure: Failure | None) -> None:
        if stream is self._stream:
            self._stream = None
            self._link.retired()
        if stream in self._retired:
            self._retired.remove(stream)
        if stream.heard:
            self._link.heard()
        if failure is None:
            return
        told = self._link.ended(failure, heard=stream.heard)
        if failure.status != UNIMPLEMENTED and self._link.phase is not LinkPhase.CLOSED:
            log.connection_lost(self._endpoint, failure.error_code, self._link.outage.reason)
        if self.unsupported:
            self._opened.set()
        if told is not None:
            self._fail_parked(told)

    async def aclose(self) -> None:
        """Close the streams. Each of their calls ends with UNAVAILABLE."""
        self._link.close()
        if self._connecting is not None:
            self._connecting.cancel()
            await asyncio.gather(self._connecting, return_exceptions=True)
        for stream in (self._stream, *self._retired):
            if stream is not None and stream.stream is not None:
                stream.stream.close()
        self._fail_parked(Failure(UNAVAILABLE, self._link.outage.reason, not_executed=True))


def _fail(call: Call, failure: Failure) -> None:
    if not call.future.done():
        call.future.set_result(failure)
