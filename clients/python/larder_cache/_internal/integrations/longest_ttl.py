"""The maximum time to live that a server's cache accepts. Frameworks' caches use it for "never expires"."""

from __future__ import annotations

from larder_cache.client import CacheClient

# The default of a server's `--max-ttl`: 24 hours.
_UNLESS_SET_S = 86_400


class LongestTtl:
    """The maximum time to live of one cache. It is requested from the server on first use."""

    def __init__(self, client: CacheClient, cache: str) -> None:
        self._client, self._cache = client, cache
        self._known_s: int | None = None

    async def seconds(self) -> int:
        """Return the maximum in seconds. Raises CacheError if the request fails."""
        if self._known_s is None:
            told = (await self._client.list_caches()).max_ttl_s
            if self._cache not in told:
                # The cache does not exist. The call that uses this time to live then fails with a clear error, so the
                # returned value does not matter.
                return _UNLESS_SET_S
            # 0 means that the server does not report its maximum.
            self._known_s = told[self._cache] or _UNLESS_SET_S
        return self._known_s
