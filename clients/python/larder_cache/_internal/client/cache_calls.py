"""The common part of all calls on one cache: the cache's name, the deadline, and the object that runs the calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ParamSpec, Self

from larder_cache._internal.client import batch_parts
from larder_cache._internal.client.calls import Calls
from larder_cache._internal.client.refused_calls import RefusedCalls
from larder_cache._internal.common.unpicklable import Unpicklable
from larder_cache._internal.operations.arguments import CacheNames, Refusal, check_timeout
from larder_cache._internal.operations.operation import Operation
from larder_cache._internal.operations.requests import Requests

if TYPE_CHECKING:
    from larder_cache._internal.leases.lasting_errors import PermanentErrorLog

P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class CacheParts:
    """The state that all handles of a client share.

    `default_ttl_ms` applies to sets that do not pass a time to live.
    """

    calls: Calls
    requests: Requests
    default_ttl_ms: int
    lasting_errors: PermanentErrorLog
    names: CacheNames = field(default_factory=CacheNames)


class CacheCalls(Unpicklable):
    """The base of the classes that contain the calls. There is one such class per group of the operation table."""

    def __init__(self, name: str, parts: CacheParts, timeout_s: float | None = None) -> None:
        """Create a handle for one cache.

        If the value of the name or the timeout is invalid, every call returns an Error.

        Args:
            timeout_s: The deadline of each call in seconds. None selects the configured deadline.

        Raises:
            TypeError: The name is not a string, or the timeout is not a number.
        """
        self.parts = parts
        self.timeout_s = timeout_s
        try:
            self._name = parts.names[name]
            self.calls = parts.calls
            if timeout_s is not None:
                check_timeout(timeout_s)
        except Refusal as refusal:
            self._name, self.timeout_s = name, None
            self.calls = RefusedCalls(refusal.error, parts.calls)
        self._near = self.calls.near
        self._requests = parts.requests

    @property
    def name(self) -> str:
        """The cache's name."""
        return self._name

    def with_timeout(self, timeout_s: float | None) -> Self:
        """Return a copy whose calls have this deadline, in seconds. See `Cache.with_timeout`."""
        return type(self)(self._name, self.parts, timeout_s)

    async def _send(
        self, operation: Operation[Any], request: Callable[P, bytes], *arguments: P.args, **named: P.kwargs
    ) -> Any:
        """Send the request that `request` builds from the arguments.

        If `request` raises a Refusal, return its error.
        """
        try:
            payload = request(*arguments, **named)
        except Refusal as refusal:
            return refusal.error
        return await self.calls.run(operation, self._name, payload, self.timeout_s)

    async def _send_parts(
        self, operation: Operation[Any], items: Callable[P, list[bytes]], *arguments: P.args, **named: P.kwargs
    ) -> batch_parts.Answers:
        """Send the batch that `items` builds from the arguments, in as many parts as needed."""
        try:
            made = items(*arguments, **named)
        except Refusal as refusal:
            return [(1, refusal.error)]
        return await batch_parts.run_parts(self.calls, operation, self._name, made, self.timeout_s)
