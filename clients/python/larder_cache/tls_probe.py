"""Why TLS with a server fails: grpcio, by which unary calls travel, does not say."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from larder_cache.credential_provider import CredentialProvider
from larder_cache.detached import detached
from larder_cache.http2_stream import address_of, tls_of
from larder_cache.tls_files import CLOSED, tls_reason

# Between two questions: each is a connection of its own.
_PAUSE_S = 1.0
# A handshake takes two round trips.
_PATIENCE_S = 1.0


class TlsProbe:
    """Makes a connection of its own to find out, at most once a second."""

    def __init__(self, credentials: CredentialProvider, address: str | None, loop: asyncio.AbstractEventLoop) -> None:
        """`address`: the one of the host's to connect to."""
        self._credentials = credentials
        self._address = address
        self._loop = loop
        self._asking: asyncio.Task[str | None] | None = None
        self._again_at = 0.0
        self._timer: asyncio.TimerHandle | None = None
        # What was found out last.
        self.known: str | None = None

    def later(self, in_s: float, connected: Callable[[], bool]) -> None:
        """Find out where there is no connection in so many seconds: calls that wait for one are not told why."""
        if not self._credentials.tls or self._timer is not None:
            return

        def look() -> None:
            self._timer = None
            if not connected():
                self._begin()

        self._timer = detached(self._loop.call_later, min(in_s / 2, _PAUSE_S / 2), look)

    async def reason(self) -> str | None:
        """Return why TLS fails, in plain words; None: it does not, or nobody knows."""
        if not self._credentials.tls:
            return None
        return await asyncio.shield(self._begin())

    def _begin(self) -> asyncio.Task[str | None]:
        if self._asking is None or (self._asking.done() and self._loop.time() >= self._again_at):
            self._asking = detached(self._loop.create_task, self._ask(), name="larder: why TLS fails")
        return self._asking

    async def aclose(self) -> None:
        """Find out nothing more."""
        if self._timer is not None:
            self._timer.cancel()
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.gather(self._asking, return_exceptions=True)

    async def _ask(self) -> str | None:
        self.known = await self._find_out()
        return self.known

    async def _find_out(self) -> str | None:
        host, port = address_of(self._credentials)
        name = self._credentials.server_name
        writer: asyncio.StreamWriter | None = None
        try:
            async with asyncio.timeout(_PATIENCE_S):
                tls = tls_of(self._credentials)
                at = self._address or host
                reader, writer = await asyncio.open_connection(at, port, ssl=tls, server_hostname=name)
                # A server of HTTP/2 speaks first; one that does not like our certificate says so, or hangs up.
                return None if await reader.read(1) else CLOSED
        except (OSError, ValueError) as failure:
            return tls_reason(failure)
        finally:
            self._again_at = self._loop.time() + _PAUSE_S
            if writer is not None:
                writer.transport.abort()
