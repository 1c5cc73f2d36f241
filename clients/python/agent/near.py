"""The randomized run of one process (conformance/AGENT.md, `near`)."""

from __future__ import annotations

import asyncio
import bisect
import itertools
import random
import time
from array import array
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from agent.histogram import histogram
from agent.near_check import NearCheck
from agent.near_hits import hits_of
from agent.near_records import NearRecords
from agent.near_settings import NearSettings
from agent.near_value import near_value, version_of
from agent.near_writes import NearWrites
from larder_cache import CacheClient
from larder_cache import responses as r

_FILL_BATCH, _SWEEPERS, _BATCH_KEYS = 500, 4, 4

# The pause after a failure. Without this pause, a caller whose calls fail immediately would loop continuously.
_AFTER_FAILURE_S = 0.010

_clock = time.monotonic_ns


class NearRun:
    """Runs callers that read and write keys with numbered values. Checks and records every response."""

    def __init__(self, settings: NearSettings, client: CacheClient, cache: str) -> None:
        self._settings = settings
        self._client, self._cache = client, client.cache(cache).results
        self.check = NearCheck(settings.keys, settings.delete_every)
        self._writes = NearWrites(settings.keys, settings.settle_ns)
        self._keys = [f"{settings.prefix}-{key:09d}".encode() for key in range(settings.keys)]
        self._zipf = list(itertools.accumulate((key + 1) ** -settings.zipf for key in range(settings.keys)))
        self._records = NearRecords(settings.records)
        self._latencies = array("q")
        self._failures: dict[str, int] = {}
        self._reads = self._plain_reads = self._misses = self._wrote = self._deletes = 0
        self._before = self._counted()
        self.filled, self.go = asyncio.Event(), asyncio.Event()
        self._begun = 0
        self._is_over = False

    async def run(self) -> dict[str, Any]:
        """Run the callers and wait until they finish. Returns the response of the operation."""
        with self._records:
            if self._settings.fill:
                await self.sweep()
            self.filled.set()
            if self._settings.hold:
                await self.go.wait()
            measuring = asyncio.create_task(self._measure())
            callers = self._settings.callers
            step = [self._step] * callers + [self._peek] * self._settings.peekers
            await asyncio.gather(*(self._call(number, each) for number, each in enumerate(step)))
            measuring.cancel()
        return self.now() | {"readHistogram": histogram(self._latencies)}

    async def sweep(self) -> dict[str, Any]:
        """Write a new version of every key of this process, in batches. Skips keys that are being written."""
        began, written = _clock(), 0
        own = filter(self._is_own, range(self._settings.keys))

        async def some() -> None:
            nonlocal written
            while batch := list(itertools.islice(own, _FILL_BATCH)):
                # Add in a separate statement. The statement `written += await …` would lose the counts that other tasks
                # add during the await.
                stored = await self._set_batch(batch)
                written += stored

        await asyncio.gather(*(some() for _ in range(_SWEEPERS)))
        return {"result": "success", "written": written, "beganNs": str(began), "endedNs": str(_clock())}

    def now(self) -> dict[str, Any]:
        """Return the current counts."""
        seconds = (_clock() - self._begun) / 1e9 if self._begun else 0.0
        counted = {name: count - self._before[name] for name, count in self._counted().items()}
        about = {
            "result": "success",
            "seconds": seconds,
            "unsettled": self._writes.unsettled(),
            "violations": self.check.violations,
            "told": self.check.told,
            "readsPerSecond": counted["reads"] / seconds if seconds else 0.0,
            "failures": self._failures,
        }
        return about | counted

    def _counted(self) -> dict[str, int]:
        return {
            "reads": self._reads,
            "hits": hits_of(self._client),
            "misses": self._misses,
            "plainReads": self._plain_reads,
            "writes": self._wrote,
            "deletes": self._deletes,
        }

    async def _measure(self) -> None:
        await asyncio.sleep(self._settings.warmup_s)
        self._before = self._counted()
        self._begun = _clock()
        await asyncio.sleep(self._settings.seconds)
        self._is_over = True

    async def _call(self, number: int, step: Callable[[random.Random], Awaitable[bool]]) -> None:
        settings = self._settings
        drawn = random.Random(settings.seed * 1_000_003 + settings.index * 1_009 + number)
        while not self._is_over:
            for _ in range(settings.burst):
                if self._is_over:
                    return
                if not await step(drawn):
                    await asyncio.sleep(_AFTER_FAILURE_S)
            await asyncio.sleep(settings.pause_s)

    async def _step(self, drawn: random.Random) -> bool:
        settings, key = self._settings, self._chosen(drawn)
        if settings.index >= 0 and drawn.random() < settings.write_share:
            return await self._write_some(drawn, self._own_near(key))
        if drawn.random() < settings.plain_share:
            if drawn.random() < 0.5:
                return await self._get_with_hash(key)
            return await self._get_batch([self._chosen(drawn) for _ in range(_BATCH_KEYS)])
        began = _clock()
        is_well = (drawn.random() < 0.5 and self._try_get_near(key)) or await self._get(key)
        if self._begun:
            self._latencies.append(_clock() - began)
        return is_well

    async def _peek(self, drawn: random.Random) -> bool:
        self._try_get_near(self._chosen(drawn))
        return True

    # One fifth of the writes use the set that returns the hash, and one fifth write several keys as a batch.
    async def _write_some(self, drawn: random.Random, key: int) -> bool:
        how = drawn.randrange(5)
        if how == 1:
            await self._set_batch({self._own_near(self._chosen(drawn)) for _ in range(_BATCH_KEYS)})
            return True
        return await self._write(key, with_hash=how == 0) is not False

    def _chosen(self, drawn: random.Random) -> int:
        if self._settings.zipf == 0:
            return int(drawn.random() * len(self._keys))
        return min(bisect.bisect(self._zipf, drawn.random() * self._zipf[-1]), len(self._keys) - 1)

    def _is_own(self, key: int) -> bool:
        return self._settings.index >= 0 and key % self._settings.writers == self._settings.index

    def _own_near(self, key: int) -> int:
        own = key - key % self._settings.writers + self._settings.index
        return own if own < self._settings.keys else own - self._settings.writers

    def _try_get_near(self, key: int) -> bool:
        """Read only the local copy. Returns False if the key has no local copy."""
        floor, began = self.check.floors[key], _clock()
        value = self._cache.try_get_near(self._keys[key])
        return value is not None and self._ended(key, floor, began, r.Hit(value))

    async def _get(self, key: int) -> bool:
        floor, began = self.check.floors[key], _clock()
        response = await self._cache.get(self._keys[key])
        return self._ended(key, floor, began, response)

    async def _get_with_hash(self, key: int) -> bool:
        floor, began = self.check.floors[key], _clock()
        response = await self._cache.get_with_hash(self._keys[key])
        self._plain_reads += 1
        return self._ended(key, floor, began, response)

    async def _get_batch(self, keys: list[int]) -> bool:
        floors, began = [self.check.floors[key] for key in keys], _clock()
        response = await self._cache.get_batch([self._keys[key] for key in keys])
        if isinstance(response, r.Error):
            return self._failed(response)
        self._plain_reads += len(keys)
        ended = [self._ended(key, floor, began, each) for key, floor, each in zip(keys, floors, response.responses)]
        return all(ended)

    def _ended(self, key: int, floor: int, began: int, response: Any) -> bool:
        if isinstance(response, r.Error):
            return self._failed(response)
        ended = _clock()
        self._reads += 1
        if self._reads >= self._settings.most_reads:
            self._is_over = True
        value: bytes | None = getattr(response, "value", None)
        if value is not None:
            version = version_of(value, key)
            if version == 0:
                self.check.violated(f"key {key}: a read returned another key's value or a torn value")
                return True
            self.check.found(key, floor, version)
            self._records.read(key, version, began, ended)
        else:
            self._misses += 1
            # A short-lived value may have expired, so a miss of its key is never a violation.
            if self._settings.is_short(key):
                return True
            version = self.check.missed(key, floor, self._writes.issued[key] if self._is_own(key) else None)
            if version > 0:
                self._records.missed(key, version)
        if version > 0 and self._is_own(key):
            self._writes.seen(key, version)
        return True

    async def _write(self, key: int, *, with_hash: bool) -> bool | None:
        """Set or delete the next version. Returns None, without a write, if the key may not be written now."""
        version = self._writes.try_begin(key, _clock())
        if version == 0:
            return None
        name, ttl = self._keys[key], self._settings.ttl_of(key)
        response: Any
        if self.check.is_delete(version):
            response = await self._cache.delete(name)
        elif with_hash:
            response = await self._cache.set_with_hash(name, self._value(key, version), ttl=ttl)
        else:
            response = await self._cache.set(name, self._value(key, version), ttl=ttl)
        return self._written(key, version, response)

    async def _set_batch(self, keys: Iterable[int]) -> int:
        """Set the next versions of those keys that may be written. Deletes are separate calls."""
        taken: list[tuple[int, int]] = []
        stored = 0
        for key in keys:
            if self.check.is_delete(self._writes.issued[key] + 1):
                stored += await self._write(key, with_hash=False) is True
            elif version := self._writes.try_begin(key, _clock()):
                taken.append((key, version))
        if not taken:
            return stored
        items = [(self._keys[key], self._value(key, version), self._settings.ttl_of(key)) for key, version in taken]
        response = await self._cache.set_batch(items)
        return stored + sum(self._written(key, version, response) for key, version in taken)

    def _written(self, key: int, version: int, response: Any) -> bool:
        ended = _clock()
        if isinstance(response, r.Error):
            self._records.unknown(key, version, ended)
            self._writes.unknown(key, ended)
            return self._failed(response)
        self.check.finished(key, version)
        self._records.wrote(key, version, ended)
        self._writes.finished(key)
        self._wrote += 1
        self._deletes += self.check.is_delete(version)
        return True

    def _value(self, key: int, version: int) -> bytes:
        return near_value(key, version, self._settings.value_bytes)

    def _failed(self, error: r.Error) -> bool:
        code = error.code.value
        self._failures[code] = self._failures.get(code, 0) + 1
        return False
