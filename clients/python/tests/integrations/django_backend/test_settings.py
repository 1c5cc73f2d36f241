"""The Django backend's settings: addresses, aliases, times to live, and a server that is down."""

from __future__ import annotations

import os
import socket
from typing import Any

import pytest

from larder_cache import CacheError, CredentialProvider, sync
from tests.conftest import run_alone
from tests.integrations.django_backend.backends import backend_of
from tests.support.larder_server import larder_server


def test_get_from_unreachable_server_raises_or_misses_as_configured(
    cache: Any, caplog: pytest.LogCaptureFixture
) -> None:
    from larder_cache import CacheError, Configurations

    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        nowhere = f"http://127.0.0.1:{bound.getsockname()[1]}"
        fast = {"configuration": Configurations.InRegion.Default.latest().with_settings(request_timeout_s=0.2)}
        with pytest.raises(CacheError):
            backend_of(fast, server=nowhere).get("k")
        lenient = backend_of(fast | {"misses_when_down": True}, server=nowhere)
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
    assert len([each for each in caplog.records if "unreachable" in each.getMessage()]) == 1


def test_aliases_with_equal_settings_share_one_client(cache: Any) -> None:
    from larder_cache import Configurations

    one, same = backend_of(), backend_of({"serializer": "json"}, KEY_PREFIX="x")
    other = backend_of({"configuration": Configurations.Laptop.latest()})
    clients = [each._blocking.client for each in (one, same, other)]
    assert clients[0] is clients[1] and clients[0] is not clients[2]
    assert other._blocking.client.configuration == Configurations.Laptop.latest()


def test_timeout_none_uses_the_server_maximum_and_longer_timeouts_raise() -> None:
    with larder_server("--max-ttl", "30d") as port:
        location = f"http://127.0.0.1:{port}"
        backend = backend_of(server=location, TIMEOUT=None)
        with sync.CacheClient(CredentialProvider.from_string(location), default_ttl=60) as client:
            backend.set("never", 1)
            backend.add("also", 1)
            backend.set("session", 1, 14 * 86_400)
            backend.set("touched", 1, 5)
            backend.touch("touched", None)
            for key, days in (("never", 30), ("also", 30), ("touched", 30), ("session", 14)):
                left = client.cache("cache").item_get_ttl(backend.make_key(key))
                assert left is not None and days * 86_400 - 60 < left <= days * 86_400
        for seconds in (30 * 86_400 + 1, 300 * 86_400, 366 * 86_400, 3_660 * 86_400):
            with pytest.raises(CacheError, match="--max-ttl"):
                backend.set("longer", 1, seconds)


@pytest.mark.parametrize(
    ("location", "options", "said"),
    [
        ("http://sesame@host:1/path", {}, "LOCATION: invalid server address 'http://…@host:1/path'"),
        ("host:port", {}, "LOCATION: invalid server address 'http://host:port'"),
        (["one", "two"], {}, "LOCATION must be the address of one server"),
        ("", {"caches": "x"}, "unknown option 'caches' in OPTIONS"),
        ("", {"configuration": "Laptop"}, "must be a larder_cache.Configuration"),
        ("", {"serializer": "yaml"}, "serializer"),
        ("", {"cache": " "}, "the name of a cache"),
    ],
)
def test_invalid_django_settings_are_rejected_at_creation(
    cache: Any, location: Any, options: dict[str, Any], said: str
) -> None:
    from django.core.exceptions import ImproperlyConfigured

    from larder_cache.django import LarderCache

    with pytest.raises(ImproperlyConfigured, match=said):
        LarderCache(location, {"OPTIONS": options})


@pytest.mark.parametrize("scheme", ["", "http://", "larder://"])
def test_server_address_is_accepted_with_and_without_scheme(cache: Any, scheme: str) -> None:
    from larder_cache.django import LarderCache

    cache.set("shared", "seen by all")
    address = os.environ["LARDER_URL"].removeprefix("http://")
    assert LarderCache(scheme + address, {"KEY_PREFIX": "site"}).get("shared") == "seen by all"
