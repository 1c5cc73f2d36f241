"""Metrics objects that record what a client passes to them."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from typing import Any

from larder_cache import CacheClient, Configuration, CredentialProvider
from tests.support.fake_server import FakeServer


class Kept:
    """Metrics that record everything."""

    def __init__(self) -> None:
        self.durations: dict[tuple[str, str, str], list[float]] = {}
        self.counts: dict[str, int] = {}
        self.gauges: dict[str, Callable[[], int | None]] = {}

    def record(self, name: str, seconds: float, attributes: Mapping[str, str]) -> None:
        place = name, attributes["cache.operation"], attributes["cache.outcome"]
        self.durations.setdefault(place, []).append(seconds)

    def add(self, name: str, count: int, attributes: Mapping[str, str]) -> None:
        assert set(attributes) == {"cache.operation"}
        self.counts[name] = self.counts.get(name, 0) + count

    def watch(self, name: str, read: Callable[[], int | None]) -> None:
        self.gauges[name] = read


class Counted:
    def __init__(self) -> None:
        self.counts: dict[str, int] = {}

    def record(self, name: str, seconds: float, attributes: Mapping[str, str]) -> None:
        pass

    def add(self, name: str, count: int, attributes: Mapping[str, str]) -> None:
        self.counts[name] = self.counts.get(name, 0) + count

    def watch(self, name: str, read: Any) -> None:
        pass


class FakeMeter:
    """Records the calls of an OpenTelemetry meter."""

    def __init__(self) -> None:
        self.seen: list[tuple[Any, ...]] = []
        self.callbacks: dict[str, Callable[[Any], list[Any]]] = {}

    def create_histogram(self, name: str, unit: str) -> Any:
        def record(value: float, attributes: Mapping[str, str]) -> None:
            self.seen.append((name, attributes))

        self.seen.append((name, unit))
        return types.SimpleNamespace(record=record)

    def create_counter(self, name: str, unit: str) -> Any:
        def add(value: int, attributes: Mapping[str, str]) -> None:
            self.seen.append((name, value, attributes))

        return types.SimpleNamespace(add=add)

    def create_observable_gauge(self, name: str, callbacks: list[Any], unit: str) -> None:
        self.callbacks[name] = callbacks[0]


def client_with(server: FakeServer, configuration: Configuration, metrics: Any) -> CacheClient:
    credentials = CredentialProvider.local(port=server.port)
    return CacheClient(credentials, default_ttl=60, configuration=configuration, metrics=metrics)
