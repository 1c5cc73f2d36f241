"""`python one_load.py`: one load across all processes, stale values if a load fails, and tags."""

import asyncio
import os

from larder_cache import CacheClient, CredentialProvider, GetOrSetOptions


async def main() -> list[str]:
    credentials = CredentialProvider.from_string(os.environ.get("LARDER_URL", "http://127.0.0.1:8080"))
    # If a load fails, the expired value is returned for up to an hour. Removing the tag removes the value immediately.
    kept = GetOrSetOptions(lease=10, fail_safe_for=3_600, jitter=0.1, tags=["prices"])
    loads = 0

    async def load() -> str:
        nonlocal loads
        loads += 1
        await asyncio.sleep(0.1)
        return f"price list {loads}"

    # Each client stands for a process. If both request the key, only one loads it.
    async with (
        CacheClient(credentials, default_ttl=60) as one,
        CacheClient(credentials, default_ttl=60) as other,
    ):
        answers: list[bytes] = []
        caches = [each.cache("cache") for each in (one, other)]
        await caches[0].remove_by_tag(["prices"])
        for _ in range(2):
            asked = (each.get_or_set("prices", load, ttl=30, options=kept) for each in caches)
            answers += await asyncio.gather(*asked)
            await caches[0].remove_by_tag(["prices"])
        return [each.decode() for each in answers]


if __name__ == "__main__":
    print(asyncio.run(main()))
