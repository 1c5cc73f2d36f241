"""The time to live of a collection, and which writes set it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Union

from larder_cache.ttl import Ttl


@dataclass(frozen=True, slots=True)
class CollectionTtl:
    """The time to live of a collection.

    The write that creates a collection always sets `ttl`; later writes set it only if `refresh_ttl` is true.

    `ttl`: seconds or a timedelta, above 0 and at most 365 days, or the server's maximum; None: the client's default.
    `refresh_ttl`: whether writes to an existing collection set it too. Both are validated by the call that uses them.
    """

    ttl: Ttl | None = None
    refresh_ttl: bool = field(default=True, kw_only=True)

    @classmethod
    def from_cache_ttl(cls) -> CollectionTtl:
        """Return the client's default time to live, refreshed with each write."""
        return cls()

    @classmethod
    def of(cls, ttl: Ttl) -> CollectionTtl:
        """Return a time to live that is refreshed with each write."""
        return cls(ttl)

    def with_refresh_ttl_on_updates(self) -> CollectionTtl:
        """Return the same time to live, set also by writes to an existing collection."""
        return replace(self, refresh_ttl=True)

    def with_no_refresh_ttl_on_updates(self) -> CollectionTtl:
        """Return the same time to live, set only by the write that creates the collection."""
        return replace(self, refresh_ttl=False)


# The type that calls accept. A plain number of seconds or timedelta is refreshed with each write.
AnyTtl = Union[CollectionTtl, Ttl]
