"""The responses of GetOrLease other than Hit and Error."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lease:
    """The item is missing, and the caller must load it. `token`: for storing it."""

    token: bytes


@dataclass(frozen=True, slots=True, repr=False)
class Stale:
    """The item has expired and may be served. `token`: the lease's; empty if another caller has it."""

    value: bytes
    expired_ms: int
    token: bytes


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The item is missing, and another caller loads it."""


ELSEWHERE = Elsewhere()
