"""The expiry times of get_or_set: the cases of protocol/vectors/clients/get-or-set.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from larder_cache import CacheError, FactoryContext, GetOrSetOptions
from larder_cache._internal.leases.expiry_policy import ExpiryPolicy, Use
from larder_cache._internal.leases.made_value import PLAIN, Made, made

VECTORS = Path(__file__).parents[4] / "protocol" / "vectors" / "clients" / "get-or-set.json"
CASES: list[dict[str, Any]] = json.loads(VECTORS.read_text())


def _options(given: dict[str, Any]) -> GetOrSetOptions:
    named = {
        "refresh_ahead_for": "refreshAheadForMs",
        "revalidate_for": "revalidateForMs",
        "fail_safe_for": "failSafeForMs",
    }
    times = {name: given[word] / 1_000 for name, word in named.items() if word in given}
    own: Any = given.get("madeTtlMs")

    def ttl_of(_: Any) -> float | None:
        return None if own is None else own / 1_000

    return GetOrSetOptions(**times, jitter=given.get("jitter", 0), ttl_of=ttl_of)


def _times(options: GetOrSetOptions, given: dict[str, Any]) -> ExpiryPolicy:
    times = options.times(given["ttlMs"])
    if not times.fits:
        raise ValueError("refused")
    return times


def _made(options: GetOrSetOptions, given: dict[str, Any]) -> Made:
    context: FactoryContext[bytes] = FactoryContext(None, PLAIN.decode)
    if "contextTtlMs" in given:
        context.ttl = given["contextTtlMs"] / 1_000
    return made(b"value", PLAIN, context, ttl_of=options.ttl_of)


@pytest.mark.parametrize("case", [case for case in CASES if "stale" not in case], ids=lambda case: case["case"])
def test_expiry_policy_ttl_matches_shared_test_vectors(case: dict[str, Any]) -> None:
    given, then = case["options"], case["then"]
    if then.get("refused"):
        with pytest.raises((ValueError, CacheError)):
            _made(options := _options(given), given)
            _times(options, given)
        return
    options = _options(given)
    ttl_ms, stale_ms = _times(options, given).stored(case["random"], _made(options, given).ttl_ms)
    assert {"ttlMs": ttl_ms, "staleMs": stale_ms} == then


@pytest.mark.parametrize("case", [case for case in CASES if "stale" in case], ids=lambda case: case["case"])
def test_stale_value_decisions_match_shared_test_vectors(case: dict[str, Any]) -> None:
    stale, then = case["stale"], case["then"]
    times = _times(_options(case["options"]), case["options"])
    reading = times.read(stale["expiredMs"], leased=stale["leased"])
    assert reading.use is Use(then["answer"])
    assert (reading.refresh, reading.fallback) == (then.get("refresh", False), then.get("fallback", False))


def test_plain_ttl_ignores_refresh_ahead_and_applies_jitter() -> None:
    times = ExpiryPolicy(ttl_ms=60_000, refresh_ahead_ms=10_000, jitter=0.5)
    assert (times.plain(0), times.plain(1), times.plain(1, 10_000)) == (60_000, 30_000, 5_000)
