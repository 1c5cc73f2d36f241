"""How long a collection lives, and which writes say so."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Union

from larder_cache.ttl import Ttl


@dataclass(frozen=True, slots=True)
class CollectionTtl:
    """How long a collection lives. The write that makes it always gives it `ttl`; a later one where it refreshes.

    `ttl`: seconds or a timedelta, above 0 and at most 365 days, or what the server allows; None: the client's default.
    `refresh_ttl`: whether a collection that is there gets it too. Both are looked at when a call is given them.
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
        """Return the same time to live, which a write gives to a collection that is there too."""
        return replace(self, refresh_ttl=True)

    def with_no_refresh_ttl_on_updates(self) -> CollectionTtl:
        """Return the same time to live, which a write gives only to a collection that it makes."""
        return replace(self, refresh_ttl=False)


# What calls take: seconds and a timedelta alone refresh.
AnyTtl = Union[CollectionTtl, Ttl]
