"""`python cache_aside.py`: one factory call per key, and a cached function."""

import asyncio
import os
from typing import Any

from larder_cache import CacheClient, CredentialProvider, cached


async def main() -> dict[str, Any]:
    loads = 0
    credentials = CredentialProvider.from_string(os.environ.get("LARDER_URL", "http://127.0.0.1:8080"))
    async with CacheClient(credentials, default_ttl=60) as client:
        cache = client.cache("cache")

        async def load_page() -> str:
            nonlocal loads
            loads += 1
            return "<html>…</html>"

        await cache.delete("page")
        await asyncio.gather(*(cache.get_or_set("page", load_page, ttl=30) for _ in range(100)))

        @cached(cache, ttl=30)
        async def user(number: int) -> dict[str, Any]:
            return {"id": number, "name": f"user {number}"}

        first = await user(7)
        await user.invalidate(7)
        return {"loads": loads, "user": first}


if __name__ == "__main__":
    print(asyncio.run(main()))
