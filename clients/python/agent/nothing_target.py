"""A target without a server. A run with this target measures the cost of the load generator itself."""

from __future__ import annotations

from typing import Any

from agent.target import DONE, HIT, Unsupported


class NothingTarget:
    """Does not connect. Every get returns a hit, and every set succeeds."""

    def __init__(self, request: dict[str, Any]) -> None:
        pass

    async def connect(self) -> dict[str, Any] | None:
        return None

    def described(self) -> dict[str, Any]:
        return {"version": "1", "transport": "none", "maxInFlight": "off", "channels": None}

    def statistics(self) -> dict[str, Any]:
        return {"inFlight": None, "inFlightLimit": "off", "queued": None, "connections": None}

    async def operate(self, request: dict[str, Any]) -> dict[str, Any]:
        raise Unsupported("this peer supports only load runs, not single cache operations")

    async def get(self, key: bytes) -> bytes:
        return key

    async def set(self, key: bytes, value: bytes, ttl_ms: int) -> None:
        return None

    def outcome(self, response: Any) -> str:
        return DONE if response is None else HIT

    def value(self, response: Any) -> bytes:
        return response

    async def aclose(self) -> None:
        pass
