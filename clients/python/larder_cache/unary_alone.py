"""Unary calls without grpcio, each on a connection of its own: for forked children, in which grpcio does not work."""

from __future__ import annotations

import asyncio

from larder_cache.credential_provider import CredentialProvider
from larder_cache.detached import detached
from larder_cache.errors import DEADLINE_EXCEEDED, UNAVAILABLE, ErrorCode, Failure
from larder_cache.http2_stream import Http2Stream
from larder_cache.tls_files import tls_reason


class _Exchange:
    """Sends one request and collects the answer's messages."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.messages: list[bytes] = []
        self.ended: asyncio.Future[Failure | None] = loop.create_future()
        self._stream: Http2Stream | None = None
        self._is_finished = False

    def send(self, stream: Http2Stream, request: bytes) -> None:
        self._stream = stream
        stream.send(request)
        self.on_writable()

    # What Http2Stream tells its handler.

    def on_message(self, message: bytes) -> None:
        self.messages.append(message)

    def on_writable(self) -> None:
        if self._stream is not None and self._stream.writable and not self._is_finished:
            self._is_finished = True
            self._stream.finish()

    def on_going_away(self) -> None:
        """The server answers this call all the same."""

    def on_end(self, failure: Failure | None) -> None:
        if not self.ended.done():
            self.ended.set_result(failure)


async def call_alone(
    credentials: CredentialProvider,
    address: str | None,
    path: str,
    metadata: list[tuple[str, str]],
    request: bytes,
    timeout_s: float,
) -> list[bytes] | Failure:
    """Return the answer's messages, or why the call failed. `address`: the one of the host's to connect to."""
    loop = asyncio.get_running_loop()
    exchange = _Exchange(loop)
    timeout = ("grpc-timeout", f"{max(1, round(timeout_s * 1_000))}m")
    stream: Http2Stream | None = None
    try:
        async with asyncio.timeout(timeout_s):
            opening = Http2Stream.open(exchange, credentials, path, [*metadata, timeout], address)
            # A task: its transport would keep the caller's context.
            stream = await detached(loop.create_task, opening)
            exchange.send(stream, request)
            failure = await exchange.ended
    except TimeoutError:
        if stream is None:
            why = "the server is out of reach: no connection within the deadline"
            return Failure(UNAVAILABLE, why, not_executed=True, code=ErrorCode.UNAVAILABLE)
        return Failure(DEADLINE_EXCEEDED, "the deadline passed waiting for its answer", code=ErrorCode.TIMEOUT)
    except OSError as lost:
        reason = tls_reason(lost)
        return Failure(UNAVAILABLE, f"{f'{reason}: ' if reason else ''}{lost}", not_executed=True)
    finally:
        if stream is not None:
            stream.close()
    return exchange.messages if failure is None else failure
