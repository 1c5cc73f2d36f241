"""The interface of the clients that an agent runs: Larder's client, or a client of another cache."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, Protocol

HIT, MISS, DONE = "hit", "miss", "done"


class AgentError(Exception):
    """The request is invalid."""


class Unsupported(Exception):
    """The client does not support this operation or setting."""


class Target(Protocol):
    """One open client."""

    def __init__(self, request: dict[str, Any]) -> None:
        """Create a client from the fields of an `open` request."""

    async def connect(self) -> dict[str, Any] | None:
        """Connect. Returns None, or an error response if connecting fails."""

    def described(self) -> dict[str, Any]:
        """Return the current settings, for the response to `open`."""
        ...

    def statistics(self) -> dict[str, Any]:
        """Return the client's part of `stats`."""
        ...

    async def operate(self, request: dict[str, Any]) -> dict[str, Any]:
        """Run one operation and return its response."""
        ...

    def get(self, key: bytes) -> Awaitable[Any]:
        """Get a key. The load generator calls this method."""
        ...

    def set(self, key: bytes, value: bytes, ttl_ms: int) -> Awaitable[Any]:
        """Set a key. The load generator calls this method."""
        ...

    def outcome(self, response: Any) -> str:
        """Return the outcome of a response: hit, miss, done, or an error code."""
        ...

    def value(self, response: Any) -> bytes:
        """Return the value of a hit."""
        ...

    async def aclose(self) -> None:
        """Close the client."""
