"""`FactoryContext`: what a factory of `get_or_set_with_context` knows, and how it wants its result to be stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from larder_cache._internal.operations.arguments import Key
from larder_cache.ttl import Ttl

V = TypeVar("V")


class FactoryContext(Generic[V]):
    """The context of one call of a factory. The client reads it when the factory has returned.

    Attributes:
        ttl: The time to live of the result, above 0 and at most 365 days. None selects `ttl_of` or the time to live of
            the call. If it is invalid, the call fails as if the factory had raised.
        tags: Tags of the result, in addition to those of the options: at most 128 together, each of 1 to 1,024 bytes.
            If they are invalid, the call fails as if the factory had raised.
        etag: Identifies the version of the result at its source, for example by the ETag or Last-Modified header of an
            HTTP response: at most 1,024 bytes in UTF-8. It is stored with the result and is the `stale_etag` of a later
            context, if the result is kept after its expiry. If it is None, an unmodified value keeps its ETag, and a
            new value has none.
        do_not_store: Whether the result is only returned to the callers and not stored. An existing stale value
            remains.
    """

    __slots__ = (
        "ttl",
        "tags",
        "do_not_store",
        "etag",
        "_stale",
        "_validator",
        "_decode",
        "_decoded",
        "_is_not_modified",
    )

    def __init__(self, stale: bytes | None, decode: Callable[[bytes], V], validator: bytes = b"") -> None:
        """Create the context. The client does this for each call of a factory."""
        self.ttl: Ttl | None = None
        self.tags: Iterable[Key] = ()
        self.do_not_store = False
        self.etag: str | None = None
        self._stale = stale
        self._validator = validator
        self._decode = decode
        self._decoded: list[V] = []
        self._is_not_modified = False

    @property
    def has_stale(self) -> bool:
        """Whether there is a stale value.

        The server keeps a value after its expiry if `revalidate_for` or `fail_safe_for` was set when it was stored. If
        `refresh_ahead_for` is set, the value that is being refreshed is also a stale value, although it has not expired
        for the callers.
        """
        return self._stale is not None

    @property
    def stale_value(self) -> V:
        """The stale value. The factory may change it, because it is not shared with callers.

        Raises RuntimeError if there is no stale value.
        """
        if self._stale is None:
            raise RuntimeError("there is no stale value; check has_stale first")
        if not self._decoded:
            self._decoded.append(self._decode(self._stale))
        return self._decoded[0]

    @property
    def stale_etag(self) -> str | None:
        """The ETag that was stored with the stale value. None if there is none."""
        return self._validator.decode(errors="replace") or None

    def not_modified(self) -> V:
        """Declare that the stale value is still valid. Returns the stale value.

        The client returns the stale value to the callers and stores its bytes again with a new time to live. The value
        that the factory returns is ignored, so that a factory can end with `return context.not_modified()`.

        Raises RuntimeError if there is no stale value.
        """
        value = self.stale_value
        self._is_not_modified = True
        return value

    @property
    def is_not_modified(self) -> bool:
        """Whether the factory has called `not_modified`."""
        return self._is_not_modified
