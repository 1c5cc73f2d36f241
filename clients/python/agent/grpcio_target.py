"""The bare gRPC library called directly: what unary calls cost without a client."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

import grpc
import grpc.aio

from agent.target import DONE, HIT, MISS, Unsupported
from larder_cache._proto import cache_pb2 as pb


class GrpcioTarget:
    """One channel, generated messages, one deadline; no cap and no retries."""

    def __init__(self, request: dict[str, Any]) -> None:
        self._channel = grpc.aio.insecure_channel(request["endpoint"])
        self._timeout_s = request.get("requestTimeoutMs", 5_000) / 1_000
        self._metadata = (("cache", request.get("cache", "cache")),)
        self._get: Any = self._channel.unary_unary(
            "/cache_client.Scs/Get", pb.GetRequest.SerializeToString, pb.GetResponse.FromString
        )
        self._set: Any = self._channel.unary_unary(
            "/cache_client.Scs/Set", pb.SetRequest.SerializeToString, pb.SetResponse.FromString
        )

    async def connect(self) -> dict[str, Any] | None:
        await self._channel.channel_ready()
        return None

    def described(self) -> dict[str, Any]:
        return {"version": grpc.__version__, "transport": "unary", "maxInFlight": "off", "channels": 1}

    def statistics(self) -> dict[str, Any]:
        return {"inFlight": None, "inFlightLimit": "off", "queued": None, "connections": 1}

    async def operate(self, request: dict[str, Any]) -> dict[str, Any]:
        raise Unsupported("a peer has no operations")

    def get(self, key: bytes) -> Awaitable[Any]:
        return self._get(pb.GetRequest(key=key), timeout=self._timeout_s, metadata=self._metadata)

    def set(self, key: bytes, value: bytes, ttl_ms: int) -> Awaitable[Any]:
        request = pb.SetRequest(key=key, value=value, ttl_ms=ttl_ms)
        return self._set(request, timeout=self._timeout_s, metadata=self._metadata)

    def outcome(self, response: Any) -> str:
        if response.result == pb.Hit:
            return HIT
        return DONE if response.result == pb.Ok else MISS

    def value(self, response: Any) -> bytes:
        return response.value

    async def aclose(self) -> None:
        await self._channel.close()
