"""`python near_cache.py`: reads from this process's memory; the server reports changes."""

import asyncio
import os

from larder_cache import CacheClient, Configurations, CredentialProvider, NearCache


async def main() -> list[str]:
    credentials = CredentialProvider.from_string(os.environ.get("LARDER_URL", "http://127.0.0.1:8080"))
    configuration = Configurations.Laptop.latest().with_settings(near_cache=NearCache(max_bytes=64 * 1024**2))
    async with (
        CacheClient(credentials, default_ttl=60, configuration=configuration) as client,
        CacheClient(credentials, default_ttl=60) as other,
    ):
        mine, theirs = client.cache("cache"), other.cache("cache")
        await mine.set("price", "12")
        await mine.get("price")  # A call to the server; its result is kept.
        for _ in range(1_000):
            await mine.get("price")  # No calls.
        figures = client.near_cache
        assert figures is not None
        lines = [f"{mine.try_get_near('price')!r}, {figures.hits} hits"]

        await mine.set("price", "13")
        lines.append(f"{await mine.get('price')!r}")  # Its own write is visible at once.

        await theirs.set("price", "14")
        while await mine.get("price") != b"14":  # Another client's write: visible after one push.
            await asyncio.sleep(0)
        lines.append("seen")
        return lines


if __name__ == "__main__":
    print("\n".join(asyncio.run(main())))
