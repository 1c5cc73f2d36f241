"""The interface of what runs a client's calls: in which thread they wait, and which connections they use."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Coroutine
from typing import Any, Protocol, TypeVar

from larder_cache._internal.calls.observers import Observers
from larder_cache._internal.calls.single_flight import SingleFlight
from larder_cache._internal.near.near_reads import NearReads
from larder_cache._internal.operations.operation import Operation
from larder_cache._internal.telemetry.statistics import ClientStatistics
from larder_cache._internal.topics.topic_buffer import TopicBuffer
from larder_cache._internal.topics.topic_messages import Wanted
from larder_cache.configuration import Configuration
from larder_cache.credential_provider import CredentialProvider

F = TypeVar("F", bound=Callable[..., Any])
R = TypeVar("R")


class Calls(Protocol):
    """Implemented by `LoopCalls`, `BlockingCalls` and `CrossLoopCalls`.

    Arguments are validated; running a call does not raise.
    """

    credentials: CredentialProvider
    configuration: Configuration
    # The client's near cache, or None.
    near: NearReads | None

    @property
    def flights(self) -> SingleFlight[tuple[str, bytes], bytes]:
        """Running loads of `get_or_set`, by cache and key; shared by all handles of a client."""
        ...

    @property
    def run(self) -> Callable[..., Coroutine[Any, Any, Any]]:
        """Run a call: (operation, cache, payload, timeout_s), as CallRunner.run does."""
        ...

    async def run_each(
        self, operation: Operation[Any], cache: str, payloads: list[bytes], timeout_s: float | None = None
    ) -> list[Any]:
        """Run a call for each payload, concurrently: one round trip, as far as the limit allows."""
        ...

    def follow(self, wanted: Wanted, buffer: TopicBuffer) -> None:
        """Start a subscription. The buffer receives its events and its end."""

    async def gone(self, buffer: TopicBuffer) -> None:
        """Wait until the resources of a buffer's subscription are released."""

    async def connect(self, timeout_s: float) -> bool:
        """Connect before the first call. Returns False on timeout."""
        ...

    async def aclose(self) -> None:
        """End the calls in flight with CANCELLED and close the connections."""

    def statistics(self) -> ClientStatistics:
        """Return the current statistics."""
        ...

    def held(self) -> dict[str, int]:
        """Return counts by name that must be 0 once every call has ended."""
        ...


# Creates the calls of a client from its credentials, configuration and observers.
CallsMaker = Callable[[CredentialProvider, Configuration, Observers | None], Calls]


async def answered(response: R) -> R:
    """Return a response without sending a call."""
    return response


def is_coroutine_function(function: F) -> F:
    """Mark a function that returns a coroutine as a coroutine function, for mocks and frameworks that check."""
    mark = getattr(inspect, "markcoroutinefunction", None)
    if mark is not None:
        mark(function)
    else:
        # Python 3.11 only has the marker of asyncio's own `iscoroutinefunction`, which unittest.mock checks.
        setattr(function, "_is_coroutine", getattr(asyncio.coroutines, "_is_coroutine", None))
    return function
