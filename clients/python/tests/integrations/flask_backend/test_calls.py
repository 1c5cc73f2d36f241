"""Flask-Caching's documented backend behaviour, on Larder's backend."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from larder_cache import CacheError, ErrorCode, sync
from tests.conftest import PATIENCE_S, run_alone
from tests.integrations.flask_backend.conftest import Made
from tests.support.larder_server import larder_server


def test_get_returns_the_stored_value_or_none(cache: Any) -> None:
    assert cache.set("key", "value") is True
    assert cache.get("key") == "value" and cache.get("absent") is None
    assert cache.has("key") is True and cache.has("absent") is False
    cache.set("none", None)
    assert cache.get("none") is None and cache.has("none") is True


def test_add_stores_only_if_the_key_is_missing(cache: Any) -> None:
    assert cache.add("key", "first") is True
    assert cache.add("key", "second") is False
    assert cache.get("key") == "first"


def test_delete_returns_whether_the_key_existed(cache: Any) -> None:
    cache.set("key", 1)
    assert [cache.delete("key") for _ in range(2)] == [True, False]


def test_set_many_get_many_and_delete_many_handle_several_keys(cache: Any) -> None:
    assert cache.set_many({"one": 1, "two": [2], "three": "3"}) == ["one", "two", "three"]
    assert cache.get_many("two", "absent", "one", "two") == [[2], None, 1, [2]]
    assert cache.get_dict("one", "absent") == {"one": 1, "absent": None}
    assert cache.delete_many("absent", "one", "two", "one") == ["one", "two"]
    assert cache.get_many("one", "two", "three") == [None, None, "3"]


def test_flask_multi_key_calls_accept_an_empty_key_list(cache: Any) -> None:
    assert (cache.get_many(), cache.set_many({}), cache.delete_many()) == ([], [], [])


@pytest.mark.parametrize("key", ["", "\x00", "a\nb", "é", "\ud800", "🥫" * 200])
@pytest.mark.parametrize("prefix", ["", "site:"])
def test_flask_backend_accepts_unusual_keys(caches: Made, prefix: str, key: str) -> None:
    cache = caches(KEY_PREFIX=prefix)
    cache.set_many({key: 1, key + "x": 2})
    assert cache.get_many(key, key + "x") == [1, 2]
    assert cache.delete(key) is True and cache.has(key) is False


def test_clear_removes_only_keys_with_its_own_prefix(caches: Made) -> None:
    ours, theirs = caches(KEY_PREFIX="ours:"), caches(KEY_PREFIX="theirs:")
    for cache in (ours, theirs):
        cache.set_many({f"key {number}": number for number in range(2_500)})
    assert ours.clear() is True
    assert set(ours.get_many(*(f"key {number}" for number in range(2_500)))) == {None}
    assert theirs.get_many("key 0", "key 2499") == [0, 2_499]
    assert ours.clear() is True


def test_clear_without_a_prefix_empties_the_cache(caches: Made) -> None:
    everything, one = caches(KEY_PREFIX=""), caches(KEY_PREFIX="one:")
    one.set("key", 1)
    assert everything.clear() is True and one.get("key") is None


def test_inc_and_dec_count_on_the_server(cache: Any, client: sync.CacheClient) -> None:
    backend = cache.cache
    assert (backend.inc("new"), backend.inc("new", 10), backend.dec("new", 4), backend.dec("other")) == (1, 11, 7, -1)
    assert cache.get("new") == 7
    cache.set("brief", 5, timeout=30)
    assert backend.inc("brief") == 6
    left = client.cache("cache").item_get_ttl("flask_cache_brief")
    assert left is not None and left <= 30, "it keeps its time"
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(backend.inc, ["together"] * 200))
    assert cache.get("together") == 200
    for value in ("7", 2**63 - 1, 2**63, True, None):
        cache.set("no counter", value)
        with pytest.raises(CacheError):
            backend.inc("no counter")
        assert cache.get("no counter") == value


def test_flask_backend_stores_values_inside_a_running_event_loop(cache: Any) -> None:
    async def use() -> None:
        cache.set("key", 1)
        assert cache.get("key") == 1

    run_alone(use())


def test_flask_timeouts_become_ttls_up_to_the_server_maximum() -> None:
    from flask import Flask
    from flask_caching import Cache

    from larder_cache import CredentialProvider

    with larder_server("--max-ttl", "30d") as port:
        url = f"http://127.0.0.1:{port}"
        settings = {"CACHE_TYPE": "larder_cache.flask_caching.LarderCache", "CACHE_DEFAULT_TIMEOUT": 5_000}
        cache = Cache(Flask("tests"), config=settings | {"CACHE_LARDER_URL": url})
        with sync.CacheClient(CredentialProvider.from_string(url), default_ttl=60) as client:
            for timeout, most_s in ((None, 5_000), (0, 30 * 86_400), (14 * 86_400, 14 * 86_400), (90.5, 90.5)):
                cache.set("set", 1, timeout=timeout)
                cache.delete("add")
                cache.add("add", 1, timeout=timeout)
                cache.set_many({"many": 1, "more": 1}, timeout=timeout)
                for key in ("set", "add", "many", "more"):
                    left = client.cache("cache").item_get_ttl("flask_cache_" + key)
                    assert left is not None and most_s - 60 < left <= most_s
        with pytest.raises(CacheError, match="--max-ttl"):
            cache.set("longer", 1, timeout=31 * 86_400)
        cache.cache.close()


@pytest.mark.parametrize("call", ["set", "add"])
def test_flask_value_expires_after_its_timeout(cache: Any, call: str) -> None:
    cache.set("kept", 1, timeout=0)
    assert getattr(cache, call)("brief", 1, timeout=0.05) is True
    ends = time.monotonic() + PATIENCE_S
    while cache.has("brief"):
        assert time.monotonic() < ends
        time.sleep(0.01)
    assert cache.get_many("brief", "kept") == [None, 1]


def test_negative_timeout_stores_nothing(cache: Any) -> None:
    cache.set("key", 1)
    assert cache.set("key", 2, timeout=-1) is True and cache.get("key") is None
    assert cache.add("key", 2, timeout=-1) is True and cache.has("key") is False
    assert cache.set_many({"key": 1}, timeout=-1) == ["key"] and cache.has("key") is False


def test_oversized_flask_value_raises_and_removes_the_previous_value(cache: Any) -> None:
    cache.set_many({"large": "small", "other": "small"})
    large = "x" * 6_000_000
    for store in (lambda: cache.set("large", large), lambda: cache.set_many({"other": large, "third": "small"})):
        with pytest.raises(CacheError) as failed:
            store()
        assert failed.value.code is ErrorCode.LIMIT_EXCEEDED
    assert cache.get_many("large", "other") == [None, None]
