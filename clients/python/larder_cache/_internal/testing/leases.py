"""Leases on the keys of one cache: who makes a missing value."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from larder_cache._internal.testing.clock import Clock


@dataclass(slots=True)
class Lease:
    """`barred`: tags that were removed since it was given; what is stored with it and has one is a miss (TAG-3)."""

    token: bytes
    until_ns: int
    barred: frozenset[bytes] = frozenset()


class Leases:
    """By key. One whose time is over is gone when it is looked at."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._leases: dict[bytes, Lease] = {}

    def give(self, key: bytes, duration_ns: int) -> bytes:
        """Return the token of a new lease; empty where somebody has the key's."""
        if self._of(key) is not None:
            return b""
        lease = self._leases[key] = Lease(secrets.token_bytes(16), self._clock.now_ns + duration_ns)
        return lease.token

    def taken(self, key: bytes, token: bytes) -> Lease | None:
        """End the lease with this token, and return it; None: it is over."""
        lease = self._of(key)
        return self._leases.pop(key) if lease is not None and lease.token == token else None

    def end(self, key: bytes) -> None:
        self._leases.pop(key, None)

    def end_all(self) -> None:
        self._leases.clear()

    def bar(self, tags: frozenset[bytes]) -> None:
        for lease in self._leases.values():
            lease.barred |= tags

    def _of(self, key: bytes) -> Lease | None:
        lease = self._leases.get(key)
        if lease is not None and lease.until_ns <= self._clock.now_ns:
            del self._leases[key]
            return None
        return lease
