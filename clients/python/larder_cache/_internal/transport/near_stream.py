"""The pipeline stream of a client that has a near cache."""

from __future__ import annotations

import asyncio
from typing import Any

from larder_cache import responses as r
from larder_cache._internal.common.detached import detached
from larder_cache._internal.near.near_reads import NearAnswer, NearReads
from larder_cache._internal.operations import pipeline_codec as codec
from larder_cache._internal.operations._generated.messages import pipeline as pb
from larder_cache._internal.operations._generated.operations import GET
from larder_cache._internal.operations.call import Call
from larder_cache._internal.transport.pipeline_result import outcome_of
from larder_cache._internal.transport.pipeline_stream import PipelineStream, StreamOwner
from larder_cache.errors import FAILED_PRECONDITION, Failure

# The field numbers of BatchResult and Result.
_INVALIDATED, _CLEAR = 3, 4
_STATUS, _GET, _TICKET, _TTL_LEFT, _OPENED, _RENEWED = 2, 4, 64, 65, 80, 81
_32_BITS = 0xFFFF_FFFF

# NEAR-21: the lease is renewed each second, or after a third of its duration if that is shorter. The minimum pause
# protects the server: with a lease of a few milliseconds there would otherwise be a thousand renewals a second.
_LONGEST_PAUSE_S, _SHORTEST_PAUSE_S = 1.0, 0.010
# The maximum size of the tickets in a message: 65,536 tickets of four bytes. A message with more tickets is treated as
# a request to remove all copies (NEAR-5).
_MOST_TICKET_BYTES = 262_144


