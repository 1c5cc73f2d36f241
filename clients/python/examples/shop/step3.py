"""Step 3: the database is down. With `fail_safe_for`, visitors get the expired page instead of an error."""

import asyncio

from database import URL, Database

from larder_cache import Cache, CacheClient, GetOrSetOptions

OPTIONS = GetOrSetOptions(lease=10, fail_safe_for=3_600)


async def product_page(cache: Cache, database: Database, number: int, ttl: float = 60) -> str:
    key = f"product:{number}"
    page = await cache.get_or_set(key, lambda: database.product(number), ttl=ttl, options=OPTIONS)
    return page.decode()


async def main() -> None:
    database = Database()
    async with CacheClient(URL, default_ttl=60) as client:
        cache = client.cache("cache")
        await cache.delete("product:7")
        await cache.delete("product:8")
        await product_page(cache, database, 7, ttl=0.1)
        await asyncio.sleep(0.2)  # The page has expired.
        database.is_down = True
        print(await product_page(cache, database, 7))
        try:
            await product_page(cache, database, 8)  # No visitor has loaded this page before.
        except ConnectionError as error:
            print(f"Product 8: {error}")


if __name__ == "__main__":
    asyncio.run(main())
