"""The interface of the objects that run a client's calls.

An implementation decides in which thread calls wait and which connections they use.
"""

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
    """Runs the calls of a client. Implemented by `LoopCalls`, `BlockingCalls` and `CrossLoopCalls`, among others.

    Callers validate the arguments. Running a call does not raise.
    """

    credentials: CredentialProvider
    configuration: Configuration
    # The client's near cache, or None if it has none.
    near: NearReads | None

    @property
    def flights(self) -> SingleFlight[tuple[str, bytes], bytes]:
        """The running loads of `get_or_set`, by cache and key. All handles of a client share them."""
        ...

    @property
    def run(self) -> Callable[..., Coroutine[Any, Any, Any]]:
        """The function that runs a call. Parameters: operation, cache, payload, timeout_s. See `CallRunner.run`."""
        ...

    async def run_each(
        self, operation: Operation[Any], cache: str, payloads: list[bytes], timeout_s: float | None = None
    ) -> list[Any]:
        """Run a call for each payload concurrently, in one round trip if the concurrency limit allows it."""
        ...

    def follow(self, wanted: Wanted, buffer: TopicBuffer) -> None:
        """Start a subscription. The buffer receives the events and the end of the subscription."""

    async def gone(self, buffer: TopicBuffer) -> None:
        """Wait until the resources of the subscription with this buffer are released."""

    async def connect(self, timeout_s: float) -> bool:
        """Connect before the first call. Returns False on timeout."""
        ...

    async def aclose(self) -> None:
        """End the calls in flight with CANCELLED and close the connections."""

    def statistics(self) -> ClientStatistics:
        """Return the current statistics."""
        ...

    def held(self) -> dict[str, int]:
        """Return named counts. Each count must be 0 once every call has ended."""
        ...


# A function that creates the `Calls` of a client from its credentials, configuration and observers.
CallsMaker = Callable[[CredentialProvider, Configuration, Observers | None], Calls]


async def answered(response: R) -> R:
    """Return a response without sending a call."""
    return response


def is_coroutine_function(function: F) -> F:
    """Mark a function that returns a coroutine as a coroutine function.

    Mocks and some frameworks check for this mark.
    """
    mark = getattr(inspect, "markcoroutinefunction", None)
    if mark is not None:
        mark(function)
    else:
        # Python 3.11 has no public function for this. Set the attribute that `asyncio.iscoroutinefunction` checks,
        # because unittest.mock calls that function.
        setattr(function, "_is_coroutine", getattr(asyncio.coroutines, "_is_coroutine", None))
    return function
