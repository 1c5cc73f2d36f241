"""A topic server in Python. A test can script each subscription: its messages and its end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import grpc.aio

from protobuf_messages import pubsub_pb2 as pb

PAGE = 1_764_000_000_000


class Stream:
    """The server's side of one subscription."""

    def __init__(self, request: pb.SubscribeRequest, context: Any) -> None:
        self.request = request
        self._context = context
        self.metadata = {str(key): str(value) for key, value in context.invocation_metadata()}

    @property
    def asked(self) -> tuple[int, int, bool]:
        """Return the requested sequence number and page, and whether the subscription receives only new messages."""
        request = self.request
        now = self.metadata.get("topic-from") == "now"
        return request.resume_at_topic_sequence_number, request.sequence_page, now

    async def head(self, position: str) -> None:
        """Send the initial metadata."""
        await self._context.send_initial_metadata((("topic-position", position),))

    async def raw(self, message: bytes) -> None:
        """Send raw bytes as a message."""
        await self._context.write(message)

    async def heartbeat(self) -> None:
        await self.raw(pb.SubscriptionItem(heartbeat=pb.Heartbeat()).SerializeToString())

    async def item(self, number: int, value: str | bytes = b"", page: int = PAGE, publisher: str = "") -> None:
        kind = pb.TopicValue(text=value) if isinstance(value, str) else pb.TopicValue(binary=value)
        item = pb.TopicItem(topic_sequence_number=number, value=kind, publisher_id=publisher, sequence_page=page)
        await self.raw(pb.SubscriptionItem(item=item).SerializeToString())

    async def gap(self, last: int, new: int, page: int = PAGE) -> None:
        gap = pb.Discontinuity(last_topic_sequence=last, new_topic_sequence=new, new_sequence_page=page)
        await self.raw(pb.SubscriptionItem(discontinuity=gap).SerializeToString())

    async def fail(self, status: grpc.StatusCode, details: str = "injected", cause: str | None = None) -> None:
        await self._context.abort(status, details, (("err", cause),) if cause else ())

    async def stay(self) -> None:
        """Send nothing more, but keep the stream open."""
        await asyncio.Event().wait()


Script = Callable[[Stream], Awaitable[None]]


class FakeTopics:
    """`async with FakeTopics() as server`: one cache whose topics keep all messages.

    If set, `script` runs each subscription.
    """

    def __init__(self, port: int = 0, tls: tuple[bytes, bytes] | None = None) -> None:
        """Create a server. `tls` contains the key and the certificates."""
        self.port = port
        self._tls = tls
        self.script: Script | None = None
        # If set, publish calls fail with this status.
        self.publish_status: grpc.StatusCode | None = None
        # If set, awaited before the response to each publish call.
        self.gate: Callable[[], Awaitable[None]] | None = None
        self.published: list[pb.PublishRequest] = []
        self.asked: list[tuple[int, int, bool]] = []
        self.tokens: list[str] = []
        # The client address of each open stream. Streams on one connection have the same address.
        self.open: list[str] = []
        self.peers: list[str] = []
        self._kept: dict[str, list[pb.TopicValue]] = {}
        self._news = asyncio.Event()
        self._server: grpc.aio.Server | None = None

    async def __aenter__(self) -> FakeTopics:
        most = ("grpc.max_receive_message_length", 20_000_000)
        server = grpc.aio.server(options=[("grpc.so_reuseport", 0), most])
        handlers = {
            "Publish": grpc.unary_unary_rpc_method_handler(self._publish),
            "Subscribe": grpc.unary_stream_rpc_method_handler(self._subscribe),
        }
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("cache_client.pubsub.Pubsub", handlers),))
        at = f"127.0.0.1:{self.port}"
        if self._tls is None:
            self.port = server.add_insecure_port(at)
        else:
            self.port = server.add_secure_port(at, grpc.ssl_server_credentials([self._tls], None, False))
        await server.start()
        self._server = server
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def stop(self, grace_s: float = 0.0) -> None:
        """Send GOAWAY, and end the streams after this time."""
        if self._server is not None:
            server, self._server = self._server, None
            await server.stop(grace_s)

    def say(self, topic: str, *values: str | bytes) -> None:
        """Publish a message from the test."""
        kept = self._kept.setdefault(topic, [])
        for value in values:
            kept.append(pb.TopicValue(text=value) if isinstance(value, str) else pb.TopicValue(binary=value))
        self._news.set()

    async def _publish(self, message: bytes, context: Any) -> bytes:
        request = pb.PublishRequest.FromString(message)
        if self.gate is not None:
            await self.gate()
        self.published.append(request)
        self.tokens.append(dict(context.invocation_metadata()).get("authorization", ""))
        if self.publish_status is not None:
            await context.abort(self.publish_status, "injected")
        value = request.value
        self.say(request.topic, value.text if value.WhichOneof("kind") == "text" else value.binary)
        return b""

    async def _subscribe(self, message: bytes, context: Any) -> None:
        stream = Stream(pb.SubscribeRequest.FromString(message), context)
        peer = context.peer()
        self.asked.append(stream.asked)
        self.tokens.append(stream.metadata.get("authorization", ""))
        self.peers.append(peer)
        self.open.append(peer)
        try:
            await (self.script or self._serve)(stream)
        finally:
            self.open.remove(peer)

    async def _serve(self, stream: Stream) -> None:
        """Serve a topic correctly and keep all messages, but send only one heartbeat."""
        kept = self._kept.setdefault(stream.request.topic, [])
        resume_at, _, now = stream.asked
        at = resume_at or (len(kept) + 1 if now else max(1, len(kept)))
        await stream.head(f"{PAGE}-{at}")
        await stream.heartbeat()
        while True:
            while at <= len(kept):
                value = kept[at - 1]
                await stream.item(at, value.text if value.WhichOneof("kind") == "text" else value.binary)
                at += 1
            self._news.clear()
            await self._news.wait()
