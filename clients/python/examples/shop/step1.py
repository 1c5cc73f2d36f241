"""Step 1: read the cache first. On a miss, query the database and store the page for 60 seconds."""

import asyncio

from database import URL, Database

from larder_cache import Cache, CacheClient


async def product_page(cache: Cache, database: Database, number: int) -> str:
    key = f"product:{number}"
    page = await cache.get(key)
    if page is not None:
        return page.decode()
    text = await database.product(number)
    await cache.set(key, text, ttl=60)
    return text


async def main() -> None:
    database = Database()
    async with CacheClient(URL, default_ttl=60) as client:
        cache = client.cache("cache")
        await cache.delete("product:7")
        pages = [await product_page(cache, database, 7) for _ in range(100)]
        print(pages[0])
        print(f"100 requests, queries: {database.queries}")


if __name__ == "__main__":
    asyncio.run(main())
