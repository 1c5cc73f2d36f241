"""One call of the application, from its first wait to its last attempt."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from larder_cache._internal.operations.operation import Operation

if TYPE_CHECKING:
    from larder_cache._internal.near.near_get import NearGet


class Call:
    """The state of a call. All attempts of the call share it.

    `future` receives the response or a Failure. It never raises unless it is cancelled.
    """

    __slots__ = (
        *("operation", "cache", "payload", "started", "deadline", "future"),
        *("number", "waiting", "permit", "attempts", "start", "sent", "expire"),
        # The gateway of the last attempt. Never set if there is only one server.
        "gateway",
        # The near get of the last attempt. Never set without a near cache.
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
        # Times in seconds of the event loop's clock.
        self.started = started
        self.deadline = deadline
        self.future = future
        # Sends the call once it has its permit.
        self.start = start
        # The id of the call on its stream, or -1 if it is not on a stream.
        self.number = -1
        # Whether the call waits in the limiter's queue, and whether it has a permit.
        self.waiting = False
        self.permit = False
        # The number of attempts so far.
        self.attempts = 0
        # The time at which the call was first sent. 0 means that it was not sent yet.
        self.sent = 0.0
        # Ends the unary attempt when the call's deadline passes. None means that no unary attempt is running.
        self.expire: Callable[[], None] | None = None

    def admit(self) -> None:
        """Take the permit and send the call."""
        self.permit = True
        self.start(self)
