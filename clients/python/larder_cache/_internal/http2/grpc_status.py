"""Determines the outcome of a gRPC call from response headers and HTTP/2 errors."""

from __future__ import annotations

from urllib.parse import unquote

from larder_cache._internal.http2 import http2_frames as h2
from larder_cache.errors import (
    CANCELLED,
    INTERNAL,
    PERMISSION_DENIED,
    RESOURCE_EXHAUSTED,
    UNAUTHENTICATED,
    UNAVAILABLE,
    UNIMPLEMENTED,
    UNKNOWN,
    Failure,
)

_OK = Failure(0, "")
_MOST_STATUS = 16
_STATUS_OF_HTTP = {
    "400": INTERNAL,
    "401": UNAUTHENTICATED,
    "403": PERMISSION_DENIED,
    "404": UNIMPLEMENTED,
    **dict.fromkeys(("429", "502", "503", "504"), UNAVAILABLE),
}
_STATUS_OF_RESET = {
    h2.REFUSED_STREAM: UNAVAILABLE,
    h2.CANCEL: CANCELLED,
    h2.ENHANCE_YOUR_CALM: RESOURCE_EXHAUSTED,
    h2.INADEQUATE_SECURITY: PERMISSION_DENIED,
}


def status_of(headers: dict[str, str]) -> Failure | None:
    """Return the gRPC status in a header block, or None if there is none. The status OK has the number 0."""
    text = headers.get("grpc-status")
    if text == "0":
        return _OK
    if text is None:
        return None
    message = unquote(headers.get("grpc-message", ""))
    if not (text.isascii() and text.isdecimal()) or len(text) > 2 or int(text) > _MOST_STATUS:
        return Failure(UNKNOWN, f"the server ended the call with the unknown status {text!r:.20}: {message}")
    cause = headers.get("err")
    return Failure(int(text), message, cause, not_executed=cause == "not_executed")


def not_grpc(headers: dict[str, str]) -> Failure | None:
    """Return a failure if the first headers of a response are not those of a gRPC response, otherwise None."""
    http, kind = headers.get(":status", ""), headers.get("content-type", "")
    if http == "200" and kind.startswith("application/grpc"):
        return None
    of_kind = f" with content type {kind:.100}" if kind else ""
    status = _STATUS_OF_HTTP.get(http, UNKNOWN)
    return Failure(status, f"the server returned HTTP status {http:.10}{of_kind} instead of a gRPC response")


def failure_of_reset(code: int) -> Failure:
    """Return the failure of a call whose stream the server reset.

    A call on a refused stream was not executed (RETRY-3).
    """
    why = f"the server reset the stream (HTTP/2 error {code})"
    return Failure(_STATUS_OF_RESET.get(code, INTERNAL), why, not_executed=code == h2.REFUSED_STREAM)
