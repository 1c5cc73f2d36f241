"""`python cart.py`: a shopping cart, a dictionary of quantities that expires a day after its last change."""

import asyncio
import os

from larder_cache import Cache, CacheClient, CredentialProvider

DAY = 24 * 3_600


class Cart:
    def __init__(self, cache: Cache, user: str) -> None:
        self._cache = cache
        self._name = f"cart:{user}"

    async def add(self, product: str, count: int = 1) -> None:
        if await self._cache.dictionary_increment(self._name, product, count, ttl=DAY) <= 0:
            await self._cache.dictionary_remove_field(self._name, product)

    async def items(self) -> dict[str, int]:
        fields = await self._cache.dictionary_fetch(self._name) or {}
        return {product.decode(): int(count) for product, count in fields.items()}

    async def empty(self) -> None:
        await self._cache.delete(self._name)


async def main() -> list[dict[str, int]]:
    credentials = CredentialProvider.from_string(os.environ.get("LARDER_URL", "http://127.0.0.1:8080"))
    async with CacheClient(credentials, default_ttl=60) as client:
        cart = Cart(client.cache("cache"), "ada")
        await cart.empty()
        await asyncio.gather(cart.add("pencil", 2), cart.add("paper"), cart.add("pencil"))
        await cart.add("paper", -1)
        full = await cart.items()
        await cart.empty()
        return [full, await cart.items()]


if __name__ == "__main__":
    print(asyncio.run(main()))
