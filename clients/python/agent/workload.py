"""What the callers of a load ask for."""

from __future__ import annotations

import bisect
import itertools
import random
from typing import Any

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

# Calls drawn before the load begins; each caller begins at a place of its own and goes round.
_PLANNED = 65_536

# A key, and the value to set; None to get.
Step = tuple[bytes, "bytes | None"]


class Workload:
    """Keys and values, made beforehand: making them is not what is measured."""

    def __init__(self, fields: dict[str, Any], seed: int) -> None:
        name = fields.get("name", "reference")
        if name not in _DEFAULTS:
            raise ValueError(f"unknown workload {name}")
        chosen: dict[str, Any] = {"missRatio": 0, "ttlMs": 600_000, "preload": True} | _DEFAULTS[name] | fields
        if "valueBytes" in fields:
            chosen.pop("valueBytesMix", None)
        self._random = random.Random(seed)
        self._count = int(chosen["keys"])
        self._reads = float(chosen["readRatio"])
        self._misses = float(chosen["missRatio"])
        self.ttl_ms = int(chosen["ttlMs"])
        self.preload = bool(chosen["preload"])
        self._sizes: list[list[float]] = chosen.get("valueBytesMix") or [[chosen["valueBytes"], 1]]
        self._values: dict[int, bytes] = {}
        zipf = float(chosen["zipf"])
        self._weights = list(itertools.accumulate(1 / (i + 1) ** zipf for i in range(self._count))) if zipf else []
        self.plan: list[Step] = [self._step() for _ in range(_PLANNED)]

    def key(self, i: int) -> bytes:
        """Return key i: 16 bytes."""
        return b"larder-%09d" % i

    def every_key(self) -> list[Step]:
        """Return a set of each key, for the preload."""
        return [(self.key(i), self._value(self.key(i))) for i in range(self._count)]

    def _step(self) -> Step:
        if self._weights:
            i = bisect.bisect(self._weights, self._random.random() * self._weights[-1])
        else:
            i = self._random.randrange(self._count)
        if self._random.random() >= self._reads:
            return self.key(i), self._value(self.key(i))
        return self.key(i + self._count if self._random.random() < self._misses else i), None

    def _value(self, key: bytes) -> bytes:
        size = int(self._random.choices([s[0] for s in self._sizes], [s[1] for s in self._sizes])[0])
        filler = self._values.setdefault(size, b"x" * size)
        return (key + filler)[:size]
