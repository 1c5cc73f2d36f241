"""Several servers, of which one has the near stream: gets that may be kept go there (NEAR-20)."""

from __future__ import annotations

from typing import Any

from larder_cache._internal.gateways.front import Front
from larder_cache._internal.gateways.front_set import FrontSet
from larder_cache._internal.near.near_reads import NearReads
from larder_cache._internal.operations import pipeline_codec as codec
from larder_cache._internal.operations._generated.operations import GET
from larder_cache._internal.operations.call import Call


def front_set(near: NearReads | None, *arguments: Any, **named: Any) -> FrontSet:
    """Return a FrontSet, for a client with a near cache or without."""
    return FrontSet(*arguments, **named) if near is None else NearFrontSet(near, *arguments, **named)


class NearFrontSet(FrontSet):
    """Chooses as any FrontSet, but for the first attempt of such a get."""

    def __init__(self, near: NearReads, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, near=near, **named)
        self._near = near

    def _choose(self, call: Call) -> Front | None:
        if call.operation is GET and not call.attempts and self._near.has_stream:
            front = self._near_front()
            if front is not None and self._near.settings.covers(call.cache, codec.read_key(call.payload)):
                return front
        return super()._choose(call)

    def _near_front(self) -> Front | None:
        """The front that has the near stream, where it takes calls. Others that are lost are connected meanwhile."""
        now, found = self._loop.time(), None
        for front in self.fronts:
            if not front.ready(True):
                self._connect(front)
            elif front.pipeline.is_near and front.health.aside_until <= now:
                found = front
        return found
