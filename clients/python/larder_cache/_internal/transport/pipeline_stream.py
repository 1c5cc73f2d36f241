"""One pipeline stream: assigns ids, sends batches, reads results (spec PIPE-1 to PIPE-13)."""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

from larder_cache import responses as r
from larder_cache._internal.http2.http2_stream import Http2Stream
from larder_cache._internal.operations import pipeline_codec as codec
from larder_cache._internal.operations._generated.operations import GET, SET
from larder_cache._internal.operations.call import Call
from larder_cache._internal.transport.pipeline_result import outcome_of
from larder_cache._internal.transport.stale_connections import SILENCE_S
from larder_cache.errors import INTERNAL, UNAVAILABLE, Failure

# PIPE-8: a message is complete once it has this size.
MESSAGE_BYTES = 65_536
# PIPE-10: larger encoded requests are sent as unary calls.
LARGE_REQUEST_BYTES = 65_536

_NOT_SENT = 0.0
_DRAINING = 2


class StreamOwner(Protocol):
    """The callbacks of a stream to the transport that owns it."""

    def leave(self, permits: int, /) -> None:
        """Called when calls returned their permits."""

    def retire(self, stream: PipelineStream) -> None:
        """Called when the stream accepts no more calls."""

    def ended(self, stream: PipelineStream, failure: Failure | None) -> None:
        """Called when the stream has ended, and each of its calls too."""


