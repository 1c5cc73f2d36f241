"""get_or_set with a lease in blocking clients."""

from __future__ import annotations

import threading

import pytest

from larder_cache import CredentialProvider, GetOrSetOptions
from larder_cache import responses as r
from larder_cache import sync
from larder_cache.fake import FakeServer as Fake
from tests.leases.loads import LEASED, patient


def test_blocking_factory_that_loads_its_own_key_does_not_deadlock() -> None:
    longest = GetOrSetOptions(lease=600)
    with Fake().sync_client() as client:
        cache = client.cache("cache").results

        def outer() -> bytes:
            return cache.get_or_set("k", lambda: "inner", options=longest)

        assert cache.get_or_set("k", outer, options=longest) == b"inner"


def test_threads_of_two_blocking_clients_load_a_value_once(real_port: int) -> None:
    credentials, configuration = CredentialProvider.local(port=real_port), patient()
    with (
        sync.CacheClient(credentials, default_ttl=60, configuration=configuration) as one,
        sync.CacheClient(credentials, default_ttl=60, configuration=configuration) as other,
    ):
        one.flush_cache("cache")
        go_on = threading.Event()
        calls: list[str] = []

        def load() -> str:
            calls.append(threading.current_thread().name)
            go_on.wait()
            return f"made {len(calls)}"

        got: list[bytes] = []

        def ask(client: sync.CacheClient) -> None:
            got.append(client.cache("cache").results.get_or_set("k", load, options=LEASED))

        threads = [threading.Thread(target=ask, args=[(one, other)[i % 2]], daemon=True) for i in range(20)]
        for thread in threads:
            thread.start()
        while not calls:
            pass
        go_on.set()
        for thread in threads:
            thread.join()
        assert got == [b"made 1"] * 20 and len(calls) == 1


def test_blocking_client_refreshes_at_most_32_stale_values_in_threads() -> None:
    fake = Fake()
    with fake.sync_client() as client:
        options = GetOrSetOptions(revalidate_for=3_600)
        for number in range(40):
            client.cache("cache").results.get_or_set(f"{number}", lambda: "old", ttl=1, options=options)
        fake.advance(2)
        go_on, begun = threading.Event(), threading.Semaphore(0)

        def load() -> str:
            begun.release()
            go_on.wait()
            return "new"

        answers = [client.cache("cache").results.get_or_set(f"{number}", load, options=options) for number in range(40)]
        assert answers == [b"old"] * 40
        for _ in range(32):
            begun.acquire()
        refreshing = [each for each in threading.enumerate() if each.name == "larder: refresh" and each.is_alive()]
        assert len(refreshing) == 32
        go_on.set()
        for thread in refreshing:
            thread.join()
        values = [client.cache("cache").results.get(f"{number}") for number in range(40)]
        assert values == [r.Hit(b"new")] * 32 + [r.MISS] * 8
        # Eight keys were not refreshed, and their leases were released. So the next call for each of these keys returns
        # the old value and starts a refresh.
        assert [
            client.cache("cache").results.get_or_set(f"{number}", load, options=options) for number in range(32, 40)
        ] == [b"old"] * 8
        while any(isinstance(client.cache("cache").results.get(f"{number}"), r.Miss) for number in range(32, 40)):
            pass


def test_blocking_factory_error_releases_the_lease() -> None:
    with Fake().sync_client() as client:
        options = GetOrSetOptions(lease=600)

        def broken() -> str:
            raise KeyError("no such row")

        with pytest.raises(KeyError):
            client.cache("cache").results.get_or_set("k", broken, options=options)
        assert client.cache("cache").results.get_or_set("k", lambda: "made", options=options) == b"made"
