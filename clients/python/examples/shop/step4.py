"""Step 4: prices change. Pages have a tag, and one call invalidates all of them."""

import asyncio

from database import URL, Database

from larder_cache import Cache, CacheClient, GetOrSetOptions

OPTIONS = GetOrSetOptions(lease=10, fail_safe_for=3_600, tags=["prices"])


async def product_page(cache: Cache, database: Database, number: int, ttl: float = 60) -> str:
    key = f"product:{number}"
    page = await cache.get_or_set(key, lambda: database.product(number), ttl=ttl, options=OPTIONS)
    return page.decode()


async def main() -> None:
    database = Database()
    async with CacheClient(URL, default_ttl=60) as client:
        cache = client.cache("cache")
        await cache.delete_each(["product:7", "product:8"])
        pages = [await product_page(cache, database, number) for number in (7, 8)]
        database.discount = 5
        pages += [await product_page(cache, database, number) for number in (7, 8)]
        await cache.remove_by_tag(["prices"])
        pages += [await product_page(cache, database, number) for number in (7, 8)]
        print("\n".join(pages))


if __name__ == "__main__":
    asyncio.run(main())
