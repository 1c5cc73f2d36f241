"""Concurrent get_or_set calls for one key, with a factory that counts its runs."""

from __future__ import annotations

import asyncio
from typing import Any

from agent.fields import data, shown, ttl
from larder_cache import CacheResults, GetOrSetOptions


class GetOrSet:
    """The get_or_set calls of one client. Counts the factories that were started."""

    def __init__(self) -> None:
        self._begun = 0

    async def run(self, cache: CacheResults, q: dict[str, Any]) -> dict[str, Any]:
        async def make() -> bytes:
            self._begun += 1
            await asyncio.sleep(q.get("makesMs", 0) / 1_000)
            return data(q, "value")

        options = GetOrSetOptions(lease=q["leaseMs"] / 1_000) if "leaseMs" in q else None
        key, count = data(q, "key"), q.get("callers", 1)
        asked = (cache.get_or_set(key, make, ttl=ttl(q), options=options) for _ in range(count))
        values = sorted(set(await asyncio.gather(*asked)))
        return {"result": "success", "values": [shown("value", value) for value in values]}

    async def made(self, cache: CacheResults, q: dict[str, Any]) -> dict[str, Any]:
        return {"result": "success", "made": self._begun}
