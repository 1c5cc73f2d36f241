"""Handlers for forked children, which have their parent's memory but neither its threads nor its connections."""

from __future__ import annotations

import os
import weakref
from typing import Any, Protocol


class Forked(Protocol):
    """Something that holds connections, threads or locks."""

    def after_fork(self) -> None:
        """Reset in the child. Keep or release the parent's resources without affecting the parent."""


_all: weakref.WeakSet[Any] = weakref.WeakSet()
# Event loops and what belongs to them: collecting them would remove the parent's sockets from its epoll.
_of_the_parent: list[object] = []


def tell(who: Forked) -> None:
    """Register a handler that runs in each child. Keeps only a weak reference."""
    _all.add(who)


def keep(what: object) -> None:
    """Keep an object of the parent alive forever."""
    _of_the_parent.append(what)


def _forked() -> None:
    for each in list(_all):
        each.after_fork()


os.register_at_fork(after_in_child=_forked)
