"""A mutex between processes, for dogpile.cache: a lease on a key, which its owner alone gives back."""

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

# What a lease's key holds once it was given back. No owner's token is as short.
_FREE = b"free"
_TOKEN_BYTES = 16
# Until it is gone: the shortest time to live. Whoever asks meanwhile takes it for missing.
_GONE_S = 0.001

# Between two questions whether a lease is to be had: doubled from one to the other. One thread of a process asks, so
# that a process that waits costs the server at most 20 calls a second (jitter halves the longest wait at most).
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.005, 0.1


class LeaseMutex:
    """What dogpile.cache calls a mutex: acquire, release, locked. Threads of one process share one.

    Threads wait for each other here, and the one whose turn it is asks the server: `key` then holds a token of its
    owner's, drawn at random, for `lease_s` seconds. Where work takes longer, the lease ends and another may begin
    the same work; what is given back late changes nothing, as it is given back only where the key still holds the
    token. A process that dies, and a call whose answer was lost, leave a lease that ends by itself.
    """

    def __init__(self, cache: Cache, key: bytes, *, lease_s: float, reach: FailureTolerance) -> None:
        self._cache = cache
        self._key = key
        self._lease_s = lease_s
        self._reach = reach
        self._here = threading.Lock()
        # None: it is not ours.
        self._token: bytes | None = None
        forks.tell(self)

    def after_fork(self) -> None:
        """Begin anew, in a forked child (forks.Forked): the lease is the parent's."""
        self._here, self._token = threading.Lock(), None

    def acquire(self, wait: bool = True) -> bool:
        """Take it; `wait`: however long others have it, each for `lease_s` at most. Raises CacheError."""
        if not self._here.acquire(blocking=wait):
            return False
        token = secrets.token_bytes(_TOKEN_BYTES)
        try:
            for wait_s in waits_s():
                # Out of reach, on request no error: threads still wait for each other.
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
        """Give it back, from any thread. Nothing where it is not held, as in a child that its holder forked."""
        token, self._token = self._token, None
        if token is None:
            return
        try:
            self._reach.answer(self._give_back(token), None)
        except CacheError as error:
            # What was made under the lock is as good, and the lease ends by itself.
            log.lock_not_given_back(self._lease_s, error.code, error.message)
        finally:
            self._here.release()

    def locked(self) -> bool:
        """Whether anybody has it, of any process."""
        return self._here.locked() or self._reach.answer(self._taken(), False)

    async def _take(self, token: bytes) -> bool:
        return await self._cache.set_if_absent_or_equal(self._key, token, _FREE, ttl=self._lease_s)

    async def _give_back(self, token: bytes) -> None:
        await self._cache.set_if_equal(self._key, _FREE, token, ttl=_GONE_S)

    async def _taken(self) -> bool:
        return await self._cache.get(self._key, _FREE) != _FREE


def waits_s() -> Iterator[float]:
    """Seconds to wait before each next question, without an end."""
    longest = _FIRST_WAIT_S
    while True:
        yield longest * (0.5 + random() / 2)
        longest = min(longest * 2, _LONGEST_WAIT_S)
