"""`python typed_values.py`: dataclasses as JSON, a shorter TTL for missing values, and many keys at once."""

import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass

from larder_cache import CacheClient, CacheError, CredentialProvider, GetOrSetOptions, Ttl
from larder_cache.codecs import JsonCodec


@dataclass
class User:
    name: str
    mail: str | None = None


USERS = {"7": User("Ada", "ada@example.com"), "8": User("Grace")}


def ttl_of(user: User | None) -> Ttl | None:
    """Return a TTL of 5 s for a missing user, because it may be created soon. None means the call's usual TTL."""
    return 5 if user is None else None


async def main() -> list[str]:
    credentials = CredentialProvider.from_string(os.environ.get("LARDER_URL", "http://127.0.0.1:8080"))
    # If a value is read less than 10 s before it expires, it is refreshed in the background. No caller waits.
    kept = GetOrSetOptions(ttl_of=ttl_of, refresh_ahead_for=10)
    looked_up: list[str] = []
    async with CacheClient(credentials, default_ttl=60) as client:
        cache = client.cache("cache")
        users = cache.typed(JsonCodec(User), compress_above=1_024)

        async def look_up(keys: Sequence[str]) -> list[User | None]:
            looked_up.extend(keys)
            return [USERS.get(key.removeprefix("user:")) for key in keys]

        async def nobody() -> User | None:
            return (await look_up(["user:9"]))[0]

        await cache.delete_each(["user:7", "user:8", "user:9"])
        for _ in range(2):
            assert await users.get_or_set("user:9", nobody, options=kept) is None
        await users.set("user:7", USERS["7"])
        both = await users.get_or_set_batch(["user:7", "user:8"], look_up)

        try:
            read = f"{await users.get('user:8')}"
        except CacheError as error:  # DECODING_FAILED if the stored value is not a User.
            read = error.code.value
        # The value None is stored under user:9. The argument `default` distinguishes this value from a miss.
        missing = User("nobody yet")
        known = [await users.get(key, missing) for key in ("user:9", "user:10")]
        return [f"{list(both.values()) == list(USERS.values())}", read, f"{known == [None, missing]}", *looked_up]


if __name__ == "__main__":
    print("\n".join(asyncio.run(main())))
