"""The behaviours that Django documents for its cache API, on Larder's backend."""

from __future__ import annotations

import asyncio
import json
import os
import pickle
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest

from larder_cache import CacheError, CredentialProvider, sync
from tests.conftest import run_alone
from tests.larder_server import ROOT, larder_server

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


def _backend(options: dict[str, Any] | None = None, *, server: str = "", **settings: Any) -> Any:
    from larder_cache.django import LarderCache

    return LarderCache(server or os.environ["LARDER_URL"], {"OPTIONS": options or {}} | settings)


def test_whatever_can_be_pickled_comes_back_as_it_went(cache: Any) -> None:
    value = {1: ("a tuple", {2}, datetime(2026, 1, 1)), "big": 2**70}
    cache.set("object", value)
    assert cache.get("object") == value
    cache.set("true", True)
    assert cache.get("true") is True, "a truth is no number"


SPRUNG: list[str] = []


def spring() -> None:
    SPRUNG.append("unpickled")


class Trap:
    """Says when it is unpickled."""

    def __reduce__(self) -> Any:
        return spring, ()


def test_a_value_whose_signature_does_not_hold_is_refused_and_never_unpickled(cache: Any) -> None:
    from django.conf import settings

    from larder_cache.django import ForeignValue
    from larder_cache.django_values import SignedPickle

    made = cache.make_key("trap")
    pickled = pickle.dumps(Trap())
    signed = SignedPickle().dumps(made, Trap())
    forged = [pickled, b"p" + pickled, b"p" + bytes(32) + pickled, signed[:-1], signed[:1] + bytes(32) + signed[33:]]
    forged += [SignedPickle().dumps(cache.make_key("other"), Trap()), b"", b"p", b"-", b"9" * 5_000, b"\xff"]
    ours = settings.SECRET_KEY
    settings.SECRET_KEY = "another site"
    forged.append(SignedPickle().dumps(made, Trap()))
    settings.SECRET_KEY = ours
    with sync.CacheClient(CredentialProvider.from_environment_variable(), default_ttl=60) as client:
        for data in forged:
            client.set("cache", made, data)
            with pytest.raises(ForeignValue):
                cache.get("trap")
            with pytest.raises(ForeignValue):
                cache.get_many(["trap"])
        assert SPRUNG == []
        client.set("cache", made, signed)
        cache.get("trap")
        assert SPRUNG == ["unpickled"], "the trap works"


def test_values_of_an_earlier_secret_key_are_read_while_it_is_a_fallback(cache: Any) -> None:
    from django.conf import settings

    from larder_cache.django import ForeignValue

    ours = settings.SECRET_KEY
    cache.set("kept", ["value"])
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "the next", [ours]
    try:
        assert cache.get("kept") == ["value"]
        settings.SECRET_KEY_FALLBACKS = []
        with pytest.raises(ForeignValue):
            cache.get("kept")
    finally:
        settings.SECRET_KEY = ours


def test_json_is_spoken_on_request_and_refuses_what_it_cannot_say(cache: Any) -> None:
    backend = _backend({"serializer": "json"})
    for value in ("", "text", 7, True, None, [1, {"a": None}], b"\x00\xff", 2**70):
        backend.set("value", value)
        assert backend.get("value") == value and type(backend.get("value")) is type(value)
    with pytest.raises(TypeError):
        backend.set("object", object())


def test_values_are_pickled_in_the_callers_thread(cache: Any) -> None:
    cache.set("here", Here())
    run_alone(cache.aset("here", Here()))


class Here:
    """Refuses to be pickled elsewhere."""

    def __reduce__(self) -> Any:
        assert threading.current_thread() is threading.main_thread()
        return Here, ()


