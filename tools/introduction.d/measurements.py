"""Runs the programs of docs/introduction.md (clients/python/examples/shop) and returns the measurements."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import platform
import random
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "clients" / "python"), str(ROOT / "clients" / "python" / "examples" / "shop")]

import step1  # noqa: E402
import step2  # noqa: E402
import step3  # noqa: E402
import step4  # noqa: E402
import step5  # noqa: E402
from database import URL, Database  # noqa: E402

from larder_cache import Cache, CacheClient  # noqa: E402


def _rounded(value: float) -> float:
    return float(f"{value:.3g}")


async def _milliseconds(call: Callable[[], Awaitable[Any]]) -> float:
    start = time.perf_counter()
    await call()
    return _rounded((time.perf_counter() - start) * 1_000)


def _client() -> CacheClient:
    return CacheClient(URL, default_ttl=60)


async def cache_aside() -> dict[str, Any]:
    """Step 1: measure the time of each of 30 sequential requests. Returns the medians of five rounds."""
    without: list[list[float]] = []
    cached: list[list[float]] = []
    async with _client() as client:
        cache, database = client.cache("cache"), Database()
        for _ in range(5):
            await cache.delete("product:7")
            without.append([await _milliseconds(lambda: database.product(7)) for _ in range(30)])
            cached.append([await _milliseconds(lambda: step1.product_page(cache, database, 7)) for _ in range(30)])
    return {"without": _medians(without), "with": _medians(cached)}


def _medians(rounds: list[list[float]]) -> list[float]:
    return [statistics.median(times) for times in zip(*rounds, strict=True)]


async def one_load() -> dict[str, Any]:
    """Step 2: measure the times of 200 concurrent requests, 100 in each of two clients. Returns the sorted times."""
    figures: dict[str, Any] = {}
    async with _client() as one, _client() as two:
        caches = [one.cache("cache"), two.cache("cache")]
        for name, page in (("step 1", step1.product_page), ("step 2", step2.product_page)):
            database = Database()
            await caches[0].delete("product:7")
            times = await asyncio.gather(
                *(_milliseconds(lambda c=cache: page(c, database, 7)) for cache in caches for _ in range(100))
            )
            figures[name] = {"ms": sorted(times), "queries": database.queries}
    return figures


class _DatedDatabase(Database):
    """A database that returns the time of the query instead of a page."""

    async def product(self, number: int) -> str:
        await super().product(number)
        return str(time.monotonic())


async def database_down() -> dict[str, Any]:
    """Step 3: measure the age of each page that a visitor gets.

    The age is None if the visitor gets an error. The TTL is 1 s. The database is down from 2 s to 5 s.
    """
    figures: dict[str, Any] = {"ttl": 1, "down": [2, 5]}
    async with _client() as client:
        cache = client.cache("cache")
        for name, page, number in (("step 2", step2.product_page, 1), ("step 3", step3.product_page, 2)):
            database = _DatedDatabase()
            await cache.delete(f"product:{number}")
            ages: list[tuple[float, float | None]] = []
            start = time.monotonic()
            while (now := time.monotonic() - start) < 7:
                database.is_down = 2 <= now < 5
                age: float | None = None
                with contextlib.suppress(ConnectionError):
                    loaded = float(await page(cache, database, number, ttl=1))
                    age = _rounded(max(0.0, time.monotonic() - loaded))
                ages.append((_rounded(now), age))
                await asyncio.sleep(0.05)
            figures[name] = ages
    return figures


async def tags() -> dict[str, Any]:
    """Step 4: count how many of 20 cached pages show the old price after the price has changed at 0 s.

    The TTL is 3 s.
    """
    products = range(1, 21)
    figures: dict[str, Any] = {"ttl": 3}
    async with _client() as client:
        cache = client.cache("cache")
        for name, page, first in (("step 3", step3.product_page, 100), ("step 4", step4.product_page, 200)):
            database = Database()
            numbers = [first + product for product in products]
            await cache.delete_each([f"product:{number}" for number in numbers])
            # The visitors of a shop arrive at any time, so the pages do not expire together.
            random.seed(1)
            for number in random.sample(numbers, len(numbers)):
                await page(cache, database, number, ttl=3)
                await asyncio.sleep(0.09)
            database.discount = 5
            start = time.monotonic()
            if name == "step 4":
                await cache.remove_by_tag(["prices"])
            wrong: list[tuple[float, int]] = [(0, len(numbers))]
            while (now := time.monotonic() - start) < 4:
                pages = await asyncio.gather(*(page(cache, database, number, ttl=3) for number in numbers))
                texts = [f"Product {number} costs {10 * number - 5} euros" for number in numbers]
                wrong.append((_rounded(now), sum(text != page for text, page in zip(texts, pages, strict=True))))
                await asyncio.sleep(0.05)
            figures[name] = wrong
    return figures


async def near() -> dict[str, Any]:
    """Step 5: measure the median and p99 latency of pages from the database, the server and the near cache."""
    figures: dict[str, Any] = {}
    async with _client() as plain, CacheClient(URL, default_ttl=60, configuration=step5.NEAR) as near_client:
        database = Database()

        async def of(cache: Cache) -> str:
            return await step4.product_page(cache, database, 7)

        plain_cache, near_cache = plain.cache("cache"), near_client.cache("cache")
        sources: list[tuple[str, Callable[[], Awaitable[str]], int]] = [
            ("database", lambda: database.product(7), 100),
            ("server", lambda: of(plain_cache), 5_000),
            ("near cache", lambda: of(near_cache), 20_000),
        ]
        for name, call, count in sources:
            for _ in range(20):
                await call()
            times = sorted([await _milliseconds(call) for _ in range(count)])
            figures[name] = {"p50": times[count // 2], "p99": times[int(count * 0.99)]}
    return figures


async def hit_ratios() -> dict[str, Any]:
    """Step 6: measure the hit ratio and the queries a second for several TTLs.

    There are 1,500 requests, about 50 a second, for 200 products distributed by Zipf's law.
    """
    weights = [1 / rank for rank in range(1, 201)]
    async with _client() as client:
        cache = client.cache("cache")

        async def lane(number: int, ttl: float) -> dict[str, float]:
            database, choices = Database(), random.Random(number)
            pages = [10_000 * number + product for product in range(200)]
            await cache.delete_each([f"product:{page}" for page in pages])
            requests: list[asyncio.Task[str]] = []
            start = time.monotonic()
            for _ in range(1_500):
                page = choices.choices(pages, weights)[0]
                requests.append(asyncio.create_task(step4.product_page(cache, database, page, ttl=ttl)))
                await asyncio.sleep(0.02)
            await asyncio.gather(*requests)
            hits, elapsed = 1 - database.queries / len(requests), time.monotonic() - start
            return {"ttl": ttl, "hits": _rounded(hits), "queries": _rounded(database.queries / elapsed)}

        lanes = enumerate((0.1, 0.3, 1, 3, 10, 30), 1)
        return {"lanes": await asyncio.gather(*(lane(number, ttl) for number, ttl in lanes))}


async def all_steps() -> dict[str, Any]:
    # Hide the client's warnings. The client logs each stale page with the traceback of the failed load.
    logging.getLogger("larder_cache").setLevel(logging.ERROR)
    return {
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "machine": f"{platform.machine()}, {os.cpu_count()} processors",
        "1": await cache_aside(),
        "2": await one_load(),
        "3": await database_down(),
        "4": await tags(),
        "5": await near(),
        "6": await hit_ratios(),
    }
