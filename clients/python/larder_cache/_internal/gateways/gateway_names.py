"""Decides which addresses of a host name are gateways (GATEWAY-3), and looks them up in DNS."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from larder_cache._internal.common import log
from larder_cache._internal.common.detached import detached
from larder_cache.credential_provider import MOST_GATEWAYS, CredentialProvider

# A function that resolves a host name to addresses. Raises OSError if it fails.
Resolve = Callable[[str], Awaitable[list[str]]]


def gateways_of(resolved: list[str]) -> list[str]:
    """Return the addresses that are gateways. The list is empty if the name itself is the only gateway."""
    addresses = list(dict.fromkeys(resolved))
    six = [address for address in addresses if ":" in address]
    four = [address for address in addresses if ":" not in address]
    gateways = six if len(six) > len(four) else four
    return gateways[:MOST_GATEWAYS] if len(gateways) > 1 else []


def name_of(credentials: CredentialProvider) -> str | None:
    """Return the host if it is a name, or None if it is an IP address."""
    host = credentials.endpoint.rpartition(":")[0].strip("[]")
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return host
    return None


async def resolve(host: str) -> list[str]:
    """Resolve a name with the system's resolver."""
    found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Settings for resolving names (GATEWAY-11)."""

    resolve: Resolve = resolve
    every_s: float = 30.0
    # The minimum time between two lookups, even if many gateways fail.
    pause_s: float = 1.0


class NameWatch:
    """Resolves the host names of the servers periodically and calls `looked_up` after each round of lookups."""

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
        """Return the addresses that are gateways. The list is empty if the name itself is the only gateway."""
        return self._resolved.get(given, [])

    def start(self) -> None:
        """Schedule the first lookup for the next iteration of the event loop."""
        if self._given:
            self._timer = detached(self._loop.call_later, 0, self._look_up)

    def soon(self) -> None:
        """Look the names up soon. Called when the client could not connect to a gateway."""
        soon = self._loop.time() + self._names.pause_s
        if self._timer is not None and self._timer.when() > soon:
            self._timer.cancel()
            self._timer = detached(self._loop.call_at, soon, self._look_up)

    async def aclose(self) -> None:
        """Stop the lookups."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _look_up(self) -> None:
        self._timer = None
        self._task = self._loop.create_task(self._resolve_all(), name="larder: resolve gateway names")

    async def _resolve_all(self) -> None:
        try:
            for given in self._given:
                host = name_of(given)
                try:
                    found = await self._names.resolve(host or "")
                except (OSError, UnicodeError) as error:
                    # Keep the previous addresses. If connecting to them fails, the error of the connection explains the
                    # problem.
                    log.name_unresolved(host or "", error)
                    continue
                if found:
                    self._resolved[given] = gateways_of(found)
            self._looked_up()
        finally:
            if not self._closed:
                self._timer = self._loop.call_later(self._names.every_s, self._look_up)
