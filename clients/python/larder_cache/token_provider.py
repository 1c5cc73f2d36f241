"""What gives a token, where it is not the same for ever."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

# Given nothing: the token, now or once awaited. Printable ASCII without spaces, not empty.
TokenFunction = Callable[[], str | Awaitable[str]]


class TokenFileError(Exception):
    """Why a token's file gave none, in words that may be told."""


class TokenProvider:
    """Gives the token: asked before the first call, and again when the server refuses what it gave (AUTH-30).

    A function that blocks runs on a thread of its own, one made by `async def` on the event loop of whoever asks. What
    it raises is the `exception` of the call's error, and in no text.
    """

    __slots__ = ("_function",)

    def __init__(self, function: TokenFunction) -> None:
        """`function`: given nothing, returns the token, or an awaitable of it."""
        if not callable(function):
            raise TypeError("a token is a text, or a function that gives it")
        self._function = function

    @staticmethod
    def from_file(path: str | Path) -> TokenProvider:
        """A file that holds the token alone; white space around it is left out. It is read anew each time."""

        def read() -> str:
            try:
                return Path(path).read_text("utf-8").strip()
            except (OSError, ValueError) as error:
                why = error.strerror if isinstance(error, OSError) else "it is no text"
                raise TokenFileError(f"the token's file {str(path)!r} cannot be read: {why}") from None

        return TokenProvider(read)

    async def ask(self) -> object:
        """Return what the function gives, whatever it is. Raises what it raises."""
        if inspect.iscoroutinefunction(self._function):
            return await self._function()
        answer = await _on_a_thread(self._function)
        return await answer if inspect.isawaitable(answer) else answer


async def _on_a_thread(function: Callable[[], Any]) -> Any:
    """Run a function that may block for ever: on a thread that no exit of the process waits for."""
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
            pass  # The event loop was closed: nobody waits.

    run_here = contextvars.copy_context().run
    threading.Thread(target=run_here, args=(run,), daemon=True, name="larder: token provider").start()
    answer, error = await done
    if error is not None:
        raise error
    return answer
