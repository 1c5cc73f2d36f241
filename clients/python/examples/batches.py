"""`python batches.py`: many items in one call, with plain values and with a response for each."""

import asyncio
import os

from larder_cache import CacheClient, CredentialProvider
from larder_cache.responses import Error, GetBatchSuccess


async def main() -> list[str]:
    credentials = CredentialProvider.from_string(os.environ.get("LARDER_URL", "http://127.0.0.1:8080"))
    async with CacheClient(credentials, default_ttl=60) as client:
        cache = client.cache("cache")

        # set_batch takes a mapping. get_batch returns a mapping of the keys that were found. An error raises
        # CacheError.
        await cache.set_batch({"user:1": "Ada", "user:2": "Grace"}, ttl=30)
        found = await cache.get_batch(["user:1", "user:2", "user:3"])
        lines = [f"{key} is {value.decode()}" for key, value in found.items()]

        # An item may have its own time to live. `results` returns a response for each key, in order.
        await cache.set_batch([("user:4", "Edsger"), ("user:5", "Barbara", 5)])
        match await cache.results.get_batch(["user:4", "user:6"]):
            case GetBatchSuccess(responses):
                lines += [type(each).__name__ for each in responses]
            case Error() as error:
                raise error.to_exception()
        return lines


if __name__ == "__main__":
    print("\n".join(asyncio.run(main())))
