"""Runs handlers in forked child processes.

A child has its parent's memory, but neither its threads nor its connections.
"""

from __future__ import annotations

import os
import weakref
from typing import Any, Protocol


class Forked(Protocol):
    """An object with connections, threads or locks that must be reset in a forked child process."""

    def after_fork(self) -> None:
        """Reset the state in the child. Keep or release the parent's resources without affecting the parent."""


_all: weakref.WeakSet[Any] = weakref.WeakSet()
# Event loops of the parent and the objects that use them. They are kept alive, because collecting an event loop in the
# child would remove the parent's sockets from the shared epoll instance.
_of_the_parent: list[object] = []


def tell(who: Forked) -> None:
    """Register an object whose `after_fork` runs in each forked child. Only a weak reference is kept."""
    _all.add(who)


def keep(what: object) -> None:
    """Keep an object of the parent alive forever."""
    _of_the_parent.append(what)


def _forked() -> None:
    for each in list(_all):
        each.after_fork()


os.register_at_fork(after_in_child=_forked)
