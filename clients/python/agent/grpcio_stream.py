"""The pipeline over grpc.aio instead of Http2Stream, for comparison with the hand-written stream."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

import grpc.aio

from agent.larder_target import LarderTarget
from larder_cache._internal.http2 import http2_stream
from larder_cache._internal.transport import pipeline_transport
from larder_cache.credential_provider import CredentialProvider
from larder_cache.errors import Failure


class GrpcioStream:
    """Implements Http2Stream's interface.

    Writes one message at a time. While a message is being written, the stream is not writable. The pipeline then
    combines all calls that are waiting into its next message.
    """

    def __init__(self, handler: http2_stream.StreamHandler, channel: grpc.aio.Channel, call: Any) -> None:
        self._handler = handler
        # The same attribute as in `Http2Stream`.
        self.asked_at = 0.0
        self._channel = channel
        self._call = call
        self._outgoing: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self._tasks = [asyncio.create_task(self._write()), asyncio.create_task(self._read())]

    @classmethod
    async def open(
        cls,
        handler: http2_stream.StreamHandler,
        credentials: CredentialProvider,
        path: str,
        metadata: list[tuple[str, str]],
        address: str | None = None,
    ) -> GrpcioStream:
        channel = grpc.aio.insecure_channel(credentials.endpoint, options=[("grpc.enable_http_proxy", 0)])
        await channel.channel_ready()
        return cls(handler, channel, channel.stream_stream(path)(metadata=tuple(metadata)))

    @property
    def writable(self) -> bool:
        return not self._outgoing

    def send(self, message: bytes) -> None:
        self._outgoing.append(message)
        self._wake.set()

    async def _write(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._outgoing:
                await self._call.write(self._outgoing[0])
                self._outgoing.popleft()
                self._handler.on_writable()

    async def _read(self) -> None:
        while (message := await self._call.read()) is not grpc.aio.EOF:
            self.asked_at = 0.0
            self._handler.on_message(message)

    def keep_alive(self, interval_s: float, timeout_s: float) -> None:
        """Do nothing, because this is not part of the measurement."""

    def finish(self) -> None:
        """Do nothing, because this is not part of the measurement."""

    def fail(self, failure: Failure) -> None:
        raise RuntimeError(failure.message)

    def close(self, failure: Failure | None = None) -> None:
        for task in self._tasks:
            task.cancel()
        self._call.cancel()


class GrpcioStreamTarget(LarderTarget):
    """Larder's client with its pipeline over grpc.aio."""

    def __init__(self, request: dict[str, Any]) -> None:
        pipeline_transport.Http2Stream = GrpcioStream  # type: ignore[misc,assignment]
        super().__init__(request)
