"""What every call of a client goes through: arguments become a request, or the answer that refuses them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec

from larder_cache._internal.client import batch_parts as parts
from larder_cache._internal.client.calls import Calls
from larder_cache._internal.operations import pipeline_codec as codec
from larder_cache._internal.operations.arguments import CacheNames, Refusal
from larder_cache._internal.operations.operation import Operation
from larder_cache._internal.operations.requests import Requests

P = ParamSpec("P")


class Sender:
    """Sends a client's calls. The client's files, one for each group of the table, are classes over it."""

    def __init__(self, calls: Calls, default_ttl_ms: int) -> None:
        self._calls = calls
        self._requests = Requests(default_ttl_ms)
        self._names = CacheNames()

    async def _send(
        self,
        operation: Operation[Any],
        cache: str,
        timeout_s: float | None,
        request: Callable[P, bytes],
        *arguments: P.args,
        **named: P.kwargs,
    ) -> Any:
        """Send what `request` makes of the arguments. A Refusal of theirs is the answer."""
        try:
            name, payload = self._names[cache], request(*arguments, **named)
        except Refusal as refusal:
            return refusal.error
        return await self._calls.run(operation, name, payload, timeout_s)

    async def _send_parts(
        self,
        operation: Operation[Any],
        cache: str,
        timeout_s: float | None,
        items: Callable[P, list[bytes]],
        *arguments: P.args,
        **named: P.kwargs,
    ) -> parts.Answers:
        """Send a batch of what `items` makes of the arguments, in as many parts as it needs."""
        try:
            name, made = self._names[cache], items(*arguments, **named)
            return await parts.run_parts(self._calls, operation, name, made, timeout_s)
        except Refusal as refusal:
            return [(1, refusal.error)]

    async def _control(self, operation: Operation[Any], cache: str, timeout_s: float | None) -> Any:
        """Send a request whose one field is the cache's name."""
        try:
            payload = codec.encode_key(self._names[cache].encode())
        except Refusal as refusal:
            return refusal.error
        return await self._calls.run(operation, "", payload, timeout_s)
