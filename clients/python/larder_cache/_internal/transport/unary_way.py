"""The start of a call that is not pipelined."""

from __future__ import annotations

from larder_cache._internal.operations.call import Call
from larder_cache._internal.transport.pipeline_result import USE_UNARY
from larder_cache.errors import UNAVAILABLE, Failure

# What has a call that is not pipelined go on, as what the server says of a large answer does.
_UNARY = Failure(UNAVAILABLE, "it travels unary", USE_UNARY, not_executed=True)


def go_unary(call: Call) -> None:
    """Let a call go on that has its permit and is not pipelined. One that ended meanwhile gives it back itself."""
    if not call.future.done():
        call.future.set_result(_UNARY)
