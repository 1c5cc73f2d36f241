"""The peer: redis-py's asyncio client with hiredis, as its documentation shows it."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

import redis
import redis.asyncio

from agent.target import DONE, HIT, MISS, Unsupported


class RedisTarget:
    """One `redis.asyncio.Redis` with its pool; `maxInFlight` bounds the pool as a caller would."""

    def __init__(self, request: dict[str, Any]) -> None:
        if request.get("headers"):
            raise Unsupported("redis has no headers")
        cap = request.get("maxInFlight", "off")
        host, _, port = request["endpoint"].rpartition(":")
        timeout_s = request.get("requestTimeoutMs", 5_000) / 1_000
        self._cap = cap
        pool = redis.asyncio.BlockingConnectionPool(
            host=host, port=int(port), max_connections=5_000 if cap == "off" else int(cap), timeout=timeout_s
        )
        self._redis: Any = redis.asyncio.Redis(connection_pool=pool)
        self._pool: Any = pool

    async def connect(self) -> dict[str, Any] | None:
        await self._redis.ping()
        return None

    def described(self) -> dict[str, Any]:
        return {"version": redis.__version__, "transport": "resp", "maxInFlight": self._cap, "channels": None}

    def statistics(self) -> dict[str, Any]:
        connections = sum(1 for c in self._pool._connections if c.is_connected)
        return {"inFlight": None, "inFlightLimit": self._cap, "queued": None, "connections": connections}

    async def operate(self, request: dict[str, Any]) -> dict[str, Any]:
        raise Unsupported("a peer has no operations")

    def get(self, key: bytes) -> Awaitable[Any]:
        return self._redis.get(key)

    def set(self, key: bytes, value: bytes, ttl_ms: int) -> Awaitable[Any]:
        return self._redis.set(key, value, px=ttl_ms)

    def outcome(self, response: Any) -> str:
        if response is True:
            return DONE
        return MISS if response is None else HIT

    def value(self, response: Any) -> bytes:
        return response

    async def aclose(self) -> None:
        await self._redis.close()
        await self._pool.disconnect()
