"""A small server of the protocol in Python, for tests that must not need .NET.

It has get, set, delete, increment, ping and the pipeline, with hooks for faults. The test implements the calls of
larder.v1.Extras.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Self

import grpc
import grpc.aio

from protobuf_messages import cache_pb2 as pb
from protobuf_messages import pipeline_pb2 as pipe

# Receives a pipelined operation; returns its result, or None to send no response.
Hook = Callable[[pipe.Operation], Awaitable["pipe.Result | None"]]


class FakeServer:
    """`async with FakeServer() as server`: listens on a free loopback port."""

    def __init__(
        self, *, pipeline: bool = True, port: int = 0, tls: tuple[bytes, bytes, bytes | None] | None = None
    ) -> None:
        """Create a server.

        `tls` contains the key, the certificates, and the authority of client certificates or None. With an authority,
        the server requires a client certificate.
        """
        self.port = port
        self.items: dict[bytes, bytes] = {}
        # The times to live of pipelined and unary sets, in milliseconds.
        self.ttls: dict[bytes, int] = {}
        # The number of pipelined operations and unary calls received, by name.
        self.received: dict[str, int] = {}
        self.cancels: list[int] = []
        self.batches: list[int] = []
        self.streams = 0
        # If set, replaces the processing of each pipelined operation.
        self.on_operation: Hook | None = None
        # If set, unary calls fail with this status.
        self.unary_status: grpc.StatusCode | None = None
        # If set, awaited before each unary response.
        self.unary_gate: Callable[[], Awaitable[None]] | None = None
        # The implementations of larder.v1.Extras calls, by name. Calls without an implementation are unsupported.
        self.extras: dict[str, Callable[[bytes], bytes]] = {}
        # If set, streams are rejected with this status.
        self.refuse_streams: grpc.StatusCode | None = None
        # Returns whether a token is rejected. The server calls it for each unary call, for each stream when it opens,
        # and for each operation.
        self.refuses: Callable[[str], bool] = lambda token: False
        # The received tokens, and the names in the received client certificates.
        self.tokens: list[str] = []
        self.shown: list[str] = []
        # For each open stream: messages to send in addition to responses.
        self._outgoing: list[asyncio.Queue[pipe.BatchResult | None]] = []
        # For each open stream: an event, and the action when the event is set ("ok", "abort" or "draining").
        # end_streams describes these actions.
        self._ending: dict[asyncio.Event, str] = {}
        self._pipeline = pipeline
        self._tls = tls
        self._server: grpc.aio.Server | None = None

    async def __aenter__(self) -> Self:
        server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
        unary = {
            name: grpc.unary_unary_rpc_method_handler(self._unary(name))
            for name in ("Get", "Set", "Delete", "Increment")
        }
        server.add_generic_rpc_handlers(
            (
                grpc.method_handlers_generic_handler("cache_client.Scs", unary),
                grpc.method_handlers_generic_handler(
                    "cache_client.Ping", {"Ping": grpc.unary_unary_rpc_method_handler(self._unary("Ping"))}
                ),
            )
        )
        names = ("ScanItems", "GetOrLease", "SetWithLease", "ReleaseLease")
        extras = {name: grpc.unary_unary_rpc_method_handler(self._extra(name)) for name in names}
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("larder.v1.Extras", extras),))
        if self._pipeline:
            run = grpc.stream_stream_rpc_method_handler(self._run)
            server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("larder.v1.Pipeline", {"Run": run}),))
        if self._tls is None:
            self.port = server.add_insecure_port(f"127.0.0.1:{self.port}")
        else:
            key, chain, trusted = self._tls
            own = grpc.ssl_server_credentials([(key, chain)], trusted, trusted is not None)
            self.port = server.add_secure_port(f"127.0.0.1:{self.port}", own)
        await server.start()
        self._server = server
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self.end_streams("ok")
        await self._server.stop(0)

    def end_streams(self, how: str) -> None:
        """End or drain every open stream.

        "ok" ends a stream with the status OK, and "abort" ends it with UNAVAILABLE. Queued responses are sent first.
        "draining" sends a message with the draining flag, and keeps the stream open.
        """
        for event in self._ending:
            self._ending[event] = how
            event.set()

    def push(self, message: pipe.BatchResult) -> None:
        """Send a message on every open stream."""
        for outgoing in self._outgoing:
            outgoing.put_nowait(message)

    def refuse_first(self, times: int) -> None:
        """Fail this many operations with UNAVAILABLE, and process later operations."""
        left = times

        async def refuse(call: pipe.Operation) -> pipe.Result:
            nonlocal left
            if left:
                left -= 1
                return pipe.Result(id=call.id, status=pipe.CallStatus(code=14, message="not now"))
            return self.answer(call)

        self.on_operation = refuse

    def answer(self, call: pipe.Operation) -> pipe.Result:
        """Return the result of an operation."""
        kind = call.WhichOneof("call")
        result = pipe.Result(id=call.id)
        if kind == "get":
            value = self.items.get(call.get.key)
            result.get.result = pb.Miss if value is None else pb.Hit
            result.get.value = value or b""
        elif kind == "set":
            self.items[call.set.key] = call.set.value
            self.ttls[call.set.key] = call.set.ttl_ms
            result.set.result = pb.Ok
        elif kind == "delete":
            self.items.pop(call.delete.key, None)
            result.delete.SetInParent()
        elif kind == "increment":
            before = self.items.get(call.increment.key, b"0")
            if not before.removeprefix(b"-").isdigit():
                result.status.code, result.status.message = 9, "not a number"
                return result
            value = int(before) + call.increment.amount
            self.items[call.increment.key] = str(value).encode()
            result.increment.value = value
        else:
            result.status.code = 12
        return result

    def _came(self, context: Any) -> str:
        self.shown += [name.decode() for name in context.auth_context().get("x509_common_name", [])]
        token = str(dict(context.invocation_metadata()).get("authorization", ""))
        self.tokens.append(token)
        return token

    def _count(self, name: str) -> None:
        self.received[name] = self.received.get(name, 0) + 1

    def _unary(self, name: str) -> Callable[[bytes, Any], Awaitable[bytes]]:
        async def handle(request: bytes, context: Any) -> bytes:
            if self.refuses(self._came(context)):
                await context.abort(grpc.StatusCode.UNAUTHENTICATED, "unknown token")
            self._count(f"unary {name.lower()}")
            if self.unary_gate is not None:
                await self.unary_gate()
            if self.unary_status is not None:
                await context.abort(self.unary_status, "injected")
            if name == "Ping":
                return b""
            field = name.lower()
            operation = pipe.Operation()
            getattr(operation, field).ParseFromString(request)
            getattr(operation, field).SetInParent()
            result = self.answer(operation)
            return getattr(result, field).SerializeToString()

        return handle

    def _extra(self, name: str) -> Callable[[bytes, Any], Awaitable[bytes]]:
        async def handle(request: bytes, context: Any) -> bytes:
            self._count(f"unary {name.lower()}")
            if self.unary_gate is not None:
                await self.unary_gate()
            if self.unary_status is not None:
                await context.abort(self.unary_status, "injected")
            if name not in self.extras:
                await context.abort(grpc.StatusCode.UNIMPLEMENTED, f"there is no {name} here")
            return self.extras[name](request)

        return handle

    async def _run(self, requests: AsyncIterator[bytes], context: Any) -> AsyncIterator[bytes]:
        token = self._came(context)
        if self.refuses(token):
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "unknown token")
        if self.refuse_streams is not None:
            await context.abort(self.refuse_streams, "refused")
        self.streams += 1
        ending = asyncio.Event()
        self._ending[ending] = ""
        answers: asyncio.Queue[pipe.BatchResult | None] = asyncio.Queue()
        self._outgoing.append(answers)

        async def later(call: pipe.Operation, hook: Hook) -> None:
            result = await hook(call)
            if result is not None:
                await answers.put(pipe.BatchResult(results=[result]))

        async def read() -> None:
            async with asyncio.TaskGroup() as slow:
                async for message in requests:
                    batch = pipe.Batch.FromString(message)
                    self.batches.append(len(batch.operations))
                    done = pipe.BatchResult()
                    for call in batch.operations:
                        kind = str(call.WhichOneof("call"))
                        if kind != "cancel" and self.refuses(token):
                            status = pipe.CallStatus(code=16, message="unknown token")
                            done.results.append(pipe.Result(id=call.id, status=status))
                            continue
                        self._count(kind)
                        if kind == "cancel":
                            self.cancels.append(call.id)
                        elif self.on_operation is not None:
                            slow.create_task(later(call, self.on_operation))
                        else:
                            done.results.append(self.answer(call))
                    if done.results:
                        await answers.put(done)
            await answers.put(None)

        async def end() -> None:
            while True:
                await ending.wait()
                if self._ending[ending] != "draining":
                    break
                ending.clear()
                await answers.put(pipe.BatchResult(draining=True))
            await answers.put(None)

        tasks = [asyncio.create_task(read()), asyncio.create_task(end())]
        try:
            while (answer := await answers.get()) is not None:
                yield answer.SerializeToString()
            if self._ending[ending] == "abort":
                await context.abort(grpc.StatusCode.UNAVAILABLE, "aborted by the test")
        finally:
            del self._ending[ending]
            self._outgoing.remove(answers)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
