"""Decodes one result of a pipeline's response field by field (spec PIPE-5 to PIPE-10)."""

from __future__ import annotations

from typing import Any

from larder_cache._internal.operations import pipeline_codec as codec
from larder_cache._internal.operations._generated.messages import pipeline as pb
from larder_cache._internal.operations.operation import Operation
from larder_cache.errors import INTERNAL, UNAVAILABLE, Failure

USE_UNARY = "use_unary"

_FIELD_OF_STATUS, _FIELD_OF_USE_UNARY = 2, 3


def outcome_of(operation: Operation[Any], request: bytes, data: bytes, start: int, end: int) -> Any:
    """Return the response or Failure in a result. Raises Malformed and other exceptions if the bytes are invalid."""
    for field, kind, first, last in codec.read_fields(data, start, end):
        if kind != 2:
            continue
        if field == operation.field:
            try:
                return operation.read(request, data[first:last])
            except Exception as broken:
                # If decoding raises any exception, the server's response is invalid. Only this call fails.
                return Failure(INTERNAL, f"the server's response could not be decoded: {broken}")
        if field == _FIELD_OF_STATUS:
            status = pb.CallStatus.FromString(data[first:last])
            cause = status.cause or None
            return Failure(status.code, status.message, cause, not_executed=cause == "not_executed")
        if field == _FIELD_OF_USE_UNARY:
            return Failure(UNAVAILABLE, "the value is too large for the pipeline", USE_UNARY, not_executed=True)
    return Failure(INTERNAL, f"the server's response contains no result of the operation {operation.name}")
