"""Fixtures: one server for all tests of the dogpile.cache backend, and regions that use it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.support.larder_server import larder_server
from tests.support.patience import patient_default

__all__ = ["patient_default"]


@pytest.fixture(scope="session")
def url() -> Iterator[str]:
    pytest.importorskip("dogpile.cache")
    with larder_server() as port:
        yield f"http://127.0.0.1:{port}"


def written(value: Any) -> bytes:
    return json.dumps(value).encode()


Regions = Callable[..., Any]


@pytest.fixture
def regions(url: str) -> Iterator[Regions]:
    """Return a function that creates regions of an emptied cache, each with its own client."""
    from dogpile.cache import make_region

    import larder_cache.dogpile
    from larder_cache import CredentialProvider, sync

    with sync.CacheClient(CredentialProvider.from_string(url), default_ttl=60) as client:
        client.flush_cache("cache")
    made: list[Any] = []

    def region(expiration_time: float | None = None, pickled: bool = False, **arguments: Any) -> Any:
        assert larder_cache.dogpile.LarderBackend
        serializers: dict[str, Any] = {} if pickled else {"serializer": written, "deserializer": json.loads}
        one = make_region(**serializers)
        given = arguments if "client" in arguments else {"url": url} | arguments
        one.configure("larder", expiration_time=expiration_time, arguments=given)
        made.append(one)
        return one

    yield region
    for each in made:
        each.backend.close()


@pytest.fixture
def region(regions: Regions) -> Any:
    return regions()
