"""Helpers for the tests of blocking clients: a factory, a client of the server or of a fake, and expired values."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, sleep

from larder_cache import CredentialProvider, GetOrSetOptions, sync
from larder_cache.fake import FakeServer as Fake
from tests.conftest import PATIENCE_S
from tests.leases.loads import patient

SOFT = GetOrSetOptions(fail_safe_for=3_600, soft_timeout=0.01)
HARD = GetOrSetOptions(fail_safe_for=3_600, hard_timeout=0.01)


class Slow:
    """A blocking factory that counts its calls and waits until the test releases it."""

    def __init__(self, raised: Exception | None = None) -> None:
        self.calls = 0
        self.go_on = threading.Event()
        self.ended = threading.Semaphore(0)
        self.raised = raised

    def __call__(self) -> str:
        self.calls += 1
        assert self.go_on.wait(PATIENCE_S)
        self.ended.release()
        if self.raised is not None:
            raise self.raised
        return "slow"


def until(condition: Callable[[], bool]) -> None:
    """Wait until a condition is true. Fail after a long timeout."""
    end = monotonic() + PATIENCE_S
    while not condition():
        assert monotonic() < end
        sleep(0.002)


def load_threads() -> list[threading.Thread]:
    """Return the running load threads. `enumerate` also lists threads whose start was interrupted."""
    return [each for each in threading.enumerate() if each.name == "larder: load" and each.is_alive()]


@contextmanager
def one_client(kind: str, port: int) -> Iterator[tuple[sync.Cache, Fake | None]]:
    """Yield an empty cache of a blocking client, and the fake server. Without a fake, the second value is None."""
    fake = Fake() if kind == "fake" else None
    if fake is not None:
        client = fake.sync_client()
    else:
        client = sync.CacheClient(CredentialProvider.local(port=port), default_ttl=60, configuration=patient())
    with client:
        client.flush_cache("cache")
        yield client.cache("cache"), fake
    until(lambda: not load_threads())


def stale(cache: sync.Cache, fake: Fake | None, *keys: str, options: GetOrSetOptions = SOFT) -> None:
    """Store an expired value "old" under each key."""
    for key in keys:
        assert cache.get_or_set(key, lambda: "old", ttl=0.05, options=options) == b"old"
    if fake is not None:
        fake.advance(1)
    until(lambda: all(cache.get(key) is None for key in keys))
