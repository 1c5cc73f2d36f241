"""The maximum time to live that a server's cache accepts, used as "never expires"."""

from __future__ import annotations

from larder_cache.client import CacheClient

# The default of a server's `--max-ttl`: 24 hours.
_UNLESS_SET_S = 86_400


class LongestTtl:
    """The maximum of one cache. Asked for once, on first use."""

    def __init__(self, client: CacheClient, cache: str) -> None:
        self._client, self._cache = client, cache
        self._known_s: int | None = None

    async def seconds(self) -> int:
        """Return the maximum in seconds. Raises CacheError if the server does not return it."""
        if self._known_s is None:
            told = (await self._client.list_caches()).max_ttl_s
            if self._cache not in told:
                # If the cache does not exist, the call itself fails.
                return _UNLESS_SET_S
            # 0: the server does not report it.
            self._known_s = told[self._cache] or _UNLESS_SET_S
        return self._known_s
