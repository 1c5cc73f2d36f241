"""The clients that Django's cache backends use. All threads of a process share them."""

from __future__ import annotations

import threading
from datetime import timedelta

from larder_cache._internal.blocking.blocking_calls import BlockingCalls
from larder_cache._internal.blocking.cross_loop_calls import CrossLoopCalls
from larder_cache._internal.client.calls import Calls
from larder_cache._internal.common import forks
from larder_cache.cache import Cache
from larder_cache.client import CacheClient
from larder_cache.configuration import Configuration
from larder_cache.credential_provider import CredentialProvider


class ClientCache(Cache):
    """A cache handle with a reference to its client."""

    def __init__(self, client: CacheClient, name: str) -> None:
        super().__init__(client.cache(name).results)
        self.client = client


class Clients:
    """The clients of all backends in this process.

    Django creates a backend per thread. Backends with the same server and settings share a client.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: dict[tuple[CredentialProvider, Configuration], tuple[CacheClient, CacheClient]] = {}
        # The known maximum times to live in seconds, by server and cache.
        self.longest_s: dict[tuple[CredentialProvider, str], int] = {}
        forks.tell(self)

    def of(self, credentials: CredentialProvider, configuration: Configuration) -> tuple[CacheClient, CacheClient]:
        """Return the client for blocking callers and the one for coroutines."""
        with self._lock:
            both = self._made.get((credentials, configuration))
            if both is None:
                blocking = BlockingCalls(credentials, configuration, None)
                both = _client(blocking), _client(CrossLoopCalls(blocking.remote))
                self._made[credentials, configuration] = both
            return both

    def after_fork(self) -> None:
        """Reset the lock in a forked child process (forks.Forked). The clients reset themselves."""
        self._lock = threading.Lock()


def _client(calls: Calls) -> CacheClient:
    def made(*_: object) -> Calls:
        return calls

    hour = timedelta(hours=1)
    return CacheClient(calls.credentials, default_ttl=hour, configuration=calls.configuration, calls=made)


clients = Clients()
