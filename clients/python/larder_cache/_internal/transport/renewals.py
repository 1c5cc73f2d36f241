"""Waits for a provider's first token, or for a newer token after a token was rejected (AUTH-30 to AUTH-33)."""

from __future__ import annotations

import asyncio

from larder_cache._internal.configuration.token_source import TokenSource
from larder_cache._internal.operations.call import Call
from larder_cache.errors import CANCELLED, DEADLINE_EXCEEDED, UNAUTHENTICATED, ErrorCode, Failure

# Appended to the server's message. That message names the gRPC metadata, but applications set the token in the
# credentials.
_FIXED = "; set the token in the credentials: http[s]://token@host, for example in LARDER_URL"
_PROVIDED = "; the token comes from the token provider"


# The maximum number of times that a call is sent again with a newer token. Once may not be enough, because the call may
# be rejected again if it is sent on a stream that was being opened with the older token. More attempts do not help.
_MOST_RENEWALS = 4


def first_token(call: Call) -> None:
    """Start a call that has its permit when there is no token yet.

    The call gets a Failure with `shown` 0. The call runner then waits for the first token and sends the call.
    """
    if not call.future.done():
        call.future.set_result(Failure(UNAUTHENTICATED, "", not_executed=True, shown=0))


class Renewals:
    """Waits for another token after a call was rejected, and provides the error if there is none."""

    def __init__(self, tokens: TokenSource | None) -> None:
        """Create the object for one client.

        Args:
            tokens: The tokens of a provider. None if there is no provider. In that case no call waits.
        """
        self._tokens = tokens
        self.hint = _FIXED if tokens is None else _PROVIDED

    def wanted(self, failure: Failure, renewals: int = 0) -> bool:
        """Return whether another token may help a call that was already sent again `renewals` times.

        Any call may be sent again, because the server rejected it before executing any part of it (AUTH-3).
        """
        tokens = self._tokens
        if tokens is None or failure.status != UNAUTHENTICATED or failure.shown is None:
            return False
        return renewals == 0 or (renewals < _MOST_RENEWALS and failure.shown < tokens.version)

    async def begin(self, timeout_s: float) -> bool:
        """Wait for the first token. Returns False on timeout, or if the provider returns no valid token."""
        if self._tokens is None or self._tokens.version:
            return True
        try:
            async with asyncio.timeout(timeout_s):
                return await self._tokens.newer_than(0) is None
        except TimeoutError:
            return False

    async def after(self, deadline: float, refused: Failure) -> Failure | None:
        """Wait for a newer token within the deadline of a call. Returns None to send the call again, or the failure."""
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
