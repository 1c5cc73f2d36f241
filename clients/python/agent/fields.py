"""The fields of request lines and answers, in the forms that conformance/AGENT.md allows."""

from __future__ import annotations

import base64
from datetime import timedelta
from typing import Any


def data(request: dict[str, Any], field: str) -> bytes:
    """Return bytes given as text, or as base64 under the same name with "Base64"."""
    if field in request:
        return request[field].encode()
    return base64.b64decode(request[field + "Base64"], validate=True)


def ttl(request: dict[str, Any]) -> timedelta | float | None:
    """Return the time to live; None where it is left out."""
    if "ttlMs" not in request:
        return None
    ms = int(request["ttlMs"])
    # Beyond what a timedelta holds, a float says the same: too long.
    return timedelta(milliseconds=ms) if abs(ms) < 10**15 else ms / 1_000


def timeout(request: dict[str, Any]) -> float | None:
    """Return the call's own deadline in seconds; None where it is left out."""
    return request["timeoutMs"] / 1_000 if "timeoutMs" in request else None


def shown(field: str, value: bytes) -> dict[str, Any]:
    """Return bytes as an answer has them: base64, and text beside it where they are UTF-8."""
    answer: dict[str, Any] = {field + "Base64": base64.b64encode(value).decode()}
    try:
        answer[field] = value.decode()
    except UnicodeDecodeError:
        pass  # Not text: the bytes alone say it.
    return answer
