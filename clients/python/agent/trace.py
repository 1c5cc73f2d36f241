"""A recorded sequence of calls to replay: conformance/AGENT.md, "Trace"."""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

from agent.target import AgentError

_MAX_LINES = 5_000_000
_MAX_BYTES = 5_000_000


class Step(NamedTuple):
    """A call: a key, the value to set (None for a get), and its time to live."""

    key: bytes
    value: bytes | None
    ttl_ms: int


class Trace:
    """The calls of a file and their times."""

    def __init__(self, steps: list[Step], times: list[float], first: dict[bytes, Step]) -> None:
        self.steps = steps
        self.first = list(first.values())
        self._times = times
        span = times[-1] - times[0]
        # When the trace repeats, the gap between the last call and the first call is the average gap.
        self._period = span * len(steps) / (len(steps) - 1) if len(steps) > 1 and span > 0 else 0.0

    def due_s(self, number: int, rate: float) -> float:
        """Return the time at which call `number` is due at a mean rate, in seconds from the start.

        The number counts from 0 and continues after the end of the trace.
        """
        if not self._period:
            return number / rate
        turn, at = divmod(number, len(self.steps))
        passed = turn * self._period + self._times[at] - self._times[0]
        return passed / self._period * len(self.steps) / rate


@functools.lru_cache(maxsize=1)
def read_trace(path: str, ttl_ms: int) -> Trace:
    """Read a trace file. Caches the last trace for the rounds of a sweep."""
    try:
        with open(path, encoding="utf-8") as lines:
            return parse_trace(lines.read().splitlines(), ttl_ms)
    except OSError as error:
        raise AgentError(f"the trace {path} cannot be read: {error}") from error


def parse_trace(lines: list[str], ttl_ms: int) -> Trace:
    """Parse lines. Sets without a TTL get `ttl_ms`."""
    steps: list[Step] = []
    times: list[float] = []
    first: dict[bytes, Step] = {}
    values: dict[tuple[bytes, int], bytes] = {}
    for number, line in enumerate(lines, 1):
        fields = line.split(",")
        if number == 1 and not _is_number(fields[0]):
            continue
        try:
            time, op, name, size, *rest = fields
            at, count = float(time), _whole(size, _MAX_BYTES)
            ttl = _whole(rest[0], 2**63 - 1) if rest and rest[0] else ttl_ms
            good = op in ("get", "set") and name and math.isfinite(at) and ttl > 0 and len(rest) <= 1
            if not good or number > _MAX_LINES or (times and at < times[-1]):
                raise ValueError
        except ValueError:
            raise AgentError(
                f"line {number} of the trace is invalid: '{line}'. Line format: 'time,get|set,key,size[,ttlMs]'. "
                f"Times must not decrease. A trace has at most {_MAX_LINES:,} lines"
            ) from None
        key = name.encode()
        value = values.get((key, count))
        if value is None:
            value = values[key, count] = value_of(key, count)
        times.append(at)
        steps.append(Step(key, value if op == "set" else None, ttl))
        first.setdefault(key, Step(key, value, ttl))
    if not steps:
        raise AgentError("the trace contains no call")
    return Trace(steps, times, first)


def value_of(key: bytes, size: int) -> bytes:
    """Return a value of this length that starts with its key."""
    return (key + b"x" * (size - len(key)))[:size]


def _whole(text: str, most: int) -> int:
    if not text.isdecimal() or int(text) > most:
        raise ValueError(text)
    return int(text)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
