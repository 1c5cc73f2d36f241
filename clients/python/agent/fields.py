"""The fields of requests and responses, in the forms that conformance/AGENT.md allows."""

from __future__ import annotations

import base64
from datetime import timedelta
from typing import Any


def data(request: dict[str, Any], field: str) -> bytes:
    """Return bytes from a request. They are text in `field`, or base64 in the field with the added suffix "Base64"."""
    if field in request:
        return request[field].encode()
    return base64.b64decode(request[field + "Base64"], validate=True)


def ttl(request: dict[str, Any]) -> timedelta | float | None:
    """Return the time to live, or None if it is missing."""
    if "ttlMs" not in request:
        return None
    ms = int(request["ttlMs"])
    # A timedelta cannot represent a longer time. In this case return a float of seconds, which the client rejects
    # because it is too long.
    return timedelta(milliseconds=ms) if abs(ms) < 10**15 else ms / 1_000


def timeout(request: dict[str, Any]) -> float | None:
    """Return the call's own deadline in seconds, or None if it is missing."""
    return request["timeoutMs"] / 1_000 if "timeoutMs" in request else None


def shown(field: str, value: bytes) -> dict[str, Any]:
    """Return the fields that represent bytes in a response: base64, and also text if the bytes are valid UTF-8."""
    answer: dict[str, Any] = {field + "Base64": base64.b64encode(value).decode()}
    try:
        answer[field] = value.decode()
    except UnicodeDecodeError:
        pass  # Not text: only base64.
    return answer
