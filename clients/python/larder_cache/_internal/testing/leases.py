"""The leases on the keys of one cache. The owner of a lease loads the missing value."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from larder_cache._internal.testing.clock import Clock


@dataclass(slots=True)
class Lease:
    """A lease on one key.

    `barred` contains the tags that were removed since the lease was granted. If a value with one of these tags is
    stored with the lease, reads of the value are misses (TAG-3).
    """

    token: bytes
    until_ns: int
    barred: frozenset[bytes] = frozenset()


class Leases:
    """The leases by key. An expired lease is removed when it is accessed."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._leases: dict[bytes, Lease] = {}

    def give(self, key: bytes, duration_ns: int) -> bytes:
        """Grant a lease and return its token, or return an empty token if another caller has the lease of the key."""
        if self._of(key) is not None:
            return b""
        lease = self._leases[key] = Lease(secrets.token_bytes(16), self._clock.now_ns + duration_ns)
        return lease.token

    def taken(self, key: bytes, token: bytes) -> Lease | None:
        """End the lease with this token and return it, or return None if the lease has already ended."""
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
