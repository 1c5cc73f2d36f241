"""`python metrics.py`: metrics of the client, collected by a class with three methods."""

import asyncio
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping

from larder_cache import CacheClient, CredentialProvider


class Printed:
    """Collects the client's metrics. For OpenTelemetry, use OpenTelemetryMetrics instead."""

    def __init__(self) -> None:
        self.durations: defaultdict[str, list[float]] = defaultdict(list)
        self.counts: Counter[str] = Counter()
        self.gauges: dict[str, Callable[[], int | None]] = {}

    def record(self, name: str, seconds: float, attributes: Mapping[str, str]) -> None:
        self.durations[f"{name} {attributes['cache.operation']} {attributes['cache.outcome']}"].append(seconds)

    def add(self, name: str, count: int, attributes: Mapping[str, str]) -> None:
        self.counts[name] += count

    def watch(self, name: str, read: Callable[[], int | None]) -> None:
        self.gauges[name] = read


async def main() -> Printed:
    kept = Printed()
    credentials = CredentialProvider.from_string(os.environ.get("LARDER_URL", "http://127.0.0.1:8080"))
    async with CacheClient(credentials, default_ttl=60, metrics=kept) as client:
        cache = client.cache("cache")
        await cache.set("metered", "value")
        await asyncio.gather(*(cache.get("metered") for _ in range(100)))
        await cache.get("not there")
    return kept


if __name__ == "__main__":
    told = asyncio.run(main())
    for name, seconds in sorted(told.durations.items()):
        print(f"{name}: {len(seconds)} calls, {sum(seconds) / len(seconds) * 1e6:.0f} µs each")
    for name, count in told.counts.items():
        print(f"{name}: {count}")
    for name, read in told.gauges.items():
        print(f"{name}: {read()}")
