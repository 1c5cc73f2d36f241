"""Blocking clients shared by a process, for frameworks that create a backend for each thread."""

from __future__ import annotations

import threading
from datetime import timedelta

from larder_cache import sync
from larder_cache._internal.blocking.background_loop import at_end
from larder_cache._internal.common import forks
from larder_cache.configuration import Configuration
from larder_cache.credential_provider import CredentialProvider


class SharedClients:
    """One client for each server and settings, until the process ends."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: dict[tuple[CredentialProvider, Configuration], sync.CacheClient] = {}
        forks.tell(self)
        # Their threads and connections must not outlive the interpreter.
        at_end(self._close)

    def of(self, credentials: CredentialProvider, configuration: Configuration) -> sync.CacheClient:
        """Return the client. Its default time to live is unused, because every set passes its own."""
        with self._lock:
            made = self._made.get((credentials, configuration))
            if made is None:
                hour = timedelta(hours=1)
                made = sync.CacheClient(credentials, default_ttl=hour, configuration=configuration)
                self._made[credentials, configuration] = made
            return made

    def after_fork(self) -> None:
        """Reset in a forked child (forks.Forked). The clients reset themselves."""
        self._lock = threading.Lock()

    def _close(self) -> None:
        for client in self._made.values():
            client.close()
