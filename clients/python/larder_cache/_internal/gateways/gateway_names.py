"""Which addresses of a name are gateways (GATEWAY-3), and what a name resolves to."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from larder_cache._internal.common import log
from larder_cache._internal.common.detached import detached
from larder_cache.credential_provider import MOST_GATEWAYS, CredentialProvider

# Given a host name: its addresses. Raises OSError where there are none to be had.
Resolve = Callable[[str], Awaitable[list[str]]]


def gateways_of(resolved: list[str]) -> list[str]:
    """Return the addresses that are gateways; none where the name is one gateway, reached by its name."""
    addresses = list(dict.fromkeys(resolved))
    six = [address for address in addresses if ":" in address]
    four = [address for address in addresses if ":" not in address]
    gateways = six if len(six) > len(four) else four
    return gateways[:MOST_GATEWAYS] if len(gateways) > 1 else []


def name_of(credentials: CredentialProvider) -> str | None:
    """Return the host's name; None: it is an address, and stands for itself."""
    host = credentials.endpoint.rpartition(":")[0].strip("[]")
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return host
    return None


async def resolve(host: str) -> list[str]:
    """Ask the system."""
    found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """How names are looked up (GATEWAY-11)."""

    resolve: Resolve = resolve
    every_s: float = 30.0
    # The shortest time between two look-ups, however many gateways fail.
    pause_s: float = 1.0


class NameWatch:
    """Looks up the names among the servers given, now and then, and tells when it has."""

    def __init__(
        self,
        given: tuple[CredentialProvider, ...],
        names: Names,
        loop: asyncio.AbstractEventLoop,
        looked_up: Callable[[], None],
    ) -> None:
        self._given = [each for each in given if name_of(each) is not None]
        self._names = names
        self._loop = loop
        self._looked_up = looked_up
        self._resolved: dict[CredentialProvider, list[str]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    def addresses(self, given: CredentialProvider) -> list[str]:
        """Return the addresses that are gateways; none: it is one, reached by its name."""
        return self._resolved.get(given, [])

    def start(self) -> None:
        """Look them up first as soon as the event loop gets to it."""
        if self._given:
            self._timer = detached(self._loop.call_later, 0, self._look_up)

    def soon(self) -> None:
        """A gateway could not be connected: do not wait for the next time."""
        soon = self._loop.time() + self._names.pause_s
        if self._timer is not None and self._timer.when() > soon:
            self._timer.cancel()
            self._timer = detached(self._loop.call_at, soon, self._look_up)

    async def aclose(self) -> None:
        """Look up no more."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _look_up(self) -> None:
        self._timer = None
        self._task = self._loop.create_task(self._resolve_all(), name="larder: look gateways up")

    async def _resolve_all(self) -> None:
        try:
            for given in self._given:
                host = name_of(given)
                try:
                    found = await self._names.resolve(host or "")
                except (OSError, UnicodeError) as error:
                    # It stands for what it stood for; a try to connect says why where that fails too.
                    log.name_unresolved(host or "", error)
                    continue
                if found:
                    self._resolved[given] = gateways_of(found)
            self._looked_up()
        finally:
            if not self._closed:
                self._timer = self._loop.call_later(self._names.every_s, self._look_up)
