"""`python dogpile_region.py`: a dogpile.cache region in Larder. Set LARDER_URL to use another server."""

import json
import os

from dogpile.cache import make_region

from larder_cache.dogpile import NAME


def dumps(value: object) -> bytes:
    return json.dumps(value).encode()


# Use JSON instead of pickle, dogpile.cache's default, because pickle can run code when it reads a value.
region = make_region(serializer=dumps, deserializer=json.loads)
calls: list[int] = []


@region.cache_on_arguments()
def square(number: int) -> dict[str, int]:
    """Simulate a query."""
    calls.append(number)
    return {"number": number, "square": number * number}


def main() -> list[str]:
    region.configure(
        NAME,  # "larder". If the package is installed, its entry point makes the import unnecessary.
        expiration_time=60,
        arguments={
            "url": os.environ.get("LARDER_URL", "http://127.0.0.1:8080"),
            "ttl_s": 600,  # After 60 s, the old value is served while a new one is created.
            "distributed_lock": True,  # Only one process creates the new value.
        },
    )
    square.invalidate(12)
    lines = [f"{square(12)['square']} and {square(12)['square']}, made {len(calls)} time"]
    region.set_multi({"user:1": ["Ada"], "user:2": ["Grace"]})
    lines.append(f"{region.get_multi(['user:1', 'user:2'])}")
    return lines


if __name__ == "__main__":
    print("\n".join(main()))