class NearStream(PipelineStream):
    """A pipeline stream that can have the near-cache lease.

    It requests a lease if the near cache asks for one. It marks cacheable gets and passes notifications to the near
    cache.

    Its operations near_open and near_renew use ids above the ids of calls. At most one of each is in flight.
    """

    def __init__(
        self,
        near: NearReads,
        owner: StreamOwner,
        cache: str,
        slots: int,
        timeout_s: float,
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        super().__init__(owner, cache, slots, timeout_s, loop)
        self._near = near
        # Whether this stream has the lease. If so, gets are marked and their responses may be kept.
        self.is_near = False
        self._open_id, self._renew_id = slots, slots + 1
        # The times at which the current near_open and near_renew were sent. None if there is no such request.
        self._opening: float | None = None
        self._renewing: float | None = None
        self._pause_s = _LONGEST_PAUSE_S
        self._timer: asyncio.TimerHandle | None = None
        # The contents of the message that is being read.
        self._clear = False
        self._ticket_bytes = 0
        self._tickets: list[int] = []
        self._renewed_at: float | None = None
        self._answers: list[NearAnswer] = []

    @property
    def is_over(self) -> bool:
        """Whether the stream's notifications are no longer processed.

        This is true if the stream is retired or its event loop is closed.
        """
        return self.retired or self._loop.is_closed()

    def ask(self) -> bool:
        """Schedule a request for a lease. Thread-safe. Returns False if the stream's event loop was closed."""
        try:
            detached(self._loop.call_soon_threadsafe, self.open_near)
        except RuntimeError:
            return False
        return True

    def connected(self) -> None:
        self._near.connected(self)

    def open_near(self) -> None:
        """Request a lease."""
        if not self.retired and self._opening is None:
            self._opening = self._near.now()
            self._append(codec.encode_operation(self._open_id, b"", b"", codec.NEAR_OPEN_TAG, b""))

    def _renew(self) -> None:
        self._timer = detached(self._loop.call_later, self._pause_s, self._renew)
        if self._renewing is None:
            self._renewing = self._near.now()
            self._append(codec.encode_operation(self._renew_id, b"", b"", codec.NEAR_RENEW_TAG, b""))

    def _read_own(self, number: int, data: bytes, start: int, end: int) -> None:
        if number == self._open_id and self._opening is not None:
            sent_at, self._opening = self._opening, None
            self._on_opened(sent_at, data, start, end)
        elif number == self._renew_id and self._renewing is not None:
            sent_at, self._renewing = self._renewing, None
            failure = _failure_of(data, start, end, _RENEWED)
            if failure is None:
                self._renewed_at = sent_at
            elif failure.code == FAILED_PRECONDITION:
                self._leave_near()
        else:
            super()._read_own(number, data, start, end)

    def _on_opened(self, sent_at: float, data: bytes, start: int, end: int) -> None:
        failure = _failure_of(data, start, end, _OPENED)
        lease_s = 0.0 if failure is not None else _lease_s(data, start, end)
        if lease_s <= 0:
            why = "the server granted no lease" if failure is None else failure.message or f"gRPC status {failure.code}"
            self._near.refused(self, why)
        elif not self.retired and self._near.opened(self, sent_at, lease_s):
            self.is_near = True
            self._pause_s = min(_LONGEST_PAUSE_S, max(_SHORTEST_PAUSE_S, lease_s / 3))
            self._timer = detached(self._loop.call_later, self._pause_s, self._renew)

    def _leave_near(self) -> None:
        """Give up the near-cache lease, or the wait for a lease."""
        self.is_near = False
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._near.gone(self)

    def add(self, call: Call, tag: bytes = b"") -> bool:
        call.near = None
        if not self.is_near or call.operation is not GET:
            return super().add(call, tag)
        key = codec.read_key(call.payload)
        if not self._near.settings.covers(call.cache, key):
            return super().add(call, tag)
        if not super().add(call, codec.NEAR_GET_TAG):
            return False
        # Record the near get now, because the call is written at the end of this iteration of the event loop. All
        # messages that were read so far have already been processed.
        call.near = self._near.begin(call.cache, key, self)
        return True

    def _fail(self, call: Call) -> None:
        """End the near get of a call that has no usable response on this stream.

        If the call is sent again, `add` decides whether the new attempt is a near get.
        """
        if call.near is not None:
            self._near.failed(call.near)
            call.near = None

    def take_unsent(self) -> list[Call]:
        unsent = super().take_unsent()
        for call in unsent:
            self._fail(call)
        return unsent

    def _read(self, data: bytes) -> None:
        try:
            super()._read(data)
            if self._clear or self._tickets or self._answers or self._renewed_at is not None:
                self._near.told(self, self._clear, self._tickets, self._renewed_at, self._answers)
        except BaseException:
            # The part of the message that was not read may have contained an invalidation.
            self._leave_near()
            raise
        finally:
            self._clear, self._ticket_bytes, self._tickets, self._renewed_at, self._answers = False, 0, [], None, []

    def _outcome(self, call: Call, data: bytes, start: int, end: int) -> Any:
        get = call.near
        if get is None:
            return super()._outcome(call, data, start, end)
        ticket = ttl_left_ms = 0
        response: Any = None
        for field, kind, first, last in codec.read_fields(data, start, end):
            if field == _TICKET and kind == 0:
                ticket = first & _32_BITS
            elif field == _TTL_LEFT and kind == 0:
                ttl_left_ms = first & _32_BITS
            elif field == _GET and kind == 2 and response is None:
                try:
                    response = codec.decode_get(data[first:last])
                except Exception:
                    break  # The general decoder below reads the response again and reports the error.
        if response is None:
            response = outcome_of(call.operation, call.payload, data, start, end)
        if response.__class__ is Failure:
            self._fail(call)
        else:
            # If the caller no longer waits, the near cache does not keep the response. The end of the call,
            # which removes the copy of the key, is recorded either before this point or right after it.
            value = response.value if response.__class__ is r.Hit else None
            self._answers.append((get, value, ticket, ttl_left_ms / 1_000))
        return response

    def _read_number(self, field: int, number: int) -> None:
        if field == _CLEAR and number:
            self._clear = True
        elif field == _INVALIDATED:
            if self._has_room(4):
                self._tickets.append(number & _32_BITS)
        else:
            super()._read_number(field, number)

    def _read_bytes(self, field: int, data: bytes, first: int, last: int) -> None:
        if field != _INVALIDATED:
            return
        if last > len(data):
            raise codec.Malformed("the list of invalidations extends past the end of its message")
        if self._has_room(last - first):
            while first < last:
                ticket, first = codec.read_varint(data, first)
                self._tickets.append(ticket & _32_BITS)

    def _has_room(self, size: int) -> bool:
        """Return whether `size` more bytes of tickets are accepted.

        If not, all copies must be removed.
        """
        self._ticket_bytes += size
        if self._ticket_bytes <= _MOST_TICKET_BYTES:
            return True
        self._clear = True
        return False

    def stop(self) -> None:
        super().stop()
        self._leave_near()

    def on_end(self, failure: Failure | None) -> None:
        self._leave_near()
        for call in self.calls():
            self._fail(call)
        super().on_end(failure)


def _failure_of(data: bytes, start: int, end: int, wanted: int) -> pb.CallStatus | None:
    """Return why a result is not the expected one, or None if it is the expected one."""
    failure = pb.CallStatus(message="unexpected response")
    for field, kind, first, last in codec.read_fields(data, start, end):
        if field == wanted and kind == 2:
            return None
        if field == _STATUS and kind == 2:
            failure = pb.CallStatus.FromString(data[first:last])
    return failure


def _lease_s(data: bytes, start: int, end: int) -> float:
    """Return the duration of the lease that the server granted, in seconds. 0 if it granted none."""
    lease_ms = 0
    for field, kind, first, last in codec.read_fields(data, start, end):
        if field == _OPENED and kind == 2:
            lease_ms = pb.NearOpened.FromString(data[first:last]).lease_ms
    return lease_ms / 1_000
