"""`python game.py`: a game with a dictionary, a set, a list and a sorted set."""

import asyncio
import os

from larder_cache import Cache, CacheClient, CollectionTtl, CredentialProvider, SortedSetOrder


async def play(cache: Cache) -> str:
    """Play a little, and return a summary."""
    # A dictionary contains fields with values. It expires an hour after its last write.
    hour = CollectionTtl(3_600)
    await cache.dictionary_set("player:ann", {"name": "Ann", "city": "Bergen"}, ttl=hour)
    await cache.dictionary_increment("player:ann", "games", ttl=hour)
    city = await cache.dictionary_get_field("player:ann", "city") or b"somewhere"

    # A set contains distinct elements. It expires an hour after its creation, even if elements are added later.
    await cache.set_add_elements("online", ["ann", "bo", "cy"], ttl=hour.with_no_refresh_ttl_on_updates())
    await cache.set_remove_element("online", "cy")
    is_online = await cache.set_contains_element("online", "ann")

    # A list contains elements in order, here the last 100 chat lines.
    await cache.list_push_back("said", "hello", truncate_front_to_size=100)
    await cache.list_concatenate_back("said", ["good game", "again?"], truncate_front_to_size=100)
    last = await cache.list_fetch("said", start=-1) or [b"(silence)"]

    # A sorted set contains elements in the order of their scores.
    await cache.sorted_set_put("board", {"ann": 120, "bo": 80})
    await cache.sorted_set_increment("board", "bo", 55)
    board = await cache.sorted_set_fetch_by_rank("board", order=SortedSetOrder.DESCENDING, start=0, end=10)
    leader = f"{board[0].value.decode()} with {board[0].score:g}" if board else "nobody"
    return f'{leader}; Ann of {city.decode()} is {"online" if is_online else "away"}; "{last[0].decode()}"'


async def main() -> str:
    credentials = CredentialProvider.from_string(os.environ.get("LARDER_URL", "http://127.0.0.1:8080"))
    async with CacheClient(credentials, default_ttl=60) as client:
        return await play(client.cache("cache"))


if __name__ == "__main__":
    print(asyncio.run(main()))
