"""Starts background work that outlives the call that started it. The work does not keep that call's contextvars."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import Context
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def detached(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Call a function in an empty context, so that its tasks and timers do not inherit the caller's context.

    The argument `context` of create_task is not used, because custom task factories may not support it.
    """
    return Context().run(function, *args, **kwargs)
