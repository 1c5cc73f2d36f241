"""The longest time to live that a server's cache takes, which is what "never expires" can mean."""

from __future__ import annotations

from larder_cache.client import CacheClient

# A server's `--max-ttl` unless it is set: 24 hours.
_UNLESS_SET_S = 86_400


class LongestTtl:
    """Of one cache. Asked for once, at the first need."""

    def __init__(self, client: CacheClient, cache: str) -> None:
        self._client, self._cache = client, cache
        self._known_s: int | None = None

    async def seconds(self) -> int:
        """Return it. Raises CacheError where the server does not say."""
        if self._known_s is None:
            told = (await self._client.list_caches()).max_ttl_s
            if self._cache not in told:
                # A cache that is not there is the error of the call itself.
                return _UNLESS_SET_S
            # 0: a server that does not say.
            self._known_s = told[self._cache] or _UNLESS_SET_S
        return self._known_s
