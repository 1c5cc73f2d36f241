"""Notifies the near cache of the end of each call, before the caller gets the response (NEAR-22)."""

from __future__ import annotations

from typing import Any

from larder_cache._internal.near.near_reads import NearReads
from larder_cache._internal.operations.call import Call
from larder_cache._internal.telemetry.telemetry import CallListener
from larder_cache.responses import Error


class NearEndListener:
    """Is notified when a call of one event loop ends. Also notifies the next listener."""

    __slots__ = ("_near", "_next")

    def __init__(self, near: NearReads, next_listener: CallListener | None) -> None:
        self._near = near
        self._next = next_listener

    def ended(self, call: Call, response: Any) -> None:
        """Record the end of a call.

        A successful near get is not recorded again, because its response was recorded when it was received.
        """
        get = getattr(call, "near", None)
        if get is None or get.in_flight or response is None or response.__class__ is Error:
            self._near.ended(call.operation, call.cache, call.payload, get)
        if self._next is not None:
            self._next.ended(call, response)
