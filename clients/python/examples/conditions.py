"""`python conditions.py`: conditional sets, which fail if another client was faster."""

import asyncio
import os

from larder_cache import Cache, CacheClient, CredentialProvider


async def join(cache: Cache, name: str) -> None:
    """Add a name to a value that other clients change concurrently.

    Stores the new value only if the value is unchanged.
    """
    stored = False
    while not stored:
        found = await cache.get_with_hash("members")
        if found is None:
            stored = await cache.set_if_absent("members", name)
        else:
            longer = found.value + b" " + name.encode()
            # Returns the new hash, or None if the value was not stored.
            stored = await cache.set_if_present_and_hash_equal("members", longer, found.hash) is not None


async def main() -> list[str]:
    credentials = CredentialProvider.from_string(os.environ.get("LARDER_URL", "http://127.0.0.1:8080"))
    async with CacheClient(credentials, default_ttl=60) as client:
        cache = client.cache("cache")
        await cache.delete("members")
        await asyncio.gather(*(join(cache, name) for name in ("Ada", "Barbara", "Edsger", "Grace")))
        joined = await cache.get("members", b"")
        # Several workers try to set the key. Only the first succeeds and may do the work.
        await cache.delete("tidied")
        first = [await cache.set_if_absent("tidied", worker, ttl=30) for worker in ("one", "two", "three")]
        return [*sorted(joined.decode().split()), str(first)]


if __name__ == "__main__":
    print("\n".join(asyncio.run(main())))
