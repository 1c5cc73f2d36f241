"""The longest time to live that a server's cache takes, which is what "never expires" can mean."""

from __future__ import annotations

from larder_cache.plain_cache import PlainCache, checked

# A server's `--max-ttl` unless it is set: 24 hours.
_UNLESS_SET_S = 86_400


class LongestTtl:
    """Of one cache. Asked for once, at the first need."""

    def __init__(self, cache: PlainCache) -> None:
        self._cache = cache
        self._known_s: int | None = None

    async def seconds(self) -> int:
        """Return it. Raises CacheError where the server does not say."""
        if self._known_s is None:
            told = checked(await self._cache.client.list_caches()).max_ttl_s
            if self._cache.name not in told:
                # A cache that is not there is the error of the call itself.
                return _UNLESS_SET_S
            # 0: a server that does not say.
            self._known_s = told[self._cache.name] or _UNLESS_SET_S
        return self._known_s
