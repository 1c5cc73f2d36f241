"""The time to live of a collection, and whether later writes set it again."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Union

from larder_cache.ttl import Ttl


@dataclass(frozen=True, slots=True)
class CollectionTtl:
    """The time to live of a collection.

    The write that creates a collection always sets `ttl`. Later writes set it only if `refresh_ttl` is true. The call
    that uses this object validates both fields.

    Attributes:
        ttl: Seconds or a timedelta, above 0, and at most 365 days or the server's maximum if that is lower. None
            selects the client's default.
        refresh_ttl: Whether writes to an existing collection also set the time to live.
    """

    ttl: Ttl | None = None
    refresh_ttl: bool = field(default=True, kw_only=True)

    @classmethod
    def from_cache_ttl(cls) -> CollectionTtl:
        """Return the client's default time to live. Each write refreshes it."""
        return cls()

    @classmethod
    def of(cls, ttl: Ttl) -> CollectionTtl:
        """Return a time to live, given in seconds or as a timedelta, that each write refreshes."""
        return cls(ttl)

    def with_refresh_ttl_on_updates(self) -> CollectionTtl:
        """Return a copy whose time to live is also set by writes to an existing collection."""
        return replace(self, refresh_ttl=True)

    def with_no_refresh_ttl_on_updates(self) -> CollectionTtl:
        """Return a copy whose time to live is set only by the write that creates the collection."""
        return replace(self, refresh_ttl=False)


# The type that calls accept. A plain number of seconds or a timedelta is a time to live that each write refreshes.
AnyTtl = Union[CollectionTtl, Ttl]
