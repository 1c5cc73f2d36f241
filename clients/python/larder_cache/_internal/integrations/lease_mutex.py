"""A mutex between processes for dogpile.cache. It is a lease on a key, which only its owner can release."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterator
from random import random

from larder_cache._internal.common import forks, log
from larder_cache._internal.integrations.failure_tolerance import FailureTolerance
from larder_cache.cache import Cache
from larder_cache.errors import CacheError

# The value that a released lease stores. No owner's token equals it, because tokens are longer.
_FREE = b"free"
_TOKEN_BYTES = 16
# The time after which the key of a released lease expires. It is the shortest possible time to live. Other callers can
# acquire the lease even before the key expires.
_GONE_S = 0.001

# The first and the longest wait between two attempts to acquire a lease. The wait doubles after each attempt. Jitter
# shortens each wait by at most half. Only one thread of a process sends requests. After the first attempts, a waiting
# process therefore sends at most 20 requests a second.
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.005, 0.1


class LeaseMutex:
    """A mutex with the interface of dogpile.cache: acquire, release, locked.

    The threads of one process share an instance.

    Threads wait for each other in this object, so only one thread at a time sends requests. The key of an acquired
    lease contains the owner's random token for `lease_s` seconds. If the work takes longer, the lease expires and
    another process may start the same work. A late release has no effect, because a release succeeds only if the key
    still contains the owner's token. If a process dies or a response is lost, the lease expires by itself.
    """

    def __init__(self, cache: Cache, key: bytes, *, lease_s: float, reach: FailureTolerance) -> None:
        self._cache = cache
        self._key = key
        self._lease_s = lease_s
        self._reach = reach
        self._here = threading.Lock()
        # The token of the lease, or None if this process does not have the lease.
        self._token: bytes | None = None
        forks.tell(self)

    def after_fork(self) -> None:
        """Reset the state in a forked child process (forks.Forked). The lease belongs to the parent."""
        self._here, self._token = threading.Lock(), None

    def acquire(self, wait: bool = True) -> bool:
        """Acquire the mutex. Returns whether it was acquired.

        Args:
            wait: Whether to wait for all earlier owners. Each of them has the mutex for at most `lease_s`.

        Raises:
            CacheError: The server rejected the request or is unreachable.
        """
        if not self._here.acquire(blocking=wait):
            return False
        token = secrets.token_bytes(_TOKEN_BYTES)
        try:
            for wait_s in waits_s():
                # With `misses_when_down` an unreachable server is not an error. In that case only the threads of this
                # process exclude each other.
                if self._reach.answer(self._take(token), True):
                    self._token = token
                    return True
                if not wait:
                    break
                time.sleep(wait_s)
        except BaseException:
            self._here.release()
            raise
        self._here.release()
        return False

    def release(self) -> None:
        """Release the mutex. Any thread may call this.

        Does nothing if the mutex is not held, for example in a child process that the holder forked.
        """
        token, self._token = self._token, None
        if token is None:
            return
        try:
            self._reach.answer(self._give_back(token), None)
        except CacheError as error:
            # Only log the error. The value created under the lock is still valid, and the lease expires by itself.
            log.lock_not_given_back(self._lease_s, error.code, error.message)
        finally:
            self._here.release()

    def locked(self) -> bool:
        """Return whether any process has the mutex."""
        return self._here.locked() or self._reach.answer(self._taken(), False)

    async def _take(self, token: bytes) -> bool:
        return await self._cache.set_if_absent_or_equal(self._key, token, _FREE, ttl=self._lease_s)

    async def _give_back(self, token: bytes) -> None:
        await self._cache.set_if_equal(self._key, _FREE, token, ttl=_GONE_S)

    async def _taken(self) -> bool:
        return await self._cache.get(self._key, _FREE) != _FREE


def waits_s() -> Iterator[float]:
    """Yield the seconds to wait after each failed attempt. The sequence is endless."""
    longest = _FIRST_WAIT_S
    while True:
        yield longest * (0.5 + random() / 2)
        longest = min(longest * 2, _LONGEST_WAIT_S)
