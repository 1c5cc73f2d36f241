"""`python sessions.py`: sessions that expire 30 min after their last request. If the cache fails, users are guests."""

import asyncio
import os
import uuid

from larder_cache import CacheClient, CacheError, CredentialProvider, TypedCache
from larder_cache.codecs import JsonCodec

TTL = 30 * 60


async def log_in(sessions: TypedCache[dict[str, str]], user: str) -> str:
    session = uuid.uuid4().hex
    await sessions.set(f"session:{session}", {"user": user}, ttl=TTL)
    return session


async def user_of(client: CacheClient, session: str) -> str:
    cache = client.cache("cache").with_timeout(2)
    try:
        found = await cache.typed(JsonCodec(dict[str, str])).get(f"session:{session}")
        if found is not None:
            await cache.update_ttl(f"session:{session}", TTL)
            return found["user"]
    except CacheError as error:
        return f"guest ({error.code.value})"
    return "guest"


async def main() -> list[str]:
    credentials = CredentialProvider.from_string(os.environ.get("LARDER_URL", "http://127.0.0.1:8080"))
    async with CacheClient(credentials, default_ttl=60) as client:
        session = await log_in(client.cache("cache").typed(JsonCodec(dict[str, str])), "Ada")
        users = [await user_of(client, session)]
        await client.cache("cache").delete(f"session:{session}")
        users.append(await user_of(client, session))
    return [*users, await user_of(client, session)]  # The client is closed: an error of the cache.


if __name__ == "__main__":
    print("\n".join(asyncio.run(main())))
