"""`python -m examples.first_steps`: set and get, answers by `match`. LARDER_URL names the server, where it is set."""

import asyncio
import os

from larder_cache import CacheClient, CredentialProvider
from larder_cache.responses import Error, Hit, Miss


async def main() -> str:
    credentials = CredentialProvider.from_string(os.environ.get("LARDER_URL", "http://127.0.0.1:8080"))
    async with CacheClient(credentials, default_ttl=60) as client:
        await client.set("cache", "greeting", "hello")
        match await client.get("cache", "greeting"):
            case Hit(value):
                return value.decode()
            case Miss():
                return "a miss"
            case Error(code, message):
                return f"{code.value}: {message}"


if __name__ == "__main__":
    print(asyncio.run(main()))
