"""What GetOrLease answers, where it is not a Hit or an Error."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lease:
    """The item is not there, and the caller is to make it. `token`: what stores it."""

    token: bytes


@dataclass(frozen=True, slots=True, repr=False)
class Stale:
    """The item has expired and may be served. `token`: the lease's; empty where somebody else has it."""

    value: bytes
    expired_ms: int
    token: bytes


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The item is not there, and somebody else makes it."""


ELSEWHERE = Elsewhere()
