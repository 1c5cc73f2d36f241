"""`python dogpile_region.py`: a region of dogpile.cache on Larder. LARDER_URL names another server."""

import json
import os

from dogpile.cache import make_region

from larder_cache.dogpile import NAME


def dumps(value: object) -> bytes:
    return json.dumps(value).encode()


# JSON in place of pickle, dogpile.cache's own: reading it runs nothing, whoever wrote it.
region = make_region(serializer=dumps, deserializer=json.loads)
calls: list[int] = []


@region.cache_on_arguments()
def square(number: int) -> dict[str, int]:
    """Stands for a query."""
    calls.append(number)
    return {"number": number, "square": number * number}


def main() -> list[str]:
    region.configure(
        NAME,  # "larder"; where the package is installed its entry point suffices, and nothing is imported.
        expiration_time=60,
        arguments={
            "url": os.environ.get("LARDER_URL", "http://127.0.0.1:8080"),
            "ttl_s": 600,  # Expired after 60 s, a value is served while its next is made.
            "distributed_lock": True,  # By one process of all.
        },
    )
    square.invalidate(12)
    lines = [f"{square(12)['square']} and {square(12)['square']}, made {len(calls)} time"]
    region.set_multi({"user:1": ["Ada"], "user:2": ["Grace"]})
    lines.append(f"{region.get_multi(['user:1', 'user:2'])}")
    return lines


if __name__ == "__main__":
    print("\n".join(main()))
