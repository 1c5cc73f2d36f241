"""The token that a provider gave, and when to ask for another."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from time import monotonic

from larder_cache.token_provider import TokenFileError, TokenProvider

# AUTH-31: a server that goes on refusing has the provider asked no more often.
_PAUSE_S = 1.0
# AUTH-32: an answer that takes longer is given up, so that the next call can ask again. Longer than any call's deadline
# by default (5 s), as a token may come from a slow service.
_PATIENCE_S = 30.0
# AUTH-33. Source: a server's own limit on headers is 64 KB, and a token is one of several.
_MOST_CHARACTERS = 16_384

_TOKEN = re.compile(r"[\x21-\x7e]+")


@dataclass(slots=True, frozen=True)
class NoToken:
    """Why there is no other token, in words without it; empty: the provider gave the same again."""

    message: str = ""
    exception: BaseException | None = field(default=None, repr=False)


class TokenSource:
    """Whoever waits for a token shares one question (AUTH-31). Safe for threads, and for several event loops."""

    def __init__(self, provider: TokenProvider, clock: Callable[[], float] = monotonic) -> None:
        """`clock`: seconds that never go back."""
        self._provider = provider
        self._clock = clock
        self.token = ""
        # Of the token: each other one has the next number. 0: there is none yet.
        self.version = 0
        self.closed = False
        self.after_fork()

    def after_fork(self) -> None:
        """Begin anew, in a forked child (forks.Forked): the token stays."""
        self._lock = threading.Lock()
        self._asking: Future[None] | None = None
        self._task: asyncio.Task[None] | None = None
        self._given_up_at = 0.0
        self._not_before = 0.0
        self._missing = NoToken()

    async def newer_than(self, shown: int) -> NoToken | None:
        """Wait for another token than number `shown`, asking where that is not too soon. None: there is one."""
        with self._lock:
            if self.version > shown:
                return None
            if self.closed:
                return NoToken("the client is closed")
            now = self._clock()
            if self._asking is not None and now >= self._given_up_at:
                # Its event loop was closed in the middle.
                self._finish(self._asking, None, NoToken("the event loop that asked for the token is gone"))
            asking = self._asking
            if asking is None and now >= self._not_before:
                asking = self._asking = Future()
                self._given_up_at = now + _PATIENCE_S + _PAUSE_S
                self._task = asyncio.get_running_loop().create_task(self._ask(asking), name="larder: ask for a token")
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
            missing = why_no_token(token)
        except Exception as raised:
            if patience.expired():
                missing = NoToken(f"the token provider did not answer in {_PATIENCE_S:g} s")
            elif isinstance(raised, TokenFileError):
                missing = NoToken(str(raised), raised)
            else:
                # Its text may have the token.
                missing = NoToken(f"the token provider raised {type(raised).__name__}", raised)
        finally:
            with self._lock:
                self._finish(asking, token, missing)

    def _finish(self, asking: Future[None], token: object, missing: NoToken | None) -> None:
        """Under the lock: whoever waits goes on. What comes after another was asked, or after the end, is nothing."""
        if self._asking is not asking:
            return
        self._asking = self._task = None
        is_first = self.version == 0
        self._missing = missing or NoToken()
        if missing is None and isinstance(token, str) and token != self.token:
            self.token = token
            self.version += 1
        # The first token may be out of date when it comes: it does not count.
        self._not_before = 0.0 if is_first and missing is None else self._clock() + _PAUSE_S
        asking.set_result(None)

    def close(self) -> None:
        """Ask no more; what still comes is thrown away."""
        with self._lock:
            self.closed = True
            task = self._task
            if self._asking is not None:
                self._finish(self._asking, None, NoToken("the client was closed"))
        if task is not None:
            try:
                task.get_loop().call_soon_threadsafe(task.cancel)
            except RuntimeError:
                pass  # Its event loop was closed, and it with it.


def why_no_token(token: object) -> NoToken | None:
    """Say why what a provider gave is no token; None: it is one."""
    if not isinstance(token, str):
        return NoToken(f"the token provider gave {'None' if token is None else f'a {type(token).__name__}'}, no text")
    if not token:
        return NoToken("the token provider gave an empty token")
    if len(token) > _MOST_CHARACTERS:
        return NoToken(f"the token provider gave {len(token):,} characters; a token has at most {_MOST_CHARACTERS:,}")
    if not _TOKEN.fullmatch(token):
        return NoToken("the token provider gave characters that are not printable ASCII (a line break, say)")
    return None


class CallMetadata:
    """What travels beside each call: the token, where the headers have none, and the headers."""

    __slots__ = ("_fixed", "_tokens")

    def __init__(self, token: str, headers: Mapping[str, str], tokens: TokenSource | None = None) -> None:
        """`tokens`: gives the token instead of `token`."""
        own = {"authorization": token} if token and tokens is None else {}
        self._fixed = list((own | dict(headers)).items())
        self._tokens = tokens

    @property
    def version(self) -> int | None:
        """The number of the provider's token; None: there is no provider."""
        return None if self._tokens is None else self._tokens.version

    def pairs(self) -> list[tuple[str, str]]:
        """Return names and values as they are now."""
        tokens = self._tokens
        if tokens is None or not tokens.version:
            return self._fixed
        return [("authorization", tokens.token), *self._fixed]
