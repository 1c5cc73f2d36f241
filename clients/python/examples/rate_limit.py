"""`python rate_limit.py`: at most 5 requests a minute from each address. If the cache fails, requests are allowed."""

import asyncio
import os

from larder_cache import Cache, CacheClient, CacheError, CredentialProvider


async def retry_after(cache: Cache, address: str) -> float:
    """Return 0 if a request is allowed, else the seconds until the next window. The first request starts a window."""
    key = f"requests:{address}"
    try:
        if await cache.increment(key, ttl=60, keep_ttl=True) <= 5:
            return 0
        return await cache.item_get_ttl(key) or 0
    except CacheError:
        return 0


async def main() -> list[str]:
    credentials = CredentialProvider.from_string(os.environ.get("LARDER_URL", "http://127.0.0.1:8080"))
    async with CacheClient(credentials, default_ttl=60) as client:
        cache = client.cache("cache").with_timeout(2)
        await cache.delete("requests:192.0.2.7")
        waits = [await retry_after(cache, "192.0.2.7") for _ in range(8)]
    after_close = await retry_after(cache, "192.0.2.7")
    passed = f"{waits.count(0)} of {len(waits)} pass"
    return [passed, f"retry within a minute: {0 < waits[-1] <= 60}", f"without a cache: {after_close}"]


if __name__ == "__main__":
    print("\n".join(asyncio.run(main())))
