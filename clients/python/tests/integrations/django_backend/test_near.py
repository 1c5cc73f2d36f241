"""The near cache of the backend's clients, and its use by a site's sync and async calls."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from larder_cache import Configurations, NearCache
from tests.conftest import PATIENCE_S, run_alone
from tests.integrations.django_backend.backends import backend_of


@pytest.fixture
def near(cache: Any) -> Iterator[Any]:
    base = Configurations.InRegion.Default.latest()
    backend = backend_of({"configuration": base.with_settings(near_cache=NearCache(max_bytes=1_048_576))})
    yield backend
    backend.clear()


def _figures(backend: Any) -> Any:
    return backend._blocking.client.near_cache


def _keep(backend: Any, key: str, value: Any) -> None:
    """Read until a read is a hit. The first reads may be misses because the near stream is not open yet."""
    until = time.monotonic() + PATIENCE_S
    hits = _figures(backend).hits
    while _figures(backend).hits == hits:
        assert time.monotonic() < until and backend.get(key) == value


def test_near_copies_of_django_backend_reflect_its_own_writes(near: Any) -> None:
    near.set("k", [1, 2])
    _keep(near, "k", [1, 2])
    near.get("k").append(3)
    assert near.get("k") == [1, 2], "what a caller is given is its own"
    for write, value in (
        (lambda: near.set("k", 5), 5),
        (lambda: near.incr("k"), 6),
        (lambda: near.set_many({"k": 7}), 7),
        (lambda: near.delete("k"), None),
        (lambda: near.add("k", 8), 8),
        (lambda: near.clear(), None),
    ):
        write()
        assert near.get("k") == near.get("k") == value
    near.set("k", "v1")
    _keep(near, "k", "v1")
    backend_of().set("k", "v2")
    until = time.monotonic() + PATIENCE_S
    while near.get("k") != "v2":
        assert time.monotonic() < until


def test_sync_and_async_django_calls_share_one_near_cache(near: Any) -> None:
    near.set("k", "v1")
    _keep(near, "k", "v1")

    async def later() -> None:
        hits = _figures(near).hits
        assert await near.aget("k") == "v1" and _figures(near).hits == hits + 1
        await near.aset("k", "v2")
        assert await near.aget("k") == "v2"

    run_alone(later())
    assert near.get("k") == "v2"