def test_a_server_that_is_down_is_an_error_or_on_request_a_miss(cache: Any, caplog: pytest.LogCaptureFixture) -> None:
    from larder_cache import CacheError, Configurations

    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        nowhere = f"http://127.0.0.1:{bound.getsockname()[1]}"
        fast = {"configuration": Configurations.InRegion.Default.latest().with_request_timeout_s(0.2)}
        with pytest.raises(CacheError):
            _backend(fast, server=nowhere).get("k")
        lenient = _backend(fast | {"misses_when_down": True}, server=nowhere)
        assert lenient.get("k", "default") == "default" and lenient.get_many(["k"]) == {}
        assert lenient.add("k", 1) is False and lenient.touch("k") is False and lenient.delete("k") is False
        assert lenient.set("k", 1) is None and lenient.set_many({"k": 1}) == ["k"] and lenient.has_key("k") is False
        assert lenient.get_or_set("k", lambda: 5) == 5
        lenient.delete_many(["k"])
        lenient.clear()
        with pytest.raises(ValueError):
            lenient.incr("k")

        async def later() -> None:
            assert await lenient.aget("k", "default") == "default"

        run_alone(later())
    assert len([each for each in caplog.records if "out of reach" in each.getMessage()]) == 1


def test_aliases_with_other_settings_have_clients_of_their_own_and_those_alike_share_one(cache: Any) -> None:
    from larder_cache import Configurations

    one, same = _backend(), _backend({"serializer": "json"}, KEY_PREFIX="x")
    other = _backend({"configuration": Configurations.Laptop.latest()})
    assert one._blocking is same._blocking and one._blocking is not other._blocking
    assert other._blocking.configuration == Configurations.Laptop.latest()


def test_never_expires_is_the_servers_longest_and_what_is_longer_is_refused_by_name() -> None:
    with larder_server("--max-ttl", "30d") as port:
        location = f"http://127.0.0.1:{port}"
        backend = _backend(server=location, TIMEOUT=None)
        with sync.CacheClient(CredentialProvider.from_string(location), default_ttl=60) as client:
            backend.set("never", 1)
            backend.add("also", 1)
            backend.set("session", 1, 14 * 86_400)
            backend.set("touched", 1, 5)
            backend.touch("touched", None)
            for key, days in (("never", 30), ("also", 30), ("touched", 30), ("session", 14)):
                left = client.cache("cache").ttl(backend.make_key(key))
                assert left is not None and days * 86_400 - 60 < left <= days * 86_400
        for seconds in (30 * 86_400 + 1, 300 * 86_400, 366 * 86_400, 3_660 * 86_400):
            with pytest.raises(CacheError, match="--max-ttl"):
                backend.set("longer", 1, seconds)


def test_many_deletes_are_one_round_trip(cache: Any) -> None:
    keys = [f"many-{i}" for i in range(2_500)]
    assert cache.set_many(dict.fromkeys(keys, 1)) == []
    started = time.monotonic()
    cache.delete_many(keys)
    assert cache.get_many(keys) == {} and time.monotonic() - started < 30


def test_a_set_that_is_too_large_leaves_no_older_value(cache: Any) -> None:
    from larder_cache import CacheError

    cache.set("large", "small")
    with pytest.raises(CacheError):
        cache.set("large", b"x" * 6_000_000)
    assert cache.get("large") is None


def test_cached_pages_are_served_from_the_cache(cache: Any) -> None:
    from django.http import HttpResponse
    from django.test import RequestFactory
    from django.views.decorators.cache import cache_page

    made: list[int] = []

    @cache_page(60)
    def page(request: Any) -> Any:
        made.append(1)
        return HttpResponse("body", headers={"X-Made": str(len(made))})

    first, second = (page(RequestFactory().get("/page")) for _ in range(2))
    assert (first.content, second.content, second["X-Made"]) == (b"body", b"body", "1")
    assert len(made) == 1


def test_djangos_own_cases_for_a_shared_backend_pass() -> None:
    folder = ROOT / ".django-tests" / "tests"
    if not (folder / "cache").is_dir():
        pytest.skip("the source of Django's tests is not here: tools/setup python fetches Debian's")
    with larder_server("--max-ttl", "365d") as port:
        command = [sys.executable, "-m", "tests.django_suite", str(folder), f"http://127.0.0.1:{port}"]
        ended = subprocess.run(
            command, cwd=ROOT / "clients" / "python", capture_output=True, text=True, timeout=240, check=False
        )
    assert ended.returncode == 0, ended.stdout + ended.stderr


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
        ("", {"serializer": "yaml"}, "serializer"),
        ("", {"cache": " "}, "the name of a cache"),
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
