"""A pipeline stream without a network: a fake of its owner, a fake of its connection, and a call."""

from __future__ import annotations

import asyncio
from typing import Any

from larder_cache._internal.operations import pipeline_codec as codec
from larder_cache._internal.operations._generated import operations as op
from larder_cache._internal.operations.call import Call
from larder_cache._internal.transport.pipeline_stream import PipelineStream
from larder_cache.errors import Failure


class Owner:
    def __init__(self) -> None:
        self.left = 0
        self.retired = False
        self.failure: Failure | None = None

    def leave(self, permits: int) -> None:
        self.left += permits

    def retire(self, stream: PipelineStream) -> None:
        stream.stop()
        self.retired = True

    def ended(self, stream: PipelineStream, failure: Failure | None) -> None:
        self.failure = failure


class Wire:
    """A fake of the connection."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.writable = True
        self.failure: Failure | None = None
        self.silent_since = 0.0

    def send(self, message: bytes) -> None:
        self.sent.append(message)

    def fail(self, failure: Failure) -> None:
        self.failure = failure

    def finish(self) -> None:
        """Do nothing."""


def call_of(operation: op.Operation[Any] = op.GET, *, cache: str = "cache", key: bytes = b"k") -> Call:
    loop = asyncio.get_running_loop()
    now = loop.time()
    call = Call(operation, cache, codec.encode_key(key), now, now + 5.0, loop.create_future(), lambda _: None)
    call.permit = True
    return call
