"""`python conditions.py`: a set that happens only where nobody else was faster."""

import asyncio
import os

from larder_cache import BoundCache, CacheClient, CredentialProvider
from larder_cache.responses import Error, FoundWithHash, Missing, NotStored


async def join(cache: BoundCache, name: str) -> None:
    """Add a name to a list that others change at the same time: it is stored only where it is still what was read."""
    while True:
        match await cache.get_with_hash("members"):
            case FoundWithHash(value, hash):
                longer = value + b" " + name.encode()
                answer = await cache.set_if_present_and_hash_equal("members", longer, hash)
            case Missing():
                answer = await cache.set_if_absent("members", name)
            case Error() as error:
                raise error.to_exception()
        if isinstance(answer, Error):
            raise answer.to_exception()
        if not isinstance(answer, NotStored):
            return


async def main() -> list[str]:
    credentials = CredentialProvider.from_string(os.environ.get("LARDER_URL", "http://127.0.0.1:8080"))
    async with CacheClient(credentials, default_ttl=60) as client:
        cache = client.plain("cache")
        await cache.delete("members")
        await asyncio.gather(*(join(client.cache("cache"), name) for name in ("Ada", "Barbara", "Edsger", "Grace")))
        joined = await cache.get("members", b"")
        # One of several workers does what is to be done once.
        await cache.delete("tidied")
        first = [await cache.add("tidied", worker, ttl=30) for worker in ("one", "two", "three")]
        return [*sorted(joined.decode().split()), str(first)]


if __name__ == "__main__":
    print("\n".join(asyncio.run(main())))
