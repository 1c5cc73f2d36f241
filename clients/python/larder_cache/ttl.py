"""Converts a time to live, which callers pass in seconds or as a timedelta, to the milliseconds of the protocol."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Union

# Seconds or a timedelta. A number of seconds may be a fraction.
Ttl = Union[int, float, timedelta]

# 365 days, the longest time to live that any server can be configured to accept (TTL-15). By default a server accepts
# at most 24 hours (its --max-ttl). ListCaches returns the maximum of each cache.
MAX_TTL_MS = 31_536_000_000


def ttl_to_ms(ttl: Any) -> int:
    """Return the time to live in milliseconds, rounded up.

    Raises:
        TypeError: The value is neither a number nor a timedelta.
        ValueError: The value is not above 0, or it exceeds 365 days (TTL-15).
    """
    if ttl.__class__ is int:
        ms: int = ttl * 1_000
    elif isinstance(ttl, timedelta):
        ms = -((-ttl) // timedelta(milliseconds=1))
    elif isinstance(ttl, (int, float)) and not isinstance(ttl, bool):
        # Check before rounding. This also rejects infinity, and NaN, for which every comparison is false.
        if not 0 < ttl <= MAX_TTL_MS / 1_000:
            raise ValueError(_outside(ttl))
        ms = -int(-ttl * 1_000 // 1)
    else:
        raise TypeError(f"the time to live must be a number of seconds or a timedelta, not {type(ttl).__name__}")
    if not 0 < ms <= MAX_TTL_MS:
        raise ValueError(_outside(ttl))
    return ms


def _outside(ttl: Ttl) -> str:
    return (
        f"the time to live must be above 0 and at most 365 days, not {ttl!r:.40}; "
        "the server's --max-ttl may be lower"
    )
