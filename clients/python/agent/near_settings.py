"""The settings of a `near` request (conformance/AGENT.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agent.near_value import LEAST_BYTES
from agent.target import AgentError


@dataclass(frozen=True, slots=True, kw_only=True)
class NearSettings:
    """The settings of one process."""

    # The prefix of the keys. Different runs with one cache use different prefixes.
    prefix: str
    keys: int
    # This process writes the keys k with k modulo writers = index. If the index is -1, this process writes no keys.
    index: int
    writers: int
    callers: int
    # The number of additional callers that read only local copies and continue if a key has no copy.
    peekers: int
    # The share of calls that write.
    write_share: float
    # The share of the reads that use get_with_hash or a batch.
    plain_share: float
    # Every version divisible by this number is a delete. If it is 0, there are no deletes.
    delete_every: int
    # Each key k with k + 1 divisible by this number has the TTL `short_ttl_s`. If it is 0, no key has this TTL.
    short_every: int
    ttl_s: float
    short_ttl_s: float
    zipf: float
    value_bytes: int
    seconds: float
    # The duration of the warm-up. During the warm-up, only violations are counted.
    warmup_s: float
    # Whether the measurement starts only on request.
    hold: bool
    # The run ends after this many reads, regardless of the time.
    most_reads: int
    # The number of calls that a caller makes before it pauses, and the duration of the pause.
    burst: int
    pause_s: float
    # A key whose last write has an unknown outcome is not written for this time, unless a read returns that write.
    settle_ns: int
    seed: int
    # Whether each key of this process is written once before the measurement starts.
    fill: bool
    # The file for the records of this process; if it is None, nothing is recorded.
    records: str | None

    def is_short(self, key: int) -> bool:
        """Return whether a key is short-lived."""
        return self.short_every > 0 and (key + 1) % self.short_every == 0

    def ttl_of(self, key: int) -> float:
        """Return the time to live of a key, in seconds."""
        return self.short_ttl_s if self.is_short(key) else self.ttl_s


def near_settings(request: dict[str, Any]) -> NearSettings:
    """Parse the settings of a request."""

    def within(field: str, otherwise: float, least: float, most: float) -> float:
        value = request.get(field, otherwise)
        if not least <= value <= most:
            raise AgentError(f"{field} must be from {least} to {most}, not {value}")
        return value

    return NearSettings(
        prefix=request.get("prefix", "near"),
        keys=int(within("keys", 1_000, 1, 1_000_000)),
        index=int(within("index", -1, -1, 1_000)),
        writers=int(within("writers", 1, 1, 1_000)),
        callers=int(within("callers", 16, 1, 10_000)),
        peekers=int(within("peekers", 0, 0, 10_000)),
        write_share=within("writeShare", 0.1, 0, 1),
        plain_share=within("plainShare", 0.05, 0, 1),
        delete_every=int(within("deleteEvery", 16, 0, 1_000_000)),
        short_every=int(within("shortEvery", 16, 0, 1_000_000)),
        ttl_s=within("ttlMs", 3_600_000, 1, 86_400_000) / 1_000,
        short_ttl_s=within("shortTtlMs", 1_500, 1, 86_400_000) / 1_000,
        zipf=within("zipf", 0, 0, 10),
        value_bytes=int(within("valueBytes", 100, LEAST_BYTES, 1 << 20)),
        seconds=within("seconds", 10, 0.01, 86_400),
        warmup_s=within("warmupSeconds", 0, 0, 3_600),
        hold=bool(request.get("hold")),
        most_reads=int(within("reads", 1 << 62, 1, 1 << 62)),
        burst=int(within("burst", 64, 1, 1_000_000)),
        pause_s=within("pauseMs", 0, 0, 60_000) / 1_000,
        settle_ns=int(within("settleMs", 60_000, 0, 86_400_000) * 1e6),
        seed=int(request.get("seed", 1)),
        fill=bool(request.get("fill", True)),
        records=request.get("records"),
    )
