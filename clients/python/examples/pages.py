"""`python pages.py`: read a collection that is too large for one response, page by page."""

import asyncio
import os

from larder_cache import Cache, CacheClient, CredentialProvider
from larder_cache.responses import DictionaryPage


async def read(cache: Cache, name: str) -> dict[bytes, bytes]:
    """Return every field of a dictionary. A field may be on several pages; the last page has no cursor."""
    fields: dict[bytes, bytes] = {}
    cursor = b""
    while True:
        page = await cache.scan_items(name, cursor=cursor, count=1_000)
        if not isinstance(page, DictionaryPage):
            return {}
        fields |= page.items
        cursor = page.cursor
        if not cursor:
            return fields


async def main() -> str:
    credentials = CredentialProvider.from_string(os.environ.get("LARDER_URL", "http://127.0.0.1:8080"))
    async with CacheClient(credentials, default_ttl=60) as client:
        cache = client.cache("cache")
        await cache.dictionary_set("prices", {f"item {i}": str(i) for i in range(5_000)})
        return f"{len(await read(cache, 'prices')):,} prices"


if __name__ == "__main__":
    print(asyncio.run(main()))
