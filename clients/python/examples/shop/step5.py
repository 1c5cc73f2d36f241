"""Step 5: keep copies in the memory of the process. The server reports when a copy is no longer valid."""

import asyncio

from database import URL, Database
from step4 import product_page

from larder_cache import CacheClient, Configurations, NearCache

NEAR = Configurations.InRegion.Default.latest().with_settings(near_cache=NearCache(max_bytes=64 * 1024**2))


async def main() -> None:
    database = Database()
    async with (
        CacheClient(URL, default_ttl=60, configuration=NEAR) as client,
        CacheClient(URL, default_ttl=60) as editor,
    ):
        cache = client.cache("cache")
        await cache.delete("product:7")
        pages = [await product_page(cache, database, 7) for _ in range(1_000)]
        figures = client.near_cache
        assert figures is not None
        print(f"{pages[0]}; {figures.hits} of 1000 reads needed no call")

        database.discount = 5
        await editor.cache("cache").remove_by_tag(["prices"])
        while (latest := await product_page(cache, database, 7)) == pages[0]:
            await asyncio.sleep(0.001)
        print(latest)


if __name__ == "__main__":
    asyncio.run(main())
