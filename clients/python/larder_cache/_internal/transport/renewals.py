"""Calls that wait for a provider's token: the first one, or a newer one than the rejected (AUTH-30 to AUTH-33)."""

from __future__ import annotations

import asyncio

from larder_cache._internal.configuration.token_source import TokenSource
from larder_cache._internal.operations.call import Call
from larder_cache.errors import CANCELLED, DEADLINE_EXCEEDED, UNAUTHENTICATED, ErrorCode, Failure

# The server's text names the metadata; the caller set credentials.
_FIXED = "; set the token in the credentials: http[s]://token@host, for example in LARDER_URL"
_PROVIDED = "; the token comes from the token provider"


# A call may be rejected with the current token, and again with the older token of a stream that was being opened
# meanwhile. More rejections do not help.
_MOST_RENEWALS = 4


def first_token(call: Call) -> None:
    """Make a call that got its permit wait for the first token before it is sent."""
    if not call.future.done():
        call.future.set_result(Failure(UNAUTHENTICATED, "", not_executed=True, shown=0))


class Renewals:
    """Resends a call once with another token, and provides the error if there is none."""

    def __init__(self, tokens: TokenSource | None) -> None:
        """`tokens`: those of a provider; None: there is none, and nobody waits."""
        self._tokens = tokens
        self.hint = _FIXED if tokens is None else _PROVIDED

    def wanted(self, failure: Failure, renewals: int = 0) -> bool:
        """Return whether another token may help a call that was already resent `renewals` times.

        It was rejected before any of it ran (AUTH-3), so any call may be resent.
        """
        tokens = self._tokens
        if tokens is None or failure.status != UNAUTHENTICATED or failure.shown is None:
            return False
        return renewals == 0 or (renewals < _MOST_RENEWALS and failure.shown < tokens.version)

    async def begin(self, timeout_s: float) -> bool:
        """Wait for the first token. Returns False on timeout, or if there is none."""
        if self._tokens is None or self._tokens.version:
            return True
        try:
            async with asyncio.timeout(timeout_s):
                return await self._tokens.newer_than(0) is None
        except TimeoutError:
            return False

    async def after(self, deadline: float, refused: Failure) -> Failure | None:
        """Wait for a newer token within a call's deadline. Returns None to resend the call, or the failure."""
        if self._tokens is None:
            return refused
        try:
            async with asyncio.timeout_at(deadline):
                missing = await self._tokens.newer_than(refused.shown or 0)
        except TimeoutError:
            why = "the deadline passed before the token provider returned"
            return Failure(DEADLINE_EXCEEDED, why, code=ErrorCode.TIMEOUT)
        if self._tokens.closed:
            return Failure(CANCELLED, "the client was closed", code=ErrorCode.CANCELLED)
        if missing is None:
            return None
        message = "; ".join(part for part in (refused.message, missing.message) if part)
        return Failure(UNAUTHENTICATED, message, refused.cause, exception=missing.exception)
