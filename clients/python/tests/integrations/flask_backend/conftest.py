"""Fixtures: one server for all tests of the Flask-Caching backend, and backends that use it."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from larder_cache import Configurations, CredentialProvider, sync
from tests.support.larder_server import larder_server
from tests.support.patience import patient_default

__all__ = ["patient_default"]


@pytest.fixture(scope="session")
def url() -> Iterator[str]:
    pytest.importorskip("flask_caching")
    with larder_server() as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def client(url: str) -> Iterator[sync.CacheClient]:
    """Return a client of the emptied cache."""
    with sync.CacheClient(CredentialProvider.from_string(url), default_ttl=60) as client:
        client.flush_cache("cache")
        yield client


Made = Callable[..., Any]


@pytest.fixture
def caches(client: sync.CacheClient) -> Iterator[Made]:
    """Return a function that creates a new app with a Flask-Caching cache. The names of the settings omit CACHE_."""
    from flask import Flask
    from flask_caching import Cache

    made: list[Any] = []

    def cache(**settings: Any) -> Any:
        app = Flask("tests")
        options: dict[str, Any] = settings.get("OPTIONS") or {}
        if "LARDER_URL" not in settings and "client" not in options:
            settings["OPTIONS"] = options | {"client": client}
        one = Cache(config={"CACHE_TYPE": "larder_cache.flask_caching.LarderCache"})
        one.init_app(app, {f"CACHE_{name}": value for name, value in settings.items()})
        made.append(one)
        return one

    yield cache
    for each in made:
        each.cache.close()


@pytest.fixture
def cache(caches: Made) -> Any:
    return caches()


@pytest.fixture
def down() -> Iterator[dict[str, Any]]:
    """Settings with an unreachable server."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        brief = Configurations.InRegion.Default.latest().with_settings(request_timeout_s=0.1)
        yield {
            "LARDER_URL": f"http://127.0.0.1:{bound.getsockname()[1]}",
            "OPTIONS": {"configuration": brief},
        }
