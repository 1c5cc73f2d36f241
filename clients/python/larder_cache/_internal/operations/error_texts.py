"""Creates the error messages of calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from larder_cache._internal.operations import pipeline_codec as codec
from larder_cache._internal.operations.call import Call
from larder_cache.errors import DEADLINE_EXCEEDED, UNIMPLEMENTED, ErrorCode, Failure
from larder_cache.responses import Error

if TYPE_CHECKING:
    from larder_cache._internal.calls.in_flight_limiter import InFlightLimiter

CLOSED = Failure(1, "the client is closed", code=ErrorCode.CANCELLED)
CLOSED_MEANWHILE = Failure(1, "the client was closed", code=ErrorCode.CANCELLED)


def error_of(
    call: Call, failure: Failure, now: float, limiter: InFlightLimiter, lag_ms: float, state: str, hint: str
) -> Error:
    """Return an error with the information to diagnose it (ERR-5). It never contains the key.

    Args:
        lag_ms: The maximum lag of the event loop.
        state: The state of the pipeline, or an empty string for a unary call.
        hint: Text to add after the reason.
    """
    queued = f"{((call.sent or now) - call.started) * 1_000:.0f} ms queued"
    if state and call.permit and not call.sent:
        queued += " for a connection"
    in_flight, limit = limiter.total()
    permits = f"{in_flight}/{'off' if limit is None else limit} in flight"
    where = f" in cache {call.cache!r}" if call.cache else ""
    message = (
        f"{call.operation.name}{where}: {failure.message or failure.error_code.value}{hint}"
        f" [{_key_of(call)}{len(call.payload)} request bytes, {(now - call.started) * 1_000:.0f} ms elapsed,"
        f" {queued}, {permits}, {limiter.queued} waiting, {call.attempts} attempt"
        f"{'' if call.attempts == 1 else 's'}, event loop up to {lag_ms:.0f} ms late{f', {state}' if state else ''}]"
    )
    error = Error(failure.error_code, message, failure.cause, failure.exception)
    error.is_unsupported = failure.code is None and failure.status == UNIMPLEMENTED
    return error


def _key_of(call: Call) -> str:
    """Return a text with the length of the call's key, or "" if the call has no key.

    The key is the first field of the request.
    """
    if not call.operation.keyed:
        return ""
    length, _ = codec.read_varint(call.payload, 1)
    return f"key of {length:,} byte{'' if length == 1 else 's'}, "


def late(what: str) -> Failure:
    """Return the failure of a call whose deadline passed. `what` describes what the call was waiting for."""
    return Failure(DEADLINE_EXCEEDED, f"the deadline passed while {what}", code=ErrorCode.TIMEOUT)


def overloaded(limiter: InFlightLimiter) -> Failure:
    """Return the failure of a call that was rejected because the client's queue is full."""
    message = (
        f"the client's queue is full ({limiter.queue_limit:,} calls); make fewer concurrent calls or raise queue_limit"
    )
    return Failure(8, message, code=ErrorCode.CLIENT_OVERLOADED)
