"""The provider's current token, and the decision when to request another token."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from time import monotonic

from larder_cache.token_provider import TokenFileError, TokenProvider

# AUTH-31: the minimum time between two requests to the provider, even if a server rejects every token.
_PAUSE_S = 1.0
# AUTH-32: a request to the provider is abandoned after this time, so the next call can start another request. The time
# is longer than the default deadline of a call (5 s), because a token may come from a slow service.
_PATIENCE_S = 30.0
# AUTH-33: the maximum length of a token. Source: a server limits all headers together to 64 KB, and a token is one of
# several headers.
_MOST_CHARACTERS = 16_384

_TOKEN = re.compile(r"[\x21-\x7e]+")


@dataclass(slots=True, frozen=True)
class NoToken:
    """The reason why there is no new token.

    `message` does not contain the token. It is empty if the provider returned the same token again.
    """

    message: str = ""
    exception: BaseException | None = field(default=None, repr=False)


class TokenSource:
    """Requests tokens from a provider. Thread-safe, and usable from several event loops.

    Callers that wait for a token at the same time share one request (AUTH-31).
    """

    def __init__(self, provider: TokenProvider, clock: Callable[[], float] = monotonic) -> None:
        """Create the source. Does not request a token.

        Args:
            provider: The token provider.
            clock: Returns the time of a monotonic clock in seconds.
        """
        self._provider = provider
        self._clock = clock
        self.token = ""
        # The version of the token. It increases with each new token. 0 means that there is no token yet.
        self.version = 0
        self.closed = False
        self.after_fork()

    def after_fork(self) -> None:
        """Reset the state in a forked child process (forks.Forked). The token is kept."""
        self._lock = threading.Lock()
        self._asking: Future[None] | None = None
        self._task: asyncio.Task[None] | None = None
        self._given_up_at = 0.0
        self._not_before = 0.0
        self._missing = NoToken()

    async def newer_than(self, shown: int) -> NoToken | None:
        """Wait for a token that is newer than version `shown`. Request one if the last request was long enough ago.

        Returns None if there is a newer token, otherwise the reason for its absence.
        """
        with self._lock:
            if self.version > shown:
                return None
            if self.closed:
                return NoToken("the client is closed")
            now = self._clock()
            if self._asking is not None and now >= self._given_up_at:
                # The event loop was closed during the request to the provider.
                self._finish(self._asking, None, NoToken("the event loop that requested the token was closed"))
            asking = self._asking
            if asking is None and now >= self._not_before:
                asking = self._asking = Future()
                self._given_up_at = now + _PATIENCE_S + _PAUSE_S
                self._task = asyncio.get_running_loop().create_task(self._ask(asking), name="larder: request a token")
        if asking is not None:
            await asyncio.shield(asyncio.wrap_future(asking))
        return None if self.version > shown else self._missing

    async def _ask(self, asking: Future[None]) -> None:
        token: object = None
        missing = NoToken("the token provider was interrupted")
        patience = asyncio.timeout(_PATIENCE_S)
        try:
            async with patience:
                token = await self._provider.ask()
            missing = token_error(token)
        except Exception as raised:
            if patience.expired():
                missing = NoToken(f"the token provider did not return within {_PATIENCE_S:g} s")
            elif isinstance(raised, TokenFileError):
                missing = NoToken(str(raised), raised)
            else:
                # Do not include the exception's text, because it may contain the token.
                missing = NoToken(f"the token provider raised {type(raised).__name__}", raised)
        finally:
            with self._lock:
                self._finish(asking, token, missing)

    def _finish(self, asking: Future[None], token: object, missing: NoToken | None) -> None:
        """End a request and wake its waiters. The caller must have the lock.

        Does nothing if the request is no longer the current one.
        """
        if self._asking is not asking:
            return
        self._asking = self._task = None
        is_first = self.version == 0
        self._missing = missing or NoToken()
        if missing is None and isinstance(token, str) and token != self.token:
            self.token = token
            self.version += 1
        # No pause follows the first token. It may already be outdated, so another request may be needed immediately.
        self._not_before = 0.0 if is_first and missing is None else self._clock() + _PAUSE_S
        asking.set_result(None)

    def close(self) -> None:
        """Stop requesting tokens. The result of a running request is discarded."""
        with self._lock:
            self.closed = True
            task = self._task
            if self._asking is not None:
                self._finish(self._asking, None, NoToken("the client was closed"))
        if task is not None:
            try:
                task.get_loop().call_soon_threadsafe(task.cancel)
            except RuntimeError:
                pass  # The event loop was closed, and the request has ended with it.


def token_error(token: object) -> NoToken | None:
    """Return the reason why a provider's result is not a valid token, or None if it is valid."""
    if not isinstance(token, str):
        return NoToken(f"the token provider must return str, not {type(token).__name__}")
    if not token:
        return NoToken("the token provider returned an empty token")
    if len(token) > _MOST_CHARACTERS:
        return NoToken(
            f"the token provider returned {len(token):,} characters; at most {_MOST_CHARACTERS:,} are allowed"
        )
    if not _TOKEN.fullmatch(token):
        return NoToken(
            "the token provider returned a token that is not printable ASCII (for example with a line break)"
        )
    return None


class CallMetadata:
    """The metadata of each call: the headers, and the token unless the headers contain one."""

    __slots__ = ("_fixed", "_tokens")

    def __init__(self, token: str, headers: Mapping[str, str], tokens: TokenSource | None = None) -> None:
        """Combine the token and the headers.

        Args:
            token: A fixed token. Ignored if `tokens` is set.
            headers: The headers.
            tokens: The source of changing tokens, if any.
        """
        own = {"authorization": token} if token and tokens is None else {}
        self._fixed = list((own | dict(headers)).items())
        self._tokens = tokens

    @property
    def version(self) -> int | None:
        """The version of the provider's token, or None if there is no provider."""
        return None if self._tokens is None else self._tokens.version

    def pairs(self) -> list[tuple[str, str]]:
        """Return the current metadata as pairs of name and value."""
        tokens = self._tokens
        if tokens is None or not tokens.version:
            return self._fixed
        return [("authorization", tokens.token), *self._fixed]
