"""The behaviours that Django documents for its cache API, on Larder's backend."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tests.larder_server import larder_server

pytest.importorskip("django")


@pytest.fixture(scope="module")
def cache() -> Iterator[Any]:
    with larder_server() as port:
        os.environ["LARDER_URL"] = f"http://127.0.0.1:{port}"
        import django

        from examples import django_site

        assert django_site.urlpatterns
        django.setup()
        from django.core.cache import cache

        yield cache


@pytest.fixture(autouse=True)
def empty(cache: Any) -> None:
    cache.clear()


def test_get_answers_what_was_set_none_or_the_default(cache: Any) -> None:
    cache.set("my_key", "hello, world!", 30)
    assert cache.get("my_key") == "hello, world!"
    assert cache.get("absent") is None
    assert cache.get("absent", "has expired") == "has expired"


@pytest.mark.parametrize(
    "value", ["", "text", 0, -7, 2**70, 1.5, True, None, [1, "a"], {"a": {"b": [None]}}, b"\x00\xff"]
)
def test_values_come_back_as_they_went(cache: Any, value: Any) -> None:
    cache.set("value", value)
    sentinel = object()
    assert cache.get("value", sentinel) == value
    assert type(cache.get("value", sentinel)) is type(value)


def test_a_value_that_json_cannot_say_is_refused_and_never_pickled(cache: Any) -> None:
    with pytest.raises(TypeError):
        cache.set("object", object())


def test_add_stores_only_where_the_key_is_missing(cache: Any) -> None:
    assert cache.add("add_key", "Initial value") is True
    assert cache.add("add_key", "New value") is False
    assert cache.get("add_key") == "Initial value"


def test_get_or_set_takes_a_value_or_a_callable(cache: Any) -> None:
    assert cache.get_or_set("my_new_key", "my new value", 100) == "my new value"
    assert cache.get_or_set("made", lambda: 5) == 5
    assert cache.get_or_set("made", lambda: 6) == 5


def test_many_at_once(cache: Any) -> None:
    assert cache.set_many({"a": 1, "b": 2, "c": 3}) == []
    assert cache.get_many(["a", "b", "c", "d"]) == {"a": 1, "b": 2, "c": 3}
    cache.delete_many(["a", "b"])
    assert cache.get_many(["a", "b", "c"]) == {"c": 3}


def test_delete_says_whether_the_key_was_there(cache: Any) -> None:
    cache.set("a", 1)
    assert cache.delete("a") is True
    assert cache.delete("a") is False


def test_touch_gives_another_timeout_and_says_whether_the_key_was_there(cache: Any) -> None:
    cache.set("a", 1, 30)
    assert cache.touch("a", 10) is True
    assert cache.touch("absent", 10) is False
    assert cache.touch("a", 0) is True
    assert cache.get("a") is None


def test_a_timeout_of_zero_or_less_does_not_cache(cache: Any) -> None:
    cache.set("a", 1)
    cache.set("a", 2, 0)
    assert cache.get("a") is None
    assert cache.set_many({"b": 1}, -1) == [] and cache.get("b") is None


def test_a_timeout_of_none_is_the_longest(cache: Any) -> None:
    cache.set("a", 1, None)
    assert cache.get("a") == 1


def test_incr_and_decr_count_and_raise_for_a_missing_key(cache: Any) -> None:
    cache.set("num", 1)
    assert cache.incr("num") == 2
    assert cache.incr("num", 10) == 12
    assert cache.decr("num", 5) == 7
    with pytest.raises(ValueError):
        cache.incr("absent")
    cache.set("text", "x")
    with pytest.raises(ValueError):
        cache.incr("text")


def test_versions_keep_values_apart(cache: Any) -> None:
    cache.set("my_key", "hello", version=2)
    assert cache.get("my_key") is None
    assert cache.get("my_key", version=2) == "hello"
    assert cache.incr_version("my_key", version=2) == 3
    assert cache.get("my_key", version=2) is None
    assert cache.get("my_key", version=3) == "hello"


def test_has_key_and_in(cache: Any) -> None:
    cache.set("a", None)
    assert cache.has_key("a") and "a" in cache and "b" not in cache


def test_the_async_twins_do_the_same(cache: Any) -> None:
    async def use() -> None:
        await cache.aset("k", {"a": 1})
        assert await cache.aget("k") == {"a": 1}
        assert await cache.aadd("k", 2) is False
        assert await cache.aget_or_set("made", lambda: 5) == 5
        assert await cache.aincr("made") == 6 and await cache.adecr("made", 2) == 4
        assert await cache.aset_many({"x": 1, "y": 2}) == []
        assert await cache.aget_many(["x", "y", "z"]) == {"x": 1, "y": 2}
        assert await cache.atouch("x", 10) is True and await cache.ahas_key("x")
        await cache.adelete_many(["x"])
        assert await cache.adelete("x") is False
        assert await cache.aincr_version("y") == 2 and await cache.adecr_version("y", version=2) == 1
        await cache.aclear()
        assert await cache.aget("k") is None
        await cache.aclose()

    loop = asyncio.new_event_loop()
    loop.run_until_complete(use())
    loop.close()


def test_the_example_site_under_load_counts_every_visit(cache: Any) -> None:
    from django.test import Client

    seen: list[int] = []
    failures: list[BaseException] = []

    def visitor() -> None:
        client = Client()
        try:
            for i in range(25):
                body = json.loads(client.get(f"/square/{i % 5}").content)
                assert body["answer"] == {"number": i % 5, "square": (i % 5) ** 2}
                seen.append(body["visits"])
        except BaseException as failure:
            # Shown by the assertion below, on the test's own thread.
            failures.append(failure)

    threads = [threading.Thread(target=visitor) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert sorted(seen) == list(range(1, 201)), "each visit was counted once"


@pytest.mark.parametrize(
    ("location", "options", "said"),
    [
        ("http://sesame@host:1/path", {}, "LOCATION: 'http://…@host:1/path'"),
        ("host:port", {}, "LOCATION: 'http://host:port'"),
        (["one", "two"], {}, "LOCATION is one server's address"),
        ("", {"caches": "x"}, "OPTIONS has no 'caches'"),
        ("", {"configuration": "Laptop"}, "no larder_cache.Configuration"),
    ],
)
def test_settings_that_cannot_be_right_are_refused_when_they_are_read(
    cache: Any, location: Any, options: dict[str, Any], said: str
) -> None:
    from django.core.exceptions import ImproperlyConfigured

    from larder_cache.django import LarderCache

    with pytest.raises(ImproperlyConfigured, match=said):
        LarderCache(location, {"OPTIONS": options})


@pytest.mark.parametrize("scheme", ["", "http://", "larder://"])
def test_both_spellings_of_an_address_and_the_bare_one_are_one_server(cache: Any, scheme: str) -> None:
    from larder_cache.django import LarderCache

    cache.set("shared", "seen by all")
    address = os.environ["LARDER_URL"].removeprefix("http://")
    assert LarderCache(scheme + address, {"KEY_PREFIX": "site"}).get("shared") == "seen by all"
