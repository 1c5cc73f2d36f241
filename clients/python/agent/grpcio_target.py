"""Calls the gRPC library directly, to measure the cost of unary calls without Larder's client."""

from __future__ import annotations

import itertools
from collections.abc import Awaitable, Iterator
from pathlib import Path
from typing import Any

import grpc
import grpc.aio

from agent.target import DONE, HIT, MISS, AgentError, Unsupported
from protobuf_messages import cache_pb2 as pb


def _channel(request: dict[str, Any], options: list[tuple[str, Any]]) -> grpc.aio.Channel:
    if not request.get("tls"):
        return grpc.aio.insecure_channel(request["endpoint"], options=options)
    authority = request.get("caFile")
    credentials = grpc.ssl_channel_credentials(Path(authority).read_bytes() if authority else None)
    return grpc.aio.secure_channel(request["endpoint"], credentials, options=options)


class GrpcioTarget:
    """Makes each call with generated messages and a deadline.

    The calls use the channels in turn. There is no concurrency limit, and failed calls are not retried.

    There is one channel by default. By default, channels share the process's subchannel pool and therefore one
    connection. Optionally, each channel has a separate connection.
    """

    def __init__(self, request: dict[str, Any]) -> None:
        pool = request.get("subchannelPool", "shared")
        count = request.get("channels", 1)
        if pool not in ("shared", "local"):
            raise AgentError(f'subchannelPool must be "local" or "shared", not {pool!r}')
        if not isinstance(count, int) or not 1 <= count <= 100:
            raise AgentError(f"channels must be from 1 to 100, not {count!r}")
        options: list[tuple[str, Any]] = [("grpc.enable_http_proxy", 0)]
        if pool == "local":
            options.append(("grpc.use_local_subchannel_pool", 1))
        self._channels = [_channel(request, options) for _ in range(count)]
        self._timeout_s = request.get("requestTimeoutMs", 5_000) / 1_000
        self._metadata = (("cache", request.get("cache", "cache")),)
        self._gets: Iterator[Any] = itertools.cycle(
            each.unary_unary("/cache_client.Scs/Get", pb.GetRequest.SerializeToString, pb.GetResponse.FromString)
            for each in self._channels
        )
        self._sets: Iterator[Any] = itertools.cycle(
            each.unary_unary("/cache_client.Scs/Set", pb.SetRequest.SerializeToString, pb.SetResponse.FromString)
            for each in self._channels
        )

    async def connect(self) -> dict[str, Any] | None:
        for channel in self._channels:
            await channel.channel_ready()
        return None

    def described(self) -> dict[str, Any]:
        channels = len(self._channels)
        return {"version": grpc.__version__, "transport": "unary", "maxInFlight": "off", "channels": channels}

    def statistics(self) -> dict[str, Any]:
        return {"inFlight": None, "inFlightLimit": "off", "queued": None, "connections": None}

    async def operate(self, request: dict[str, Any]) -> dict[str, Any]:
        raise Unsupported("this peer supports only load runs, not single cache operations")

    def get(self, key: bytes) -> Awaitable[Any]:
        return next(self._gets)(pb.GetRequest(key=key), timeout=self._timeout_s, metadata=self._metadata)

    def set(self, key: bytes, value: bytes, ttl_ms: int) -> Awaitable[Any]:
        request = pb.SetRequest(key=key, value=value, ttl_ms=ttl_ms)
        return next(self._sets)(request, timeout=self._timeout_s, metadata=self._metadata)

    def outcome(self, response: Any) -> str:
        if response.result == pb.Hit:
            return HIT
        return DONE if response.result == pb.Ok else MISS

    def value(self, response: Any) -> bytes:
        return response.value

    async def aclose(self) -> None:
        for channel in self._channels:
            await channel.close()
