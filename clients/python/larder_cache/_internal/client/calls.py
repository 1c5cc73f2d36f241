"""Who runs a client's calls: in which thread they wait, and over whose connections they travel."""

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
    """`LoopCalls`, `BlockingCalls` or `CrossLoopCalls`. Arguments were checked: what is run does not raise for them."""

    credentials: CredentialProvider
    configuration: Configuration
    # The client's near cache; None: it has none.
    near: NearReads | None

    @property
    def flights(self) -> SingleFlight[tuple[str, bytes], bytes]:
        """Loads under way by `get_or_set`, by cache and key: all handles of a client share them."""
        ...

    @property
    def run(self) -> Callable[..., Coroutine[Any, Any, Any]]:
        """Runs a call, given (operation, cache, payload, timeout_s) as CallRunner.run."""
        ...

    async def run_each(
        self, operation: Operation[Any], cache: str, payloads: list[bytes], timeout_s: float | None = None
    ) -> list[Any]:
        """Run a call for each payload, all at once: one round trip, as far as the cap lets them."""
        ...

    def follow(self, wanted: Wanted, buffer: TopicBuffer) -> None:
        """Begin a subscription. Its events, and how it ends, come by the buffer."""

    async def gone(self, buffer: TopicBuffer) -> None:
        """Wait until what a buffer's subscription held is let go."""

    async def connect(self, timeout_s: float) -> bool:
        """Connect before the first call. False: not within the time."""
        ...

    async def aclose(self) -> None:
        """End the calls in flight with CANCELLED and close the connections."""

    def statistics(self) -> ClientStatistics:
        """What is held now."""
        ...

    def held(self) -> dict[str, int]:
        """What must be nothing once every call has ended, by name."""
        ...


# Makes the calls of a client from its credentials, its configuration, and who is told of them.
CallsMaker = Callable[[CredentialProvider, Configuration, Observers | None], Calls]


async def answered(response: R) -> R:
    """A call that is answered without being sent."""
    return response


def is_coroutine_function(function: F) -> F:
    """Mark a function that returns a coroutine as what `async def` makes, for mocks and frameworks that ask."""
    mark = getattr(inspect, "markcoroutinefunction", None)
    if mark is not None:
        mark(function)
    else:
        # Python 3.11 has only the mark of asyncio's own `iscoroutinefunction`, which unittest.mock asks.
        setattr(function, "_is_coroutine", getattr(asyncio.coroutines, "_is_coroutine", None))
    return function
