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
def test_a_value_at_either_end_is_taken_and_one_past_it_refused_by_name(
    name: str, least: float, most: float, past: float
) -> None:
    for right in (least, most):
        made = NearCache(**cast(Any, {"max_bytes": 1_024} | {name: right}))
        assert getattr(made, name) == right
    for wrong in (least - past, most + past, -most, 10**400):
        with pytest.raises(ValueError, match=f"near_cache: {name}"):
            NearCache(**cast(Any, {"max_bytes": 1_024} | {name: wrong}))


@pytest.mark.parametrize("name", ["max_bytes", "max_age_s"])
def test_what_is_no_number_is_refused_by_name(name: str) -> None:
    for wrong in (math.nan, math.inf, "5", True, None, b"", *([1_024.5] if name == "max_bytes" else [])):
        with pytest.raises((ValueError, TypeError), match=f"near_cache: {name}"):
            NearCache(**cast(Any, {"max_bytes": 1_024} | {name: wrong}))


@pytest.mark.parametrize("wrong", ["cache", b"cache", 5, ["cache", None], [5]])
@pytest.mark.parametrize("name", ["caches", "key_prefixes"])
def test_names_and_prefixes_are_collections_of_texts(name: str, wrong: Any) -> None:
    with pytest.raises(TypeError, match=f"near_cache: {name}"):
        NearCache(**cast(Any, {"max_bytes": 1_024, name: wrong}))


@pytest.mark.parametrize("name", ["caches", "key_prefixes"])
def test_a_list_has_one_to_a_thousand_names_or_prefixes_and_none_that_cannot_be(name: str) -> None:
    for count in (1, 1_000):
        NearCache(**cast(Any, {"max_bytes": 1_024, name: [f"name-{number}" for number in range(count)]}))
    wrong: list[list[str]] = [[], ["name"] * 1_001, ["right", ""], ["\ud800"]]
    for each in wrong + ([["\n"], ["n" * 256]] if name == "caches" else []):
        with pytest.raises(ValueError, match=f"near_cache: {name}"):
            NearCache(**cast(Any, {"max_bytes": 1_024, name: each}))


def test_a_prefix_that_is_no_utf_8_is_refused() -> None:
    with pytest.raises(ValueError, match="near_cache: key_prefixes"):
        NearCache(max_bytes=1_024, key_prefixes=["\ud800"])


def test_it_covers_what_it_names_and_where_it_names_nothing_everything() -> None:
    assert NearCache(max_bytes=1_024).covers("any", b"\xff")
    near = NearCache(max_bytes=1_024, caches=["a", "b"], key_prefixes=["user:", b"\xff"])
    covered = [("a", b"user:1"), ("b", b"\xff\x00"), ("b", b"user:")]
    assert all(near.covers(*each) for each in covered)
    assert not any(near.covers(*each) for each in [("c", b"user:1"), ("a", b"use"), ("a", b"xuser:"), ("A", b"user:")])


def test_it_does_not_change_and_configurations_with_it_are_equal_hashed_and_copied() -> None:
    names = ["a"]
    base = Configurations.Laptop.v1()
    one = base.with_settings(near_cache=NearCache(max_bytes=1_024, caches=names))
    names.append("b")
    same = base.with_settings(near_cache=NearCache(max_bytes=1_024, caches=("a",)))
    assert one == same != base and hash(one) == hash(same) and pickle.loads(pickle.dumps(one)) == one
    with pytest.raises(AttributeError):
        cast(Any, one.near_cache).max_bytes = 5


def test_it_is_off_unless_it_is_given_and_refused_with_a_transport_that_is_unary_by_choice() -> None:
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
