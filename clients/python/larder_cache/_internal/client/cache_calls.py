"""What all calls on one cache have in common: its name, their deadline, and what runs them."""

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
    from larder_cache._internal.leases.lasting_errors import LastingErrors

P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class CacheParts:
    """What the handles of one client share. `default_ttl_ms`: for sets without a time to live."""

    calls: Calls
    requests: Requests
    default_ttl_ms: int
    lasting_errors: LastingErrors
    names: CacheNames = field(default_factory=CacheNames)


class CacheCalls(Unpicklable):
    """The base of the classes that have the calls, one class for each group of the table."""

    def __init__(self, name: str, parts: CacheParts, timeout_s: float | None = None) -> None:
        """`timeout_s`: each call's deadline; None: the configuration's.

        An invalid name or timeout is the Error of every call. TypeError if the name is not a string, or the timeout
        not a number.
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
        """Return a copy whose calls have this deadline, in seconds: Cache.with_timeout."""
        return type(self)(self._name, self.parts, timeout_s)

    async def _send(
        self, operation: Operation[Any], request: Callable[P, bytes], *arguments: P.args, **named: P.kwargs
    ) -> Any:
        """Send what `request` makes of the arguments. A Refusal of theirs is the response."""
        try:
            payload = request(*arguments, **named)
        except Refusal as refusal:
            return refusal.error
        return await self.calls.run(operation, self._name, payload, self.timeout_s)

    async def _send_parts(
        self, operation: Operation[Any], items: Callable[P, list[bytes]], *arguments: P.args, **named: P.kwargs
    ) -> batch_parts.Answers:
        """Send a batch of what `items` makes of the arguments, in as many parts as it needs."""
        try:
            made = items(*arguments, **named)
        except Refusal as refusal:
            return [(1, refusal.error)]
        return await batch_parts.run_parts(self.calls, operation, self._name, made, self.timeout_s)
