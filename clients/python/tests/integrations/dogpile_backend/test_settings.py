"""The arguments of the dogpile.cache backend (clients, times to live), an unreachable server, and the example."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import pytest

from larder_cache import CacheError, Configurations, CredentialProvider, sync
from tests.integrations.dogpile_backend.conftest import Regions
from tests.support.larder_server import larder_server


def test_region_can_be_configured_from_text_settings(url: str) -> None:
    from dogpile.cache import make_region

    # This import registers the backend. An installed package registers it with an entry point.
    import larder_cache.dogpile  # noqa: F401  # pyright: ignore[reportUnusedImport]

    texts = {
        "cache.larder.backend": "larder",
        "cache.larder.expiration_time": "60",
        "cache.larder.arguments.url": url,
        "cache.larder.arguments.ttl_s": "90",
        "cache.larder.arguments.distributed_lock": "true",
        "cache.larder.arguments.lock_timeout_s": "2.5",
    }
    region = make_region(serializer=bytes, deserializer=bytes)
    region.configure_from_config(texts, "cache.larder.")
    assert region.get_or_create("of a file", lambda: b"value") == b"value"
    region.backend.close()


def test_client_passed_to_regions_is_shared_and_stays_open(regions: Regions, url: str) -> None:
    with sync.CacheClient(CredentialProvider.from_string(url), default_ttl=60) as client:
        one, other = regions(client=client), regions(client=client)
        one.set("shared", 1)
        one.backend.close()
        assert other.get("shared") == 1


def test_values_expire_after_ttl_s_or_the_server_maximum() -> None:
    from dogpile.cache import make_region

    with larder_server("--max-ttl", "30d") as port:
        url = f"http://127.0.0.1:{port}"
        with sync.CacheClient(CredentialProvider.from_string(url), default_ttl=60) as client:
            for ttl_s, most_s in ((None, 30 * 86_400), (14 * 86_400, 14 * 86_400), (5_000, 5_000)):
                region = make_region().configure("larder", arguments={"client": client, "ttl_s": ttl_s})
                region.set("one", 1)
                region.set_multi({"many": 1})
                for key in ("one", "many"):
                    left = client.cache("cache").item_get_ttl(key)
                    assert left is not None and most_s - 60 < left <= most_s
            region = make_region().configure("larder", arguments={"client": client, "ttl_s": 31 * 86_400})
            with pytest.raises(CacheError, match="--max-ttl"):
                region.set("longer", 1)


@pytest.fixture
def down() -> Iterator[dict[str, Any]]:
    """Arguments with an unreachable server."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        brief = Configurations.InRegion.Default.latest().with_settings(request_timeout_s=0.1)
        yield {"url": f"http://127.0.0.1:{bound.getsockname()[1]}", "configuration": brief, "distributed_lock": True}


def test_call_to_unreachable_server_raises_cache_error(regions: Regions, down: dict[str, Any]) -> None:
    region = regions(**down)
    for call in (
        lambda: region.get("key"),
        lambda: region.get_multi(["key"]),
        lambda: region.set("key", 1),
        lambda: region.delete("key"),
        lambda: region.get_or_create("key", lambda: 1),
        lambda: region.backend.get_mutex("key").acquire(),
    ):
        with pytest.raises(CacheError):
            call()


def test_call_to_unreachable_server_is_a_miss_if_configured(
    regions: Regions, down: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    from dogpile.cache.api import NO_VALUE

    region = regions(**down, misses_when_down=True)
    assert region.get("key") is NO_VALUE and region.get_multi(["key", "key"]) == [NO_VALUE] * 2
    region.set("key", 1)
    region.set_multi({"key": 1})
    region.delete("key")
    region.delete_multi(["key"])
    assert [region.get_or_create("key", lambda: value) for value in (5, 6)] == [5, 6]
    assert not region.key_is_locked("key")
    mutex = region.backend.get_mutex("key")
    assert mutex.acquire(False) is True and mutex.acquire(False) is False, "threads still take turns"
    mutex.release()
    assert len([each for each in caplog.records if "unreachable" in each.getMessage()]) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"uri": "http://host"}, "unknown argument 'uri'; known arguments: cache, client"),
        ({"url": "http://sesame@host:1/path"}, "'http://…@host:1/path'"),
        ({"url": 7}, "url must be str"),
        ({"client": "client"}, "client must be a larder_cache.sync.CacheClient, not str"),
        ({"cache": " "}, "cache must be the name of a cache"),
        ({"configuration": "Laptop"}, "must be a larder_cache.Configuration"),
        ({"ttl_s": 0}, "ttl_s: the time to live must be above 0"),
        ({"ttl_s": "soon"}, "ttl_s: the time to live must be a number of seconds"),
        ({"lock_timeout_s": -1}, "lock_timeout_s: "),
        ({"lock_timeout_s": float("nan")}, "lock_timeout_s: "),
    ],
)
def test_invalid_dogpile_arguments_are_rejected(regions: Regions, arguments: dict[str, Any], said: str) -> None:
    with pytest.raises((ValueError, TypeError), match=said):
        regions(**arguments)


def test_client_argument_cannot_be_combined_with_a_url(regions: Regions, url: str) -> None:
    with sync.CacheClient(CredentialProvider.from_string(url), default_ttl=60) as client:
        with pytest.raises(ValueError, match="client and url are mutually exclusive"):
            regions(client=client, url=url)


def test_dogpile_example_runs_unchanged(regions: Regions, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LARDER_URL", url)
    from examples import dogpile_region

    assert dogpile_region.main() == ["144 and 144, made 1 time", "[['Ada'], ['Grace']]"]
    dogpile_region.region.backend.close()