class PipelineStream:
    """Calls made in one turn of the event loop share a message. A single call is sent at the end of the turn.

    At most `slots` ids are in use, including those of abandoned calls; beyond that `add` rejects calls. Nothing else is
    unbounded: `_parts` has at most as many unsent operations as there are ids.
    """

    def __init__(
        self, owner: StreamOwner, cache: str, slots: int, timeout_s: float, loop: asyncio.AbstractEventLoop
    ) -> None:
        self._owner = owner
        self._loop = loop
        self._leave = owner.leave
        self._calls: list[Call | None] = [None] * slots
        # The last is taken first, so that ids stay small and their encoding short.
        self._free = list(range(slots - 1, -1, -1))
        self._parts: list[bytes] = []
        self._part_calls: list[Call] = []
        self._sealed: list[tuple[bytes, list[Call]]] = []
        self._size = 0
        self._scheduled = False
        self._cache_fields = {cache: b""}
        # A call that is sent at once has all of the default deadline left.
        self._whole_s = timeout_s
        self._whole_deadline = codec.encode_deadline(round(timeout_s * 1_000))
        self.cache = cache
        self.stream: Http2Stream | None = None
        self.retired = False
        # It is retired because it was silent, and closed once nobody waits for a call on it.
        self.doubted = False
        self.heard = False
        # The version of the provider's token that it was opened with; None: there is no provider.
        self.shown: int | None = None

    @property
    def outstanding(self) -> int:
        """The number of ids in use."""
        return len(self._calls) - len(self._free)

    @property
    def full(self) -> bool:
        """Whether every id is in use."""
        return not self._free

    @property
    def silent(self) -> bool:
        """Whether it has received nothing for SILENCE_S although calls have no response."""
        if self.stream is None or not self.outstanding:
            return False
        return self._loop.time() - self.stream.silent_since >= SILENCE_S

    @property
    def awaited(self) -> bool:
        """Whether anybody waits for one of its calls."""
        return any(not call.future.done() for call in self.calls())

    def calls(self) -> list[Call]:
        """The calls without a response, including abandoned ones."""
        return [call for call in self._calls if call is not None]

    def holds(self, call: Call) -> bool:
        """Return whether the call has an id here."""
        return 0 <= call.number < len(self._calls) and self._calls[call.number] is call

    def forget_default_cache(self) -> None:
        """Name the cache in every operation, because its name cannot be sent as metadata."""
        self._cache_fields = {}
        self.cache = ""

    # Sending.

    def connected(self) -> None:
        """Start to use an established connection, on which nothing was sent yet."""

    def add(self, call: Call, tag: bytes = b"") -> bool:
        """Send a call together with others of this turn. Returns False if every id is in use.

        `tag`: a substitute for its field's.
        """
        if not self._free:
            return False
        # The id is taken only when nothing can fail any more.
        number = self._free[-1]
        cache = self._cache_fields.get(call.cache)
        if cache is None:
            cache = self._remember(call.cache)
        now = self._loop.time()
        if call.sent == _NOT_SENT:
            call.sent = now
        left = call.deadline - now
        if -0.001 < left - self._whole_s < 0.001:
            deadline = self._whole_deadline
        else:
            deadline = codec.encode_deadline(round(left * 1_000))
        part = codec.encode_operation(number, cache, deadline, tag or call.operation.tag, call.payload)
        if self.stream is not None and len(self._free) == len(self._calls):
            self.stream.silent_since = now
        self._free.pop()
        call.number = number
        call.attempts += 1
        self._calls[number] = call
        self._parts.append(part)
        self._part_calls.append(call)
        self._size += len(part)
        if self._size >= MESSAGE_BYTES:
            self._seal()
        if not self._scheduled:
            self._scheduled = True
            self._loop.call_soon(self._flush)
        return True

    def cancel(self, call: Call) -> None:
        """Ask the server to drop an abandoned call. Its id stays in use until it has a response."""
        if self.retired or self.stream is None:
            return
        self._append(codec.encode_operation(call.number, b"", b"", codec.CANCEL_TAG, b""))

    def _append(self, operation: bytes) -> None:
        """Send an operation that is not a call."""
        self._parts.append(operation)
        if not self._scheduled:
            self._scheduled = True
            self._loop.call_soon(self._flush)

    def _remember(self, cache: str) -> bytes:
        # Bounded, because names come from the application. A thousand of them take at most one kilobyte each.
        if len(self._cache_fields) > 1_000:
            self._cache_fields = {self.cache: b""} if self.cache else {}
        field = self._cache_fields[cache] = codec.encode_cache(cache)
        return field

    def _seal(self) -> None:
        self._sealed.append((b"".join(self._parts), self._part_calls))
        self._part_calls = []
        self._parts.clear()
        self._size = 0

    def _flush(self) -> None:
        self._scheduled = False
        stream = self.stream
        if stream is None or self.retired:
            return
        while self._sealed and stream.writable:
            stream.send(self._sealed.pop(0)[0])
        if self._parts and not self._sealed and stream.writable:
            message = b"".join(self._parts)
            self._parts.clear()
            self._part_calls.clear()
            self._size = 0
            stream.send(message)

    def on_writable(self) -> None:
        if (self._parts or self._sealed) and not self._scheduled:
            self._scheduled = True
            self._loop.call_soon(self._flush)

    def take_unsent(self) -> list[Call]:
        """Return the calls that were never written, and forget them. They certainly did not run."""
        parts = [calls for _, calls in self._sealed] + [self._part_calls]
        unsent = [call for calls in parts for call in calls if self.holds(call)]
        for call in unsent:
            self._calls[call.number] = None
            self._free.append(call.number)
            call.number = -1
        self._sealed.clear()
        self._parts.clear()
        self._part_calls.clear()
        self._size = 0
        return unsent

    # Receiving.

    def on_message(self, message: bytes) -> None:
        self.heard = True
        try:
            self._read(message)
        except Exception as broken:
            # If parsing the server's bytes raises anything, the stream ends, and with it each call without a response.
            self._break(f"malformed result: {broken}")
        if self.retired and len(self._free) == len(self._calls) and self.stream is not None:
            self.stream.finish()

    def _read(self, data: bytes) -> None:
        """Complete the call of each result. Small hits and sets are decoded in place, all others field by field.

        Permits are returned together, so that the calls waiting for them also share a message.
        """
        calls, free = self._calls, self._free
        at, n = 0, len(data)
        permits = 0
        try:
            while at < n:
                if data[at] != 0x0A:
                    at = self._read_other(data, at)
                    continue
                length = data[at + 1]
                at += 2
                if length > 0x7F:
                    length, at = codec.read_varint(data, at - 1)
                end = at + length
                if end > n:
                    raise codec.Malformed("a result exceeds its message")
                start = at
                number = 0
                if data[at] == 0x08:
                    number = data[at + 1]
                    at += 2
                    if number > 0x7F:
                        number, at = codec.read_varint(data, at - 1)
                call = calls[number] if number < len(calls) else None
                if call is None:
                    self._read_own(number, data, start, end)
                    at = end
                    continue
                tag = data[at] if at < end else 0
                response: Any = None
                if tag == 0x22 and call.operation is GET:
                    # GetResponse: 08 02 12 length value, or 08 03.
                    if data[at + 1] == 2 and data[at + 3] == 3 and at + 4 == end:
                        response = r.MISS
                    else:
                        size = data[at + 1]
                        first = at + 2
                        if size > 0x7F:
                            size, first = codec.read_varint(data, at + 1)
                        if first + size == end and size > 3 and data[first + 1] == 2 and data[first + 2] == 0x12:
                            size = data[first + 3]
                            first += 4
                            if size > 0x7F:
                                size, first = codec.read_varint(data, first - 1)
                            if first + size == end:
                                response = r.Hit(data[first:end])
                elif tag == 0x2A and call.operation is SET:
                    response = r.SUCCESS
                if response is None:
                    response = self._outcome(call, data, start, end)
                # Only now: if a result cannot be read, its call must end with the stream.
                calls[number] = None
                free.append(number)
                at = end
                future = call.future
                if not future.done():
                    if response.__class__ is not Failure:
                        call.permit = False
                        permits += 1
                        future.set_result(response)
                    else:
                        response.shown = self.shown
                        future.set_result(response)
        finally:
            self._leave(permits)

    def _read_own(self, number: int, data: bytes, start: int, end: int) -> None:
        """Read a result of an operation that is not a call."""
        raise codec.Malformed(f"a result for call {number}, which is not in flight")

    def _outcome(self, call: Call, data: bytes, start: int, end: int) -> Any:
        """Decode a result field by field."""
        return outcome_of(call.operation, call.payload, data, start, end)

    def _read_other(self, data: bytes, at: int) -> int:
        """Read a field that is not a result. Returns the position of the next field."""
        tag, at = codec.read_varint(data, at)
        if tag & 7 == 0:
            number, at = codec.read_varint(data, at)
            self._read_number(tag >> 3, number)
            return at
        if tag & 7 == 2:
            length, at = codec.read_varint(data, at)
            self._read_bytes(tag >> 3, data, at, at + length)
            return at + length
        raise codec.Malformed(f"an unknown field {tag >> 3}")

    def _read_number(self, field: int, number: int) -> None:
        if field == _DRAINING and number:
            self._owner.retire(self)

    def _read_bytes(self, field: int, data: bytes, first: int, last: int) -> None:
        """Do nothing: skip unknown fields."""

    # The end.

    def stop(self) -> None:
        """Accept no more calls."""
        self.retired = True

    def on_going_away(self) -> None:
        self._owner.retire(self)

    def on_end(self, failure: Failure | None) -> None:
        """End every call without a response, once. Those never written certainly did not run."""
        self.retired = True
        why = failure or Failure(UNAVAILABLE, "the server ended the stream")
        why.shown = self.shown
        never = Failure(why.status, why.message, why.cause, not_executed=True, shown=self.shown)
        for call in self.take_unsent():
            if not call.future.done():
                call.future.set_result(never)
        for call in self.calls():
            self._calls[call.number] = None
            self._free.append(call.number)
            call.number = -1
            if not call.future.done():
                call.future.set_result(why)
        self._owner.ended(self, failure)

    def _break(self, why: str) -> None:
        if self.stream is not None:
            self.stream.fail(Failure(INTERNAL, f"pipeline protocol error by the server: {why}"))
