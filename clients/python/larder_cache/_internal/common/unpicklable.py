"""Prevents pickling of objects that belong to one process, because they have connections, threads or locks."""

from __future__ import annotations

from typing import Any, NoReturn, SupportsIndex


class Unpicklable:
    """Rejects pickle and copy with a helpful message.

    Without this class, Python's message would only name some lock, or the copy would contain a token.
    """

    __slots__ = ()

    def __reduce_ex__(self, protocol: SupportsIndex, /) -> NoReturn:
        kind: Any = type(self)
        raise TypeError(
            f"{kind.__module__}.{kind.__qualname__} cannot be pickled or copied, because it belongs to this process; "
            "create a client in each process, from a CredentialProvider and a Configuration, which can be pickled"
        )
