"""A Flask site with Flask-Caching's decorators on Larder: its settings, an unreachable server, and the example."""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from larder_cache import CacheError, sync
from tests.integrations.flask_backend.conftest import Made


def test_cached_views_serve_any_response_type_from_the_cache(cache: Any) -> None:
    from flask import jsonify, redirect

    def answers(n: int) -> dict[str, Any]:
        return {
            "text": f"made {n}",
            "with status": (f"made {n}", 404, {"X-Made": str(n)}),
            "json": (jsonify(made=n), 201),
            "a dictionary": {"made": n, "1": [None, "é"]},
            "elsewhere": redirect(f"/elsewhere/{n}"),
            "bytes": b"\x00\xff%d" % n,
        }

    numbers = itertools.count(1)

    @cache.app.get("/<kind>")
    @cache.cached(timeout=60)
    def view(kind: str) -> Any:
        return answers(next(numbers))[kind]

    assert view
    visitor = cache.app.test_client()
    kinds = ("text", "with status", "json", "a dictionary", "elsewhere", "bytes")
    for kind in kinds:
        first, second = visitor.get(f"/{kind}"), visitor.get(f"/{kind}")
        assert first.status_code < 500
        assert (first.data, first.status, list(first.headers)) == (second.data, second.status, list(second.headers))
    assert next(numbers) == len(kinds) + 1, "each was made once"


def test_memoized_function_runs_once_for_equal_arguments_until_deleted(cache: Any) -> None:
    called: list[tuple[int, int]] = []

    @cache.memoize(timeout=60)
    def add(a: int, b: int = 0) -> tuple[str, int]:
        called.append((a, b))
        return "sum", a + b

    with cache.app.app_context():
        assert [add(1, 2), add(1, b=2), add(2, 1)] == [("sum", 3)] * 3
        assert called == [(1, 2), (2, 1)]
        cache.delete_memoized(add, 1, 2)
        assert add(1, 2) == add(2, 1) == ("sum", 3) and called[2:] == [(1, 2)]
        cache.delete_memoized(add)
        assert add(1, 2) == add(2, 1) and called[3:] == [(1, 2), (2, 1)]
        cache.delete_memoized_verhash(add)
        assert add(1, 2) == ("sum", 3) and called[5:] == [(1, 2)]


def test_memoized_methods_cache_results_for_each_object(cache: Any) -> None:
    called: list[str] = []

    class Named:
        def __init__(self, name: str) -> None:
            self.name = name

        def __repr__(self) -> str:
            return f"Named({self.name})"

        @cache.memoize()
        def greet(self, greeting: str) -> str:
            called.append(self.name)
            return f"{greeting}, {self.name}"

    ann, bo = Named("Ann"), Named("Bo")
    with cache.app.app_context():
        assert [ann.greet("Hi"), ann.greet("Hi"), bo.greet("Hi")] == ["Hi, Ann", "Hi, Ann", "Hi, Bo"]
        cache.delete_memoized(ann.greet)
        assert [ann.greet("Hi"), bo.greet("Hi")] == ["Hi, Ann", "Hi, Bo"] and called == ["Ann", "Bo", "Ann"]


def test_memoize_stores_none_if_cache_none_is_set(cache: Any) -> None:
    called: list[int] = []

    @cache.memoize(cache_none=True)
    def nothing() -> None:
        called.append(1)

    with cache.app.app_context():
        assert (nothing(), nothing(), called) == (None, None, [1])


def test_cached_template_fragment_is_escaped_only_once(cache: Any) -> None:
    from flask import render_template_string

    text = '{% cache 60, "fragment" %}<b>{{ name }}</b>{% endcache %}'
    with cache.app.app_context():
        for name in ("<Ann>", "Bo"):
            assert render_template_string(text, name=name) == "<b>&lt;Ann&gt;</b>"


def test_memoized_function_returns_a_value_that_cannot_be_cached(cache: Any, caplog: pytest.LogCaptureFixture) -> None:
    @cache.memoize()
    def made() -> set[int]:
        return {1}

    with cache.app.app_context():
        assert [made(), made()] == [{1}, {1}]
    assert "cannot be cached" in caplog.text


def test_flask_site_serves_pages_if_cache_server_is_down(
    caches: Made, down: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    cache = caches(**down)

    @cache.app.get("/")
    @cache.cached()
    def page() -> str:
        return "made"

    assert page
    assert cache.app.test_client().get("/").data == b"made"
    assert "Exception possibly due to cache backend" in caplog.text
    for call in (
        lambda: cache.get("key"),
        lambda: cache.set("key", 1),
        lambda: cache.add("key", 1),
        lambda: cache.delete("key"),
        lambda: cache.get_many("key"),
        lambda: cache.clear(),
        lambda: cache.cache.inc("key"),
    ):
        with pytest.raises(CacheError):
            call()


def test_call_to_unreachable_server_is_a_miss_if_configured(
    caches: Made, down: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    down["OPTIONS"]["misses_when_down"] = True
    cache = caches(**down)
    assert cache.get("key") is None and cache.get_many("key", "other") == [None, None]
    assert cache.set("key", 1) is False and cache.add("key", 1) is False and cache.set_many({"key": 1}) == []
    assert cache.delete("key") is False and cache.delete_many("key") == [] and cache.has("key") is False
    assert cache.clear() is False and cache.cache.inc("key") is None

    @cache.app.get("/")
    @cache.cached()
    def page() -> str:
        return "made"

    assert page
    assert cache.app.test_client().get("/").data == b"made"
    assert [each.name for each in caplog.records] == ["larder_cache"], "it is said once"


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"LARDER_URL": "http://sesame@host:1/path"}, "'http://…@host:1/path'"),
        ({"LARDER_URL": 7}, "CACHE_LARDER_URL must be str"),
        ({"OPTIONS": {"client": "client"}}, "must be a larder_cache.sync.CacheClient, not str"),
        ({"OPTIONS": {"cache": " "}}, "must be the name of a cache"),
        ({"LARDER_URL": "http://host", "OPTIONS": {"configuration": "Laptop"}}, "must be a larder_cache.Configuration"),
        ({"OPTIONS": {"serializer": "yaml"}}, "must be an object or a class"),
        ({"OPTIONS": {"caches": "x"}}, "caches"),
    ],
)
def test_invalid_flask_settings_are_rejected(caches: Made, settings: dict[str, Any], said: str) -> None:
    with pytest.raises((ValueError, TypeError), match=said):
        caches(**settings)


def test_client_option_cannot_be_combined_with_an_address(caches: Made, client: sync.CacheClient) -> None:
    with pytest.raises(ValueError, match="client cannot be combined with url or configuration"):
        caches(LARDER_URL="http://host", OPTIONS={"client": client})


def test_flask_example_site_counts_every_visit(
    url: str, client: sync.CacheClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.configuration
    monkeypatch.setenv("LARDER_URL", url)
    from examples import flask_site

    flask_site.cache.clear()
    visitor = flask_site.app.test_client
    assert [visitor().get("/square/12").get_json() for _ in range(2)] == [{"number": 12, "square": 144}] * 2
    assert flask_site.calls == [12]

    def visit(_: int) -> int:
        counted: Any = visitor().get("/visits").get_json()
        return counted["visits"]

    with ThreadPoolExecutor(8) as threads:
        seen = list(threads.map(visit, range(200)))
    assert sorted(seen) == list(range(1, 201))
    flask_site.cache.cache.close()
