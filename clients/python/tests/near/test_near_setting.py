"""The near-cache settings: ranges, types, and which keys are covered (CONFIG-2, NEAR-29)."""

from __future__ import annotations

import math
import pickle
from typing import Any, cast

import pytest

from larder_cache import Configurations, NearCache, Transport


@pytest.mark.parametrize(
    ("name", "least", "most", "past"),
    [("max_bytes", 1_024, 64 * 1_024**3, 1), ("max_age_s", 0.001, 365 * 86_400, 0.0001)],
)
def test_near_cache_setting_accepts_only_values_within_its_range(
    name: str, least: float, most: float, past: float
) -> None:
    for right in (least, most):
        made = NearCache(**cast(Any, {"max_bytes": 1_024} | {name: right}))
        assert getattr(made, name) == right
    for wrong in (least - past, most + past, -most, 10**400):
        with pytest.raises(ValueError, match=f"near_cache: {name}"):
            NearCache(**cast(Any, {"max_bytes": 1_024} | {name: wrong}))


@pytest.mark.parametrize("name", ["max_bytes", "max_age_s"])
def test_near_cache_setting_that_is_not_a_number_is_rejected(name: str) -> None:
    for wrong in (math.nan, math.inf, "5", True, None, b"", *([1_024.5] if name == "max_bytes" else [])):
        with pytest.raises((ValueError, TypeError), match=f"near_cache: {name}"):
            NearCache(**cast(Any, {"max_bytes": 1_024} | {name: wrong}))


@pytest.mark.parametrize("wrong", ["cache", b"cache", 5, ["cache", None], [5]])
@pytest.mark.parametrize("name", ["caches", "key_prefixes"])
def test_near_cache_names_of_wrong_types_raise_type_error(name: str, wrong: Any) -> None:
    with pytest.raises(TypeError, match=f"near_cache: {name}"):
        NearCache(**cast(Any, {"max_bytes": 1_024, name: wrong}))


@pytest.mark.parametrize("name", ["caches", "key_prefixes"])
def test_near_cache_accepts_1_to_1000_valid_names(name: str) -> None:
    for count in (1, 1_000):
        NearCache(**cast(Any, {"max_bytes": 1_024, name: [f"name-{number}" for number in range(count)]}))
    wrong: list[list[str]] = [[], ["name"] * 1_001, ["right", ""], ["\ud800"]]
    for each in wrong + ([["\n"], ["n" * 256]] if name == "caches" else []):
        with pytest.raises(ValueError, match=f"near_cache: {name}"):
            NearCache(**cast(Any, {"max_bytes": 1_024, name: each}))


def test_near_cache_rejects_prefix_that_is_not_utf_8() -> None:
    with pytest.raises(ValueError, match="near_cache: key_prefixes"):
        NearCache(max_bytes=1_024, key_prefixes=["\ud800"])


def test_near_cache_covers_every_key_unless_names_are_configured() -> None:
    assert NearCache(max_bytes=1_024).covers("any", b"\xff")
    near = NearCache(max_bytes=1_024, caches=["a", "b"], key_prefixes=["user:", b"\xff"])
    covered = [("a", b"user:1"), ("b", b"\xff\x00"), ("b", b"user:")]
    assert all(near.covers(*each) for each in covered)
    assert not any(near.covers(*each) for each in [("c", b"user:1"), ("a", b"use"), ("a", b"xuser:"), ("A", b"user:")])


def test_near_cache_setting_is_immutable_comparable_hashable_and_picklable() -> None:
    names = ["a"]
    base = Configurations.Laptop.v1()
    one = base.with_settings(near_cache=NearCache(max_bytes=1_024, caches=names))
    names.append("b")
    same = base.with_settings(near_cache=NearCache(max_bytes=1_024, caches=("a",)))
    assert one == same != base and hash(one) == hash(same) and pickle.loads(pickle.dumps(one)) == one
    with pytest.raises(AttributeError):
        cast(Any, one.near_cache).max_bytes = 5


def test_near_cache_is_off_by_default_and_rejects_unary_transport() -> None:
    base = Configurations.Laptop.v1()
    assert base.near_cache is None
    near = NearCache(max_bytes=1_024)
    for transport in (Transport.AUTO, Transport.PIPELINE):
        assert base.with_settings(near_cache=near, transport=transport).near_cache is near
    with pytest.raises(ValueError, match="near_cache"):
        base.with_settings(near_cache=near, transport=Transport.UNARY)
    for wrong in (64 * 1024**2, {"max_bytes": 1_024}, "on", True):
        with pytest.raises(TypeError, match="near_cache"):
            base.with_settings(near_cache=cast(Any, wrong))
