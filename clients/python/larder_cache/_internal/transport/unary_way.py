"""Starts calls that are not pipelined."""

from __future__ import annotations

from larder_cache._internal.operations.call import Call
from larder_cache._internal.transport.pipeline_result import USE_UNARY
from larder_cache.errors import UNAVAILABLE, Failure

# A failure that makes a call continue over the unary transport. A server's announcement of a large response has the
# same effect.
_UNARY = Failure(UNAVAILABLE, "the call is sent as a unary request", USE_UNARY, not_executed=True)


def start_unary(call: Call) -> None:
    """Let a call that has its permit continue over the unary transport.

    A call that has already ended returns its permit itself.
    """
    if not call.future.done():
        call.future.set_result(_UNARY)
