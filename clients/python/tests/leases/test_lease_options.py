"""GetOrSetOptions (GOC-7, GOC-8)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from larder_cache import CacheError, GetOrSetOptions
from larder_cache import responses as r
from larder_cache.fake import FakeServer as Fake
from tests.leases.loads import ready

_NAN = float("nan")


async def test_goc_7_jitter_shortens_the_ttl_by_up_to_its_fraction() -> None:
    async with Fake().client() as client:
        left: list[float] = []
        for number in range(200):
            await client.cache("cache").results.get_or_set(
                f"{number}", ready(), ttl=100, options=GetOrSetOptions(jitter=0.5)
            )
            answer = await client.cache("cache").results.item_get_ttl(f"{number}")
            assert isinstance(answer, r.RemainingTtl)
            left.append(answer.remaining_ttl_ms / 1_000)
        assert 49.9 <= min(left) < 60 and 90 < max(left) <= 100
        await client.cache("cache").results.get_or_set("all", ready(), ttl=100, options=GetOrSetOptions(jitter=1))


@pytest.mark.parametrize(
    "name, values",
    [
        ("lease", [0, -1, 600.001, 6_000, _NAN, float("inf"), timedelta(0), timedelta(minutes=11)]),
        ("soft_timeout", [0, -1, 600.001, 6_000, _NAN, float("inf"), timedelta(0), timedelta(minutes=11)]),
        ("hard_timeout", [0, -1, 600.001, 6_000, _NAN, float("inf"), timedelta(0), timedelta(minutes=11)]),
        ("revalidate_for", [-1, -0.001, 365 * 86_400 + 1, 3_650 * 86_400, _NAN, float("inf"), timedelta(days=366)]),
        ("refresh_ahead_for", [-1, -0.001, 365 * 86_400 + 1, _NAN, float("inf"), timedelta(days=366)]),
        ("fail_safe_for", [-1, -0.001, 365 * 86_400 + 1, 3_650 * 86_400, _NAN, float("inf"), timedelta(seconds=-1)]),
        ("jitter", [-0.001, 1.001, 10, _NAN, float("inf")]),
        ("tags", [["t"] * 129, ["t"] * 1_280, [""], ["t" * 1_025], ["t" * 10_250], ["\ud800"]]),
    ],
)
def test_goc_8_options_out_of_range_are_rejected_at_creation(name: str, values: list[Any]) -> None:
    for value in values:
        with pytest.raises(ValueError, match="^get_or_set: "):
            GetOrSetOptions(**{name: value})


@pytest.mark.parametrize(
    "name", ["refresh_ahead_for", "lease", "revalidate_for", "fail_safe_for", "soft_timeout", "hard_timeout", "jitter"]
)
@pytest.mark.parametrize("value", ["1", b"1", [1], True, False, object()])
def test_goc_8_options_of_wrong_types_raise_type_error(name: str, value: Any) -> None:
    with pytest.raises(TypeError, match="^get_or_set: "):
        GetOrSetOptions(**{name: value})


@pytest.mark.parametrize("tags", ["red", b"red", None, 7, [7], [None]])
def test_goc_8_invalid_tag_list_raises_type_error(tags: Any) -> None:
    with pytest.raises(TypeError):
        GetOrSetOptions(tags=tags)


async def test_goc_8_get_or_set_accepts_extreme_options_and_rejects_wrong_types() -> None:
    async with Fake(max_ttl=365 * 86_400).client() as client:
        year = timedelta(days=365)
        tags = (f"{number:04}".ljust(1_024, "t") for number in range(128))
        times: dict[str, Any] = {"soft_timeout": 600, "hard_timeout": timedelta(minutes=10)}
        most = GetOrSetOptions(lease=600, revalidate_for=year, fail_safe_for=year, jitter=1, tags=tags, **times)
        least = GetOrSetOptions(lease=0.001, soft_timeout=0.001, jitter=0, tags=())
        assert await client.cache("cache").results.get_or_set("most", ready(), options=most) == b"made 1"
        assert await client.cache("cache").results.get_or_set("least", ready(), options=least) == b"made 1"
        others: list[Any] = [{}, 30, "lease", GetOrSetOptions]
        for wrong in others:
            with pytest.raises(TypeError):
                await client.cache("cache").results.get_or_set("k", ready(), options=wrong)
        for cache, key in (("", "k"), ("cache", ""), ("cache", "\ud800")):
            with pytest.raises(CacheError, match="InvalidArgument"):
                await client.cache(cache).results.get_or_set(key, ready(), options=least)
