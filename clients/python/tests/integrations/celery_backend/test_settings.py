"""Valid and invalid settings of an app."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import Any

import pytest

from larder_cache import Configurations
from larder_cache.fake import FakeServer
from tests.integrations.celery_backend.conftest import BACKEND, Apps


@pytest.mark.parametrize(
    ("url", "cache", "endpoint"),
    [
        (None, "cache", "127.0.0.1:8080"),
        ("larder://a", "cache", "a:8080"),
        ("larder://a/", "cache", "a:8080"),
        ("larder://a:1/results", "results", "a:1"),
        ("larders://t@a:1/results/", "results", "a:1"),
        ("http://a/gr%C3%B6%C3%9Fe%2F", "größe/", "a:8080"),
        ("larder://a:1,larder://b:2/results", "results", "a:1"),
        ("larder://[::1]:9/r", "r", "[::1]:9"),
    ],
)
def test_celery_backend_url_sets_endpoint_and_cache(apps: Apps, url: str | None, cache: str, endpoint: str) -> None:
    backend = apps(url).backend
    assert backend.client.name == cache
    assert backend.client.asynchronous.results.calls.credentials.endpoint == endpoint


def test_celery_backend_is_found_by_its_entry_point_name(apps: Apps) -> None:
    # This alias is defined by the entry point in pyproject.toml.
    app = apps(None)
    app.loader.override_backends = {"larder": BACKEND}
    app.conf.result_backend = "larder://a:1/results"
    assert app.backend.client.name == "results"


@pytest.mark.parametrize(
    "url",
    [
        "larder://",
        "larder:///cache",
        "ftp://a",
        "larder://a:0",
        "larder://a:99999/cache",
        "larder://a/b/c",
        "larder://a/%20",
        "larder://a/%FF",
        "larder://a/" + "x" * 256,
        "larder://a/cache?x=1",
        "larder://a,larder://a/cache",
        ",".join(f"larder://a:{port}" for port in range(1, 66)),
    ],
    ids=lambda url: f"{url:.40}",
)
def test_invalid_celery_backend_url_is_rejected(apps: Apps, url: str) -> None:
    from celery.exceptions import ImproperlyConfigured

    with pytest.raises(ImproperlyConfigured, match="result_backend"):
        assert apps(url).backend


@pytest.mark.parametrize("expires", [-1, 0.0000000001 - 1, math.nan, math.inf, True, "soon", timedelta(days=366)])
def test_celery_rejects_invalid_result_expires(apps: Apps, expires: Any) -> None:
    from celery.exceptions import ImproperlyConfigured

    with pytest.raises(ImproperlyConfigured, match="result_expires"):
        assert apps("larder://a", result_expires=expires).backend


def test_celery_result_without_expiry_gets_the_server_maximum_ttl(apps: Apps) -> None:
    for expires in (None, 0):
        fake = FakeServer(max_ttl=timedelta(days=30))
        options = {"client": fake.sync_client()}
        app = apps("larder://a", result_expires=expires, result_backend_transport_options=options)
        app.backend.store_result("one", 7, "SUCCESS")
        app.backend.expire(app.backend.get_key_for_task("one"), None)
        fake.advance(timedelta(days=30) - timedelta(seconds=1))
        assert app.backend.get_task_meta("one", cache=False)["status"] == "SUCCESS"
        fake.advance(1)
        assert app.backend.get_task_meta("one", cache=False)["status"] == "PENDING"


def test_celery_result_expires_over_the_server_maximum_raises(apps: Apps) -> None:
    from larder_cache import CacheError

    options = {"client": FakeServer().sync_client()}
    app = apps("larder://a", result_expires=86_401, result_backend_transport_options=options)
    with pytest.raises(CacheError, match="86400000"):
        app.backend.store_result("one", 7, "SUCCESS")


@pytest.mark.parametrize(
    "options",
    [
        {"cache": "results"},
        {"client": object()},
        {"client": FakeServer().client()},
        {"configuration": "Laptop"},
        {"client": FakeServer().sync_client(), "configuration": Configurations.Laptop.latest()},
    ],
    ids=lambda options: ",".join(options),
)
def test_invalid_celery_transport_options_are_rejected(apps: Apps, options: dict[str, Any]) -> None:
    from celery.exceptions import ImproperlyConfigured

    with pytest.raises(ImproperlyConfigured):
        assert apps("larder://a", result_backend_transport_options=options).backend


def test_celery_configuration_option_is_passed_to_the_client(apps: Apps) -> None:
    configuration = Configurations.Lambda.latest()
    app = apps("larder://a", result_backend_transport_options={"configuration": configuration})
    assert app.backend.client.asynchronous.results.calls.configuration is configuration


def test_celery_backend_url_hides_its_tokens(apps: Apps) -> None:
    backend = apps("larder://s3cr%2Ft@a:1,larder://s3c:ret@b:2/results").backend
    assert "s3c" not in backend.as_uri() and backend.as_uri().endswith("b:2/results")
    assert "s3c:ret@" in backend.as_uri(include_password=True)
