"""Background work that outlives the call that started it, and so does not keep that call's contextvars."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import Context
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def detached(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Call a function in an empty context: the tasks and timers that it creates begin with none of the caller's.

    Not by a `context=` of create_task, which task factories of programs need not take.
    """
    return Context().run(function, *args, **kwargs)
