"""`python -m examples.first_steps [host:port]`: set and get, answers by `match`."""

import asyncio
import sys

from larder_cache import CacheClient, CredentialProvider
from larder_cache.responses import Error, Hit, Miss


async def main(endpoint: str) -> str:
    credentials = CredentialProvider(endpoint=endpoint, tls=False)
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
    print(asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:8080")))
