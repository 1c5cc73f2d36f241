"""Blocking clients that a whole process shares. Used for frameworks that create a backend for each thread."""

from __future__ import annotations

import threading
from datetime import timedelta

from larder_cache import sync
from larder_cache._internal.blocking.background_loop import at_end
from larder_cache._internal.common import forks
from larder_cache.configuration import Configuration
from larder_cache.credential_provider import CredentialProvider


class SharedClients:
    """One client for each combination of server and settings, until the process ends."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: dict[tuple[CredentialProvider, Configuration], sync.CacheClient] = {}
        forks.tell(self)
        # Close the clients at exit, because their threads and connections must not outlive the interpreter.
        at_end(self._close)

    def of(self, credentials: CredentialProvider, configuration: Configuration) -> sync.CacheClient:
        """Return the client for a server and settings.

        The client's default time to live is not used, because every set passes a time to live.
        """
        with self._lock:
            made = self._made.get((credentials, configuration))
            if made is None:
                hour = timedelta(hours=1)
                made = sync.CacheClient(credentials, default_ttl=hour, configuration=configuration)
                self._made[credentials, configuration] = made
            return made

    def after_fork(self) -> None:
        """Reset the lock in a forked child process (forks.Forked). The clients reset themselves."""
        self._lock = threading.Lock()

    def _close(self) -> None:
        for client in self._made.values():
            client.close()
