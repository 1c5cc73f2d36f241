"""Providers of tokens that change over time."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

# A function that returns the token or an awaitable of the token. A token is not empty and consists of printable ASCII
# without spaces.
TokenFunction = Callable[[], str | Awaitable[str]]


class TokenFileError(Exception):
    """A token file could not be read. The message contains the path and the reason, but no token."""


class TokenProvider:
    """Provides tokens that change over time.

    A client asks the provider before its first call, and again when the server rejects the token (AUTH-30).

    A plain function may block, so it runs in its own thread. A coroutine function runs on the event loop that needs the
    token. An exception that the function raises becomes the `exception` of the call's error. No error message
    contains the exception's text.
    """

    __slots__ = ("_function",)

    def __init__(self, function: TokenFunction) -> None:
        """Wrap a function.

        Args:
            function: Takes no arguments and returns the token or an awaitable of the token.
        """
        if not callable(function):
            raise TypeError("the token must be str or a function that returns the token")
        self._function = function

    @staticmethod
    def from_file(path: str | Path) -> TokenProvider:
        """Return a provider that reads a file each time a client requests the token.

        The file contains only the token. Surrounding whitespace is ignored.
        """

        def read() -> str:
            try:
                return Path(path).read_text("utf-8").strip()
            except (OSError, ValueError) as error:
                why = error.strerror if isinstance(error, OSError) else "the file is not UTF-8 text"
                raise TokenFileError(f"the token file {str(path)!r} cannot be read: {why}") from None

        return TokenProvider(read)

    async def ask(self) -> object:
        """Call the function and return its result without validation. Raises the exceptions of the function."""
        if inspect.iscoroutinefunction(self._function):
            return await self._function()
        answer = await _on_a_thread(self._function)
        return await answer if inspect.isawaitable(answer) else answer


async def _on_a_thread(function: Callable[[], Any]) -> Any:
    """Run a function in a daemon thread.

    The function may block forever. The exit of the process does not wait for a daemon thread.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[tuple[Any, BaseException | None]] = loop.create_future()

    def tell(answer: Any, error: BaseException | None) -> None:
        if not done.done():
            done.set_result((answer, error))

    def run() -> None:
        answer, error = None, None
        try:
            answer = function()
        except BaseException as raised:
            error = raised
        try:
            loop.call_soon_threadsafe(tell, answer, error)
        except RuntimeError:
            pass  # The event loop was closed, so no task waits for the result.

    run_here = contextvars.copy_context().run
    threading.Thread(target=run_here, args=(run,), daemon=True, name="larder: token provider").start()
    answer, error = await done
    if error is not None:
        raise error
    return answer
