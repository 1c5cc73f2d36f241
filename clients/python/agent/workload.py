"""The calls that the callers of a load make."""

from __future__ import annotations

import bisect
import itertools
import random
from collections.abc import Iterable, Iterator
from typing import Any

from agent.target import AgentError
from agent.trace import Step, Trace, read_trace, value_of

_MIX = [[50, 15], [100, 20], [200, 25], [300, 15], [500, 10], [1_000, 8], [2_000, 4], [10_000, 2]]
_DEFAULTS: dict[str, dict[str, Any]] = {
    "reference": {"keys": 1_000, "zipf": 0, "readRatio": 0.5, "valueBytes": 100},
    "production": {
        "keys": 100_000,
        "zipf": 1.0,
        "readRatio": 0.9,
        "valueBytesMix": [*_MIX, [50_000, 0.8], [100_000, 0.2]],
    },
}

# The number of calls drawn before the load starts. Each caller starts at its own position and wraps around.
_PLANNED = 65_536

# Multiples of these steps distribute a mix of sizes or TTLs evenly over hot and cold keys. The agents of all languages
# use the same steps.
_SIZE_STEP, _TTL_STEP = 0.6180339887498949, 0.7548776662466927


class Workload:
    """Keys and values, created in advance so that their creation is not measured."""

    def __init__(self, fields: dict[str, Any], seed: int) -> None:
        name = fields.get("name", "reference")
        if name not in _DEFAULTS:
            raise AgentError(f"unknown workload {name}")
        chosen: dict[str, Any] = {"missRatio": 0, "ttlMs": 600_000} | _DEFAULTS[name] | fields
        if "valueBytes" in fields and "valueBytesMix" not in fields:
            chosen.pop("valueBytesMix", None)
        self._random = random.Random(seed)
        self._count = int(chosen["keys"])
        self._reads = float(chosen["readRatio"])
        self._misses = float(chosen["missRatio"])
        path: str | None = fields.get("trace")
        self.trace: Trace | None = read_trace(path, int(chosen["ttlMs"])) if path else None
        self.preload = bool(chosen.get("preload", self.trace is None))
        self._sizes: list[list[float]] = chosen.get("valueBytesMix") or [[chosen["valueBytes"], 1]]
        self._ttls: list[list[float]] = chosen.get("ttlMsMix") or [[chosen["ttlMs"], 1]]
        self._made: dict[int, Step] = {}
        zipf = float(chosen["zipf"])
        self._weights = list(itertools.accumulate(1 / (i + 1) ** zipf for i in range(self._count))) if zipf else []
        self._plan = self.trace.steps if self.trace else [self._step() for _ in range(_PLANNED)]
        self._replay = itertools.cycle(self._plan)

    def steps(self, seed: int) -> Iterator[Step]:
        """Yield the calls of a caller without end.

        They start at the caller's own position, or are the next calls of the trace.
        """
        return self._replay if self.trace else self._from(random.Random(seed).randrange(len(self._plan)))

    def every_key(self) -> Iterable[Step]:
        """Yield a set of each key, for the preload."""
        return self.trace.first if self.trace else map(self._set, range(self._count))

    def _from(self, place: int) -> Iterator[Step]:
        plan = self._plan
        while True:
            for at in range(place, len(plan)):
                yield plan[at]
            place = 0

    def _step(self) -> Step:
        if self._weights:
            i = bisect.bisect(self._weights, self._random.random() * self._weights[-1])
        else:
            i = self._random.randrange(self._count)
        if self._random.random() >= self._reads:
            return self._set(i)
        return Step(_key(i + self._count if self._random.random() < self._misses else i), None, 0)

    def _set(self, i: int) -> Step:
        made = self._made.get(i)
        if made is None:
            size = int(_drawn(self._sizes, i, _SIZE_STEP))
            made = self._made[i] = Step(_key(i), value_of(_key(i), size), int(_drawn(self._ttls, i, _TTL_STEP)))
        return made


def _key(i: int) -> bytes:
    return b"larder-%09d" % i


def _drawn(mix: list[list[float]], i: int, step: float) -> float:
    share = (i + 1) * step % 1 * sum(weight for _, weight in mix)
    for value, weight in mix:
        share -= weight
        if share < 0:
            return value
    return mix[-1][0]
