"""`python first_steps.py`: set and get, with plain values and with `match`. Set LARDER_URL to use another server."""

import asyncio
import os

from larder_cache import CacheClient, CredentialProvider
from larder_cache.responses import Error, Hit, Miss


async def main() -> str:
    credentials = CredentialProvider.from_string(os.environ.get("LARDER_URL", "http://127.0.0.1:8080"))
    async with CacheClient(credentials, default_ttl=60) as client:
        cache = client.cache("cache")

        # Plain values: bytes, or None if the key is missing. An error raises CacheError.
        await cache.set("greeting", "hello")
        assert await cache.get("greeting") == b"hello"

        # The same call with a response object. Server and network errors are returned, not raised.
        match await cache.results.get("greeting"):
            case Hit(value):
                return value.decode()
            case Miss():
                return "a miss"
            case Error(code, message):
                return f"{code.value}: {message}"


if __name__ == "__main__":
    print(asyncio.run(main()))
