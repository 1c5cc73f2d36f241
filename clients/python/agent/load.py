"""Generates a load with concurrent callers, as in an application, and measures it."""

from __future__ import annotations

import asyncio
import gc
import math
import random
import resource
import time
from array import array
from collections import deque
from collections.abc import AsyncIterator, Iterator
from typing import Any

from agent.histogram import cells, histogram
from agent.target import DONE, HIT, MISS, AgentError, Target
from agent.trace import Step
from agent.workload import Workload

_clock = time.perf_counter_ns

# The maximum number of samples that are sorted for a progress line. Sorting more would disturb the measurement.
_PROGRESS_SAMPLES = 5_000
_LAG_EVERY_S = 0.010
_PRELOADERS = 100

# The loop's timers have a resolution of a millisecond. The delay is part of the measured latency, because busy waiting
# would use a whole processor.
_SHORTEST_SLEEP_S = 0.001


class Load:
    """In a closed loop, each caller makes a call, waits for it and repeats.

    In an open loop, calls are due at times that the rate determines.
    """

    def __init__(self, target: Target, request: dict[str, Any]) -> None:
        self._target = target
        self._callers = int(request["callers"])
        if not 1 <= self._callers <= 100_000:
            raise AgentError("callers must be from 1 to 100,000")
        self._seconds = float(request["seconds"])
        self._warmup_s = float(request.get("warmupSeconds", 1))
        self._seed = int(request.get("seed", 1))
        self._rate = float(request.get("openLoopRatePerSecond") or 0)
        self._gap_ns = 1e9 / self._rate if self._rate else 0.0
        self._poisson = request.get("arrivals", "poisson") == "poisson"
        self._verify = bool(request.get("verify"))
        self._tell = bool(request.get("progress", True))
        self._workload = Workload(request.get("workload") or {}, self._seed)
        # Latencies in nanoseconds. `_latencies` are measured from the time at which each call was due. `_service`, used
        # only in the open loop, are measured from the time at which each call was made.
        self._latencies = array("q")
        self._service = array("q")
        # The lateness of calls that were due while a caller was free.
        self._lateness = array("q")
        # The times from the permit to the end of each call, if requested and reported by the client.
        self._wire = array("q")
        self._observe: Any = getattr(target, "observe", None) if request.get("wire") else None
        self._late = self._reads = self._writes = self._hits = self._misses = self._crossed = 0
        self._errors: dict[str, int] = {}
        self._begin = self._end = 0
        self._random = random.Random(self._seed)
        # The state of the open loop: its start, the number of arrivals drawn, the next due time, and the callers that
        # wait for an arrival.
        self._start = self._drawn = self._due = 0
        self._free: deque[asyncio.Future[int]] = deque()
        self._one_is_free = asyncio.Event()
        self._lags = array("q")
        slice_ms = request.get("sliceMs")
        self._slice_ns = 0 if slice_ms is None else round(float(slice_ms) * 1e6)
        if self._slice_ns and not 20_000_000 <= self._slice_ns <= 60_000_000_000:
            raise AgentError(f"sliceMs must be from 20 to 60,000, not {slice_ms}")
        # For each slice except the last: when it ended, in nanoseconds since the measurement started, and how many
        # calls had completed by that time.
        self._cuts: list[tuple[int, int]] = []

    async def run(self) -> dict[str, Any]:
        """Preload, warm up and measure. Returns the fields of the last line."""
        if self._workload.preload:
            await self._preload()
        # Exclude the existing objects from garbage collection, as docs/guides/python.md recommends. Otherwise a full
        # collection traverses the objects of every module while all calls wait.
        gc.collect()
        gc.freeze()
        self._start = _clock()
        self._begin = self._start + round(self._warmup_s * 1e9)
        self._end = self._begin + round(self._seconds * 1e9)
        self._due = self._start
        cpu: list[float] = [0.0]
        loop = asyncio.get_running_loop()
        loop.call_later(self._warmup_s, lambda: cpu.append(_cpu_seconds()))
        lag = asyncio.create_task(self._measure_lag())
        slicing = asyncio.create_task(self._slice())
        if self._observe is not None:
            self._observe(self._note_wire)
        async with asyncio.TaskGroup() as group:
            for caller in range(self._callers):
                steps = self._workload.steps(self._seed * 1_000_003 + caller)
                group.create_task(self._open_loop(steps) if self._rate else self._closed_loop(steps))
            if self._rate:
                group.create_task(self._pace())
        used = _cpu_seconds() - cpu[-1]
        if self._observe is not None:
            self._observe(None)
        lag.cancel()
        slicing.cancel()
        return self._result(used)

    def _note_wire(self, seconds: float) -> None:
        if _clock() >= self._begin:
            self._wire.append(round(seconds * 1e9))

    async def _closed_loop(self, steps: Iterator[Step]) -> None:
        while (made := _clock()) < self._end:
            await self._call(next(steps), made, made)

    async def _open_loop(self, steps: Iterator[Step]) -> None:
        loop = asyncio.get_running_loop()
        while (due := self._due) < self._end > (now := _clock()):
            # If other callers were waiting, this arrival is late because `_pace` ran late. Otherwise it is late because
            # all callers were busy.
            was_free = bool(self._free)
            if due <= now:
                self._draw()
            else:
                was_free = True
                self._free.append(loop.create_future())
                self._one_is_free.set()
                due = await self._free[-1]
                if due >= self._end:
                    return
            made = _clock()
            if was_free and made >= self._begin:
                self._lateness.append(made - due)
            await self._call(next(steps), due, made)
        self._one_is_free.set()

    async def _pace(self) -> None:
        """Give each due arrival to a waiting caller.

        A caller that becomes free after an arrival is due takes the arrival itself.
        """
        while (now := _clock()) < self._end:
            while self._free and self._due <= now and self._due < self._end:
                self._free.popleft().set_result(self._due)
                self._draw()
            if not self._free:
                # All callers are busy. A caller takes the next arrival when its call has ended. Wait instead of
                # polling, because polling would take CPU time from the callers.
                self._one_is_free.clear()
                await self._one_is_free.wait()
                continue
            await asyncio.sleep(max(_SHORTEST_SLEEP_S, (min(self._due, self._end) - now) / 1e9))
        while self._free:
            self._free.popleft().set_result(self._end)

    def _draw(self) -> None:
        self._drawn += 1
        if self._workload.trace:
            self._due = self._start + round(self._workload.trace.due_s(self._drawn, self._rate) * 1e9)
        else:
            self._due += round(self._gap_ns * (-math.log(1 - self._random.random()) if self._poisson else 1))

    def _unstarted(self) -> int:
        count = 0
        while self._rate and self._due < self._end:
            count += 1
            self._draw()
        return count

    async def _call(self, step: Step, due: int, made: int) -> None:
        key, value, ttl_ms = step
        response: Any = None
        try:
            if value is None:
                response = await self._target.get(key)
            else:
                response = await self._target.set(key, value, ttl_ms)
            outcome = self._target.outcome(response)
        except Exception as error:
            # Clients of other caches raise exceptions. Count each exception by its type, so that no error is lost.
            outcome = type(error).__name__
        ended = _clock()
        if ended < self._begin:
            return
        self._latencies.append(ended - due)
        if self._rate:
            self._service.append(ended - made)
        if ended > self._end:
            self._late += 1
        if value is None:
            self._reads += 1
        else:
            self._writes += 1
        if outcome is HIT:
            self._hits += 1
            if self._verify and not self._target.value(response).startswith(key):
                self._crossed += 1
        elif outcome is MISS:
            self._misses += 1
        elif outcome is not DONE:
            self._errors[outcome] = self._errors.get(outcome, 0) + 1

    async def _preload(self) -> None:
        steps = iter(self._workload.every_key())

        async def some() -> None:
            for key, value, ttl_ms in steps:
                for attempt in range(2):
                    outcome = self._target.outcome(await self._target.set(key, value or b"", ttl_ms))
                    if outcome is DONE:
                        break
                    if attempt:
                        raise AgentError(f"the preload failed: a set returned {outcome}")

        await asyncio.gather(*(some() for _ in range(_PRELOADERS)))

    async def _measure_lag(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(_LAG_EVERY_S)
            asked = _clock()
            ran: asyncio.Future[None] = loop.create_future()
            loop.call_soon(ran.cancel)
            await asyncio.wait([ran])
            if asked >= self._begin:
                self._lags.append(_clock() - asked)

    async def _slice(self) -> None:
        if not self._slice_ns:
            return
        end = self._begin + self._slice_ns
        while end < self._end:
            await asyncio.sleep(max(0.0, (end - _clock()) / 1e9))
            self._cuts.append((_clock() - self._begin, len(self._latencies)))
            end += self._slice_ns

    def _slices(self) -> list[dict[str, Any]] | None:
        if not self._slice_ns:
            return None
        slices: list[dict[str, Any]] = []
        first = 0
        for end_ns, count in [*self._cuts, (self._end - self._begin, len(self._latencies))]:
            slices.append({"endMs": round(end_ns / 1e6, 1), "counts": cells(self._latencies[first:count])})
            first = count
        return slices

    async def progress(self) -> AsyncIterator[dict[str, Any]]:
        """Yield a line for each second of the measurement that has passed."""
        if not self._tell:
            return
        while not self._begin:
            await asyncio.sleep(0.05)
        seen, second = (0, 0, 0, 0), 0
        await asyncio.sleep(max(0.0, (self._begin - _clock()) / 1e9))
        names = ("second", "requests", "errors", "hits", "misses", "p50Us", "p99Us", "p999Us", "maxUs")
        yield dict.fromkeys(names, 0)
        while second < int(self._seconds):
            second += 1
            await asyncio.sleep(max(0.0, (self._begin + second * 1e9 - _clock()) / 1e9))
            now = (len(self._latencies), self._hits, self._misses, sum(self._errors.values()))
            requests, hits, misses, errors = (a - b for a, b in zip(now, seen))
            window = self._latencies[seen[0] : now[0]]
            sample = sorted(window[:: max(1, requests // _PROGRESS_SAMPLES)])
            seen = now
            line: dict[str, Any] = {
                "second": second,
                "requests": requests,
                "errors": errors,
                "hits": hits,
                "misses": misses,
            }
            for name, q in (("p50Us", 0.5), ("p99Us", 0.99), ("p999Us", 0.999)):
                line[name] = _quantile(sample, q)
            yield line | {"maxUs": max(window, default=0) / 1_000}

    def _result(self, cpu_seconds: float) -> dict[str, Any]:
        lags = sorted(self._lags)
        return {
            "callers": self._callers,
            "seconds": self._seconds,
            "requests": len(self._latencies) - self._late,
            "lateRequests": self._late,
            "reads": self._reads,
            "writes": self._writes,
            "hits": self._hits,
            "misses": self._misses,
            "errors": self._errors,
            "crossed": self._crossed,
            "histogram": histogram(self._latencies),
            "serviceHistogram": histogram(self._service) if self._rate else None,
            "lateHistogram": histogram(self._lateness) if self._rate else None,
            "wireHistogram": histogram(self._wire) if self._wire else None,
            "slices": self._slices(),
            "unstarted": self._unstarted(),
            "bytesAllocatedPerCall": None,
            "clientCpuSeconds": cpu_seconds,
            "residentBytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
            "lagUs": {"p50": _quantile(lags, 0.5), "p99": _quantile(lags, 0.99), "max": _quantile(lags, 1)},
        }


def _cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _quantile(ordered: list[int], q: float) -> float:
    if not ordered:
        return 0.0
    return ordered[min(len(ordered) - 1, max(0, -int(-q * len(ordered) // 1) - 1))] / 1_000
