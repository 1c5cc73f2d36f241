"""The responses of GetOrLease in addition to Hit and Error."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lease:
    """The item is missing, and the caller must load it. The caller passes `token` when it stores the item."""

    token: bytes


@dataclass(frozen=True, slots=True, repr=False)
class Stale:
    """The item has expired and may be returned.

    `token` is the token of the lease, or empty if another caller has the lease. `validator` was stored with the value.
    """

    value: bytes
    expired_ms: int
    token: bytes
    validator: bytes = b""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The item is missing, and another caller is loading it."""


ELSEWHERE = Elsewhere()
