"""Step 6: measure. Count hits and misses, and how long calls take."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Mapping

from database import URL, Database
from step4 import product_page

from larder_cache import CacheClient


class Figures:
    """Receives the client's metrics."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.seconds: list[float] = []

    def add(self, name: str, count: int, attributes: Mapping[str, str]) -> None:
        self.counts[name] += count

    def record(self, name: str, seconds: float, attributes: Mapping[str, str]) -> None:
        if name == "cache.client.operation.duration":
            self.seconds.append(seconds)

    def watch(self, name: str, read: Callable[[], int | None]) -> None:
        """Ignore gauges."""


async def main() -> None:
    database, figures = Database(), Figures()
    async with CacheClient(URL, default_ttl=60, metrics=figures) as client:
        cache = client.cache("cache")
        await cache.remove_by_tag(["prices"])
        for _ in range(500):
            await product_page(cache, database, random.choice([1, 1, 1, 1, 2, 2, 3, 4, 5, 6]))
    hits, misses = figures.counts["cache.hits"], figures.counts["cache.misses"]
    p99 = sorted(figures.seconds)[int(len(figures.seconds) * 0.99)]
    print(f"hit ratio {hits / (hits + misses):.0%}, queries: {database.queries}, p99 {p99 * 1_000:.1f} ms")


if __name__ == "__main__":
    asyncio.run(main())
