"""`python leaderboard.py`: a sorted set of players, ordered by points."""

import asyncio
import os

from larder_cache import Cache, CacheClient, CredentialProvider, SortedSetOrder

BOARD = "leaderboard"


async def top(cache: Cache, count: int) -> list[str]:
    best = await cache.sorted_set_fetch_by_rank(BOARD, order=SortedSetOrder.DESCENDING, start=0, end=count)
    return [f"{element.value.decode()}: {element.score:g}" for element in best or []]


async def place_of(cache: Cache, player: str) -> int | None:
    rank = await cache.sorted_set_get_rank(BOARD, player, order=SortedSetOrder.DESCENDING)
    return None if rank is None else rank + 1


async def main() -> list[str]:
    credentials = CredentialProvider.from_string(os.environ.get("LARDER_URL", "http://127.0.0.1:8080"))
    async with CacheClient(credentials, default_ttl=60) as client:
        cache = client.cache("cache")
        await cache.delete(BOARD)
        await cache.sorted_set_put(BOARD, {"ann": 120, "bo": 80, "cy": 95})
        points = await cache.sorted_set_increment(BOARD, "bo", 50)
        places = [await place_of(cache, player) for player in ("cy", "nobody")]
        return [f"{points:g}", *await top(cache, 2), f"{places}"]


if __name__ == "__main__":
    print("\n".join(asyncio.run(main())))
