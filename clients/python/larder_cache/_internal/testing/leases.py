"""Leases on the keys of one cache: who loads a missing value."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from larder_cache._internal.testing.clock import Clock


@dataclass(slots=True)
class Lease:
    """A lease.

    `barred`: tags removed since it was granted; a value stored with it and one of them is a miss (TAG-3).
    """

    token: bytes
    until_ns: int
    barred: frozenset[bytes] = frozenset()


class Leases:
    """Leases by key. Expired ones are removed on access."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._leases: dict[bytes, Lease] = {}

    def give(self, key: bytes, duration_ns: int) -> bytes:
        """Grant a lease and return its token; empty if another caller has the key's lease."""
        if self._of(key) is not None:
            return b""
        lease = self._leases[key] = Lease(secrets.token_bytes(16), self._clock.now_ns + duration_ns)
        return lease.token

    def taken(self, key: bytes, token: bytes) -> Lease | None:
        """End the lease with this token, and return it; None: it has already ended."""
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
