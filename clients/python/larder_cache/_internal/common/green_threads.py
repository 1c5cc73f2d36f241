"""Detects gevent and eventlet. They replace Python's threads or sockets, which the clients do not support."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

# The libraries that patch Python's modules. Each entry contains:
# - The name of the library.
# - Its module that applies the patches.
# - The function that reports whether a module is patched.
# - The modules that must not be patched, because an event loop and green threads would block each other.
_PATCHERS = (
    ("gevent", "gevent.monkey", "is_module_patched", ("threading", "socket", "select")),
    ("eventlet", "eventlet.patcher", "is_monkey_patched", ("thread", "socket", "select")),
)


def unsupported() -> str | None:
    """Return an error message if the clients do not work in this process, or None if they work."""
    for library, module, question, names in _PATCHERS:
        # Do not import the library. A library that is not imported has not patched anything.
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
