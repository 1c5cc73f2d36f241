"""The Redis clients for comparison: redis-py's asyncio clients with hiredis, used as redis-py documents."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable
from typing import Any

import redis
import redis.asyncio
import redis.asyncio.cluster

from agent.target import DONE, HIT, MISS, Unsupported


class _RedisCalls(ABC):
    """The common part of the clients of a single server and of a cluster."""

    _redis: Any
    _cap: Any

    def described(self) -> dict[str, Any]:
        return {"version": redis.__version__, "transport": "resp", "maxInFlight": self._cap, "channels": None}

    def statistics(self) -> dict[str, Any]:
        connections = sum(1 for c in self._connections() if c.is_connected)
        return {"inFlight": None, "inFlightLimit": self._cap, "queued": None, "connections": connections}

    @abstractmethod
    def _connections(self) -> list[Any]:
        """Return the existing connections, connected or not."""

    async def operate(self, request: dict[str, Any]) -> dict[str, Any]:
        raise Unsupported("this peer supports only load runs, not single cache operations")

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


class RedisTarget(_RedisCalls):
    """One `redis.asyncio.Redis` with its pool. `maxInFlight` sets the size of the pool."""

    def __init__(self, request: dict[str, Any]) -> None:
        if request.get("headers"):
            raise Unsupported("redis does not support headers")
        cap = request.get("maxInFlight", "off")
        host, _, port = request["endpoint"].rpartition(":")
        timeout_s = request.get("requestTimeoutMs", 5_000) / 1_000
        self._cap = cap
        pool = redis.asyncio.BlockingConnectionPool(
            host=host, port=int(port), max_connections=5_000 if cap == "off" else int(cap), timeout=timeout_s
        )
        self._redis = redis.asyncio.Redis(connection_pool=pool)
        self._pool: Any = pool

    async def connect(self) -> dict[str, Any] | None:
        await self._redis.ping()
        return None

    def _connections(self) -> list[Any]:
        return self._pool._connections

    async def aclose(self) -> None:
        await self._redis.close()
        await self._pool.disconnect()


class RedisClusterTarget(_RedisCalls):
    """One `redis.asyncio.RedisCluster`, which opens as many connections to each node as there are concurrent calls."""

    def __init__(self, request: dict[str, Any]) -> None:
        if request.get("headers") or request.get("maxInFlight", "off") != "off":
            raise Unsupported("redis supports neither headers nor a concurrency limit")
        self._cap = "off"
        nodes = [node.rpartition(":") for node in request["endpoint"].split(",")]
        self._redis = redis.asyncio.RedisCluster(
            startup_nodes=[redis.asyncio.cluster.ClusterNode(host, int(port)) for host, _, port in nodes]
        )

    async def connect(self) -> dict[str, Any] | None:
        await self._redis.initialize()
        return None

    def _connections(self) -> list[Any]:
        return [connection for node in self._redis.get_nodes() for connection in node._connections]

    async def aclose(self) -> None:
        await self._redis.close()
