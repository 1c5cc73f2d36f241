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

# PIPE-8: a message is sent when it reaches this size, even if more calls follow.
MESSAGE_BYTES = 65_536
# PIPE-10: requests whose encoding is larger are sent as unary calls.
LARGE_REQUEST_BYTES = 65_536

_NOT_SENT = 0.0
_DRAINING = 2


class StreamOwner(Protocol):
    """The callbacks with which a stream notifies the transport that owns it."""

    def leave(self, permits: int, /) -> None:
        """Called when calls return their permits."""

    def retire(self, stream: PipelineStream) -> None:
        """Called when the stream accepts no more calls."""

    def ended(self, stream: PipelineStream, failure: Failure | None) -> None:
        """Called when the stream and each of its calls have ended."""


class PipelineStream:
    """Sends calls and reads their results.

    Calls that are made in one iteration of the event loop share a message. The message is sent at the end of the
    iteration, even if it contains a single call.

    At most `slots` ids are in use, including those of abandoned calls. If all are in use, `add` rejects calls. The
    number of ids also limits the unsent operations in `_parts`.
    """

    def __init__(
        self, owner: StreamOwner, cache: str, slots: int, timeout_s: float, loop: asyncio.AbstractEventLoop
    ) -> None:
        self._owner = owner
        self._loop = loop
        self._leave = owner.leave
        self._calls: list[Call | None] = [None] * slots
        # The last id is taken first, so that ids stay small and their encoding short.
        self._free = list(range(slots - 1, -1, -1))
        self._parts: list[bytes] = []
        self._part_calls: list[Call] = []
        self._sealed: list[tuple[bytes, list[Call]]] = []
        self._size = 0
        self._scheduled = False
        self._cache_fields = {cache: b""}
        # The default timeout and its encoding. If a call is sent immediately, its remaining time is the whole timeout,
        # so the encoding can be reused.
        self._whole_s = timeout_s
        self._whole_deadline = codec.encode_deadline(round(timeout_s * 1_000))
        self.cache = cache
        self.stream: Http2Stream | None = None
        self.retired = False
        # Whether the stream was retired because it was silent. It is closed when no caller waits for a call on it.
        self.doubted = False
        self.heard = False
        # The version of the provider's token with which the stream was opened. None if there is no provider.
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
        """Whether the stream has received nothing for SILENCE_S although calls wait for responses."""
        if self.stream is None or not self.outstanding:
            return False
        return self._loop.time() - self.stream.silent_since >= SILENCE_S

    @property
    def awaited(self) -> bool:
        """Whether any caller waits for a call on this stream."""
        return any(not call.future.done() for call in self.calls())

    def calls(self) -> list[Call]:
        """Return the calls without a response, including abandoned calls."""
        return [call for call in self._calls if call is not None]

    def holds(self, call: Call) -> bool:
        """Return whether the call has an id on this stream."""
        return 0 <= call.number < len(self._calls) and self._calls[call.number] is call

    def forget_default_cache(self) -> None:
        """Send the name of the cache with every operation, because the name cannot be sent as metadata."""
        self._cache_fields = {}
        self.cache = ""

    def connected(self) -> None:
        """Called when the connection was established and before anything is sent on it."""

    def add(self, call: Call, tag: bytes = b"") -> bool:
        """Send a call together with other calls of this iteration. Returns False if every id is in use.

        `tag` is the protobuf tag of the field that contains the request. If empty, the operation's own tag is used.
        """
        if not self._free:
            return False
        # Remove the id from `_free` only later, when no step can fail any more.
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
        """Ask the server to cancel an abandoned call. The call's id stays in use until the server has responded."""
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
        # The cache of names is limited, because the application chooses the names. A thousand names take at most one
        # kilobyte each.
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
        """Remove and return the calls that were never written. They were certainly not executed."""
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

    def on_message(self, message: bytes) -> None:
        self.heard = True
        try:
            self._read(message)
        except Exception as broken:
            # If parsing raises any exception, end the stream. Each call without a response then also ends.
            self._break(f"malformed result: {broken}")
        if self.retired and len(self._free) == len(self._calls) and self.stream is not None:
            self.stream.finish()

    def _read(self, data: bytes) -> None:
        """Complete the call of each result in a message.

        Small hits and sets are decoded in this method, all other results field by field. Permits are returned together,
        so that the calls that wait for them also share a message.
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
                    raise codec.Malformed("a result extends past the end of its message")
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
                    # Fast path for a GetResponse: 08 02 12 length value for a hit, or 08 03 for a miss.
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
                # Release the id only now. If a result cannot be decoded, its call must still end with the stream.
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
        """Read the result of an operation that is not a call."""
        raise codec.Malformed(f"the server sent a result for call {number}, which is not in flight")

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
        raise codec.Malformed(f"unexpected field {tag >> 3} in the response")

    def _read_number(self, field: int, number: int) -> None:
        if field == _DRAINING and number:
            self._owner.retire(self)

    def _read_bytes(self, field: int, data: bytes, first: int, last: int) -> None:
        """Do nothing, because unknown fields are skipped."""

    def stop(self) -> None:
        """Accept no more calls."""
        self.retired = True

    def on_going_away(self) -> None:
        self._owner.retire(self)

    def on_end(self, failure: Failure | None) -> None:
        """End every call without a response, once. Calls that were never written were certainly not executed."""
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
            self.stream.fail(Failure(INTERNAL, f"pipeline protocol error from the server: {why}"))
