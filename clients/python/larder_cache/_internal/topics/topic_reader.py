"""One subscription on one event loop: connects, reads ahead, and reconnects."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

from larder_cache._internal.common import log
from larder_cache._internal.configuration.token_source import TokenSource
from larder_cache._internal.topics.subscription_state import Ask, Phase, SubscriptionOptions, SubscriptionState
from larder_cache._internal.topics.topic_buffer import TopicBuffer
from larder_cache._internal.topics.topic_channels import Place, TopicChannels
from larder_cache._internal.topics.topic_counts import TopicCounts
from larder_cache._internal.topics.topic_messages import Gap, Wanted, arrived, subscribe_request
from larder_cache._internal.topics.topic_stream import TopicStream
from larder_cache._internal.transport.renewals import Renewals
from larder_cache.errors import INTERNAL, UNAUTHENTICATED, UNAVAILABLE, ErrorCode, Failure, code_of_status
from larder_cache.responses import Error
from larder_cache.topic_event import Heartbeat, TopicEvent

_NOW = (("topic-from", "now"),)
# If a check for silence runs this late, the process was stopped or its event loop was blocked. The server may have sent
# messages that were not read yet.
_LATE_S = 0.5


class TopicReader:
    """Reads a subscription and adds its events to a buffer. Stops reading when the buffer is full.

    Run the method `run` as a task. Cancelling the task ends the subscription.
    """

    def __init__(
        self,
        wanted: Wanted,
        options: SubscriptionOptions,
        buffer: TopicBuffer,
        channels: TopicChannels,
        tokens: TokenSource | None,
        counts: TopicCounts,
        loop: asyncio.AbstractEventLoop,
        *,
        rand: Callable[[], float] = random.random,
    ) -> None:
        self._wanted = wanted
        self._state = SubscriptionState(options)
        self._timeout_s = options.request_timeout_s
        self._buffer = buffer
        self._channels = channels
        self._tokens = tokens
        self._renewals = Renewals(tokens)
        self._counts = counts
        self._loop = loop
        self._random = rand
        self._began_at = 0.0
        self._attempts = 0
        # The number of times the request was sent again with another token since the last message.
        self._renewed = 0
        self._place: Place | None = None
        self._room = asyncio.Event()
        self._reads = True
        self._timer: asyncio.TimerHandle | None = None
        self._told = False

    def make_room(self) -> None:
        """Continue reading. Called when the buffer has room again. Thread-safe."""
        try:
            self._loop.call_soon_threadsafe(self._room.set)
        except RuntimeError:
            pass  # The loop was closed, and the stream has ended with it.

    async def run(self) -> Error | None:
        """Read the topic until the subscription ends.

        Returns the error that ended the subscription. The buffer is not notified.
        """
        try:
            return await self._follow()
        except Exception as fault:
            log.client_fault("reading a topic", fault)
            return Error(ErrorCode.INTERNAL, f"{self._subject()}: {type(fault).__name__}: {fault}")
        finally:
            self._state.close()

    async def _follow(self) -> Error | None:
        state = self._state
        self._began_at = self._loop.time()
        while (ask := state.connect(self._loop.time())) is not None:
            failure = await self._attempt(ask)
            if self._renewals.wanted(failure, self._renewed):
                # If there was no token yet (`shown` is 0), the wait for the first token does not count as a renewal.
                self._renewed += failure.shown != 0
                missing = await self._renewals.after(self._loop.time() + self._timeout_s, failure)
                if missing is None:
                    continue
                failure = missing
            verdict = state.failed(failure.status, self._random(), self._loop.time())
            if verdict.error is not None:
                return self._error(failure, verdict.error)
            if verdict.wait_s is not None:
                if state.begun:
                    self._counts.reconnected()
                    log.subscription_lost(self._wanted.cache, failure.error_code, verdict.wait_s)
                await asyncio.sleep(verdict.wait_s)
        return None

    async def _attempt(self, ask: Ask) -> Failure:
        """Open one stream and read it to its end. Returns the reason of the end."""
        if self._tokens is not None and not self._tokens.version:
            return Failure(UNAUTHENTICATED, "", shown=0)
        self._attempts += 1
        self._place = self._channels.place(self._place)
        try:
            stream = self._channels.open(self._place, subscribe_request(self._wanted, ask), _NOW if ask.now else ())
        except Exception as broken:
            return Failure(UNAVAILABLE, f"the stream could not be opened: {type(broken).__name__}: {broken}")
        try:
            self._watch(stream)
            self._state.opened(await stream.opened())
            while True:
                if self._buffer.full:
                    await self._wait_for_room(stream)
                message = await stream.read()
                if isinstance(message, Failure):
                    return message
                try:
                    events = self._events_of(message)
                except Exception as broken:
                    # If decoding raises any exception, the server's message is invalid. Only this stream ends.
                    self._say(f"a message could not be decoded: {broken}")
                    return Failure(INTERNAL, f"the server's message could not be decoded: {broken}")
                for event in events:
                    self._counts.told(event)
                    self._buffer.put(event, len(message))
        finally:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            stream.close()

    def _events_of(self, message: bytes) -> tuple[TopicEvent, ...]:
        said, now, state = arrived(message), self._loop.time(), self._state
        if said is None:
            # A message of an unknown kind only shows that the server is alive.
            state.heartbeat(now)
            events: tuple[TopicEvent, ...] = ()
        elif isinstance(said, Heartbeat):
            events = state.heartbeat(now)
        elif isinstance(said, Gap):
            events = state.discontinuity(said.last, said.new, said.page, now)
        else:
            events = state.item(said, now)
        self._renewed = 0
        self._buffer.establish()
        return events

    async def _wait_for_room(self, stream: TopicStream) -> None:
        """Stop reading until the buffer has room. The wait does not count as silence of the server."""
        self._reads = False
        try:
            while True:
                self._room.clear()
                if not self._buffer.wait_for_room():
                    break
                await self._room.wait()
        finally:
            self._reads = True
        self._state.resumed(self._loop.time())
        if self._timer is None:
            self._watch(stream)

    def _watch(self, stream: TopicStream, due: float | None = None) -> None:
        """Give up the stream if it was silent for too long. Otherwise schedule the next check.

        Messages do not reschedule the check. It runs when the silence could have become too long.

        `due` is the time for which this check was scheduled, or None for the first check.
        """
        self._timer = None
        now = self._loop.time()
        if due is not None and now - due > _LATE_S:
            # The event loop was blocked. First process the messages that arrived during that time.
            self._timer = self._loop.call_at(now + _LATE_S, self._watch, stream, now + _LATE_S)
            return
        lost = self._state.lost(now)
        if lost is not None and self._reads:
            quiet = "sent nothing" if self._state.phase is Phase.LIVE else "did not respond"
            silence_s = self._state.silence_s(now)
            stream.give_up(Failure(lost, f"the server {quiet} for {silence_s:.1f} s"), silence_s)
        elif self._reads and (at := self._state.lost_at) is not None:
            self._timer = self._loop.call_at(at, self._watch, stream, at)

    def _say(self, text: str) -> None:
        if not self._told:
            self._told = True
            log.subscription_unreadable(self._wanted.cache, self._subject(), text)

    def _subject(self) -> str:
        return f"subscribe to {self._wanted.topic!r:.80} in cache {self._wanted.cache!r}"

    def _error(self, failure: Failure, status: int) -> Error:
        """Return an error with the information to diagnose it (ERR-5)."""
        message, place = failure.message, self._place
        code = code_of_status(status) if failure.code is None else failure.code
        hint = self._renewals.hint if code is ErrorCode.UNAUTHENTICATED else ""
        elapsed = (self._loop.time() - self._began_at) * 1_000
        where = "" if place is None else f", {place.name}"
        attempts = f"{self._attempts} attempt{'' if self._attempts == 1 else 's'}"
        text = f"{self._subject()}: {message or code.value}{hint} [{elapsed:.0f} ms elapsed, {attempts}{where}]"
        return Error(code, text, failure.cause, failure.exception)
