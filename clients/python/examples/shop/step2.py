"""Step 2: many concurrent visitors. `get_or_set` with a lease loads a missing page once, for all processes."""

import asyncio

import step1
from database import URL, Database

from larder_cache import Cache, CacheClient, GetOrSetOptions

OPTIONS = GetOrSetOptions(lease=10)


async def product_page(cache: Cache, database: Database, number: int, ttl: float = 60) -> str:
    key = f"product:{number}"
    page = await cache.get_or_set(key, lambda: database.product(number), ttl=ttl, options=OPTIONS)
    return page.decode()


async def main() -> None:
    # Each client stands for a process of the shop.
    async with CacheClient(URL, default_ttl=60) as one, CacheClient(URL, default_ttl=60) as two:
        caches = [one.cache("cache"), two.cache("cache")]
        for name, page in (("step 1", step1.product_page), ("step 2", product_page)):
            database = Database()
            await caches[0].delete("product:7")
            await asyncio.gather(*(page(cache, database, 7) for cache in caches for _ in range(100)))
            print(f"{name}: 200 requests at once, queries: {database.queries}")


if __name__ == "__main__":
    asyncio.run(main())
