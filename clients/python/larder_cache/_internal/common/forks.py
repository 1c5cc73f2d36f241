"""What to do in a child after a fork: it has its parent's memory, but neither its threads nor its connections."""

from __future__ import annotations

import os
import weakref
from typing import Any, Protocol


class Forked(Protocol):
    """Something that holds connections, threads or locks."""

    def after_fork(self) -> None:
        """Begin anew, in the child. What was the parent's is kept or let go so that the parent does not notice."""


_all: weakref.WeakSet[Any] = weakref.WeakSet()
# Event loops and what belongs to them: to collect them would take the parent's sockets out of the parent's poll.
_of_the_parent: list[object] = []


def tell(who: Forked) -> None:
    """Have `who` told in each child. It is held weakly."""
    _all.add(who)


def keep(what: object) -> None:
    """Never collect what is the parent's."""
    _of_the_parent.append(what)


def _forked() -> None:
    for each in list(_all):
        each.after_fork()


os.register_at_fork(after_in_child=_forked)
