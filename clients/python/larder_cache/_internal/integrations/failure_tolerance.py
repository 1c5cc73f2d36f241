"""Decides how a framework's cache treats an unreachable server: as an error, or as misses."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, TypeVar

from larder_cache._internal.blocking.background_loop import run_on_any_thread
from larder_cache._internal.common import log
from larder_cache.errors import CacheError, ErrorCode

T = TypeVar("T")


_DOWN = (ErrorCode.UNAVAILABLE, ErrorCode.TIMEOUT, ErrorCode.CLIENT_OVERLOADED)


class FailureTolerance:
    """Runs the calls of one backend.

    With `misses_when_down`, an unreachable server is treated as empty and logged once.
    """

    def __init__(self, *, misses_when_down: bool) -> None:
        self._lenient = misses_when_down
        self._said_down = False

    def answer(self, work: Coroutine[Any, Any, T], down: T) -> T:
        """Run a coroutine of a blocking client in this thread.

        Args:
            work: The coroutine.
            down: The result if the server is unreachable and `misses_when_down` is set.

        Raises:
            CacheError: The call failed for another reason, or the server is unreachable and `misses_when_down` is not
                set.
        """
        try:
            answer = run_on_any_thread(work)
        except CacheError as error:
            if not self._lenient or error.code not in _DOWN:
                raise
            if not self._said_down:
                self._said_down = True
                log.server_down(error.code, error.message)
            return down
        if self._said_down:
            self._said_down = False
            log.server_up()
        return answer
