"""One call of a user, from its first wait to its last attempt."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from larder_cache._internal.operations.operation import Operation

if TYPE_CHECKING:
    from larder_cache._internal.near.near_get import NearGet


class Call:
    """What an attempt needs to know. `future` gets the attempt's response, or a Failure; it never raises."""

    __slots__ = (
        *("operation", "cache", "payload", "started", "deadline", "future"),
        *("number", "waiting", "permit", "attempts", "start", "sent", "expire"),
        # Of several gateways the one of the last attempt; never set where there are not several.
        "gateway",
        # The near get that its last attempt was, if it was one; never set where there is no near cache.
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
        # What sends it once it has its permit.
        self.start = start
        # Its id on the stream, −1 where it is on none.
        self.number = -1
        # Whether it waits in the limiter's queue, and whether it holds a permit.
        self.waiting = False
        self.permit = False
        # Sends so far.
        self.attempts = 0
        # When it was first sent; 0: not yet.
        self.sent = 0.0
        # Ends its unary attempt because its deadline passed; None: none is under way.
        self.expire: Callable[[], None] | None = None

    def admit(self) -> None:
        """Take the permit, and be sent."""
        self.permit = True
        self.start(self)
