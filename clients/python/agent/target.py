"""What an agent drives: Larder's client, or a peer's."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, Protocol

HIT, MISS, DONE = "hit", "miss", "done"


class AgentError(Exception):
    """The request makes no sense to the agent."""


class Unsupported(Exception):
    """The client has no such operation or setting."""


class Target(Protocol):
    """One open client."""

    def __init__(self, request: dict[str, Any]) -> None:
        """Take the fields of `open`."""

    async def connect(self) -> dict[str, Any] | None:
        """Connect; the error's answer where that fails."""

    def described(self) -> dict[str, Any]:
        """The settings in effect, for the answer to `open`."""
        ...

    def statistics(self) -> dict[str, Any]:
        """The client's part of `stats`."""
        ...

    async def operate(self, request: dict[str, Any]) -> dict[str, Any]:
        """Run one operation and return its answer."""
        ...

    def get(self, key: bytes) -> Awaitable[Any]:
        """Get, for the load loop."""
        ...

    def set(self, key: bytes, value: bytes, ttl_ms: int) -> Awaitable[Any]:
        """Set, for the load loop."""
        ...

    def outcome(self, response: Any) -> str:
        """What a response is: hit, miss, done, or an error code."""
        ...

    def value(self, response: Any) -> bytes:
        """The value of a hit."""
        ...

    async def aclose(self) -> None:
        """Close the client."""
