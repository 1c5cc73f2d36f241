"""Detects gevent and eventlet. They replace Python's threads or sockets, which the clients do not support."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

# For each library: its name, the module that patches, the function that reports whether a module is patched, and the
# module names that matter. An event loop on a green thread blocks other green threads or is blocked by them.
_PATCHERS = (
    ("gevent", "gevent.monkey", "is_module_patched", ("threading", "socket", "select")),
    ("eventlet", "eventlet.patcher", "is_monkey_patched", ("thread", "socket", "select")),
)


def unsupported() -> str | None:
    """Return why the clients do not work in this process and what to do, or None if they work."""
    for library, module, question, names in _PATCHERS:
        # Check only a module that the program has already imported.
        is_patched: Callable[[str], Any] | None = getattr(sys.modules.get(module), question, None)
        if is_patched is not None and any(is_patched(name) for name in names):
            return (
                f"larder_cache does not work with the monkey patching of {library}; use workers with real threads or"
                " processes instead, for example gunicorn --worker-class gthread, or celery --pool threads"
            )
    return None


def check() -> None:
    """Raise RuntimeError if the clients do not work in this process."""
    if (why := unsupported()) is not None:
        raise RuntimeError(why)
