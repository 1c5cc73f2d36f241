"""One call of a user, from its first wait to its last attempt."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from larder_cache._internal.operations.operation import Operation

if TYPE_CHECKING:
    from larder_cache._internal.near.near_get import NearGet


class Call:
    """The state that attempts need. `future` receives the response or a Failure; it never raises."""

    __slots__ = (
        *("operation", "cache", "payload", "started", "deadline", "future"),
        *("number", "waiting", "permit", "attempts", "start", "sent", "expire"),
        # The gateway of the last attempt; never set with a single server.
        "gateway",
        # The near get of the last attempt; never set without a near cache.
        "near",
    )

    gateway: object
    near: NearGet | None

    def __init__(
        self,
        operation: Operation[Any],
        cache: str,
        payload: bytes,
        started: float,
        deadline: float,
        future: asyncio.Future[Any],
        start: Callable[[Call], None],
    ) -> None:
        self.operation = operation
        self.cache = cache
        self.payload = payload
        # Times of the event loop's clock, in seconds.
        self.started = started
        self.deadline = deadline
        self.future = future
        # Sends the call once it has its permit.
        self.start = start
        # Its id on the stream; −1: it is on none.
        self.number = -1
        # Whether it waits in the limiter's queue, and whether it holds a permit.
        self.waiting = False
        self.permit = False
        # The number of attempts so far.
        self.attempts = 0
        # When it was first sent; 0: not yet.
        self.sent = 0.0
        # Ends its unary attempt when its deadline passes; None: no attempt is running.
        self.expire: Callable[[], None] | None = None

    def admit(self) -> None:
        """Take the permit and send the call."""
        self.permit = True
        self.start(self)
