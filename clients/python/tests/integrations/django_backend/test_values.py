"""The storage formats of the Django backend: signed pickles, or JSON."""

from __future__ import annotations

import pickle
import threading
from datetime import datetime
from typing import Any

import pytest

from larder_cache import CredentialProvider, sync
from tests.conftest import run_alone
from tests.integrations.django_backend.backends import backend_of


@pytest.mark.parametrize(
    "value", ["", "text", 0, -7, 2**70, 1.5, True, None, [1, "a"], {"a": {"b": [None]}}, b"\x00\xff"]
)
def test_django_backend_round_trips_values_and_their_types(cache: Any, value: Any) -> None:
    cache.set("value", value)
    sentinel = object()
    assert cache.get("value", sentinel) == value
    assert type(cache.get("value", sentinel)) is type(value)


def test_django_backend_round_trips_any_picklable_value(cache: Any) -> None:
    value = {1: ("a tuple", {2}, datetime(2026, 1, 1)), "big": 2**70}
    cache.set("object", value)
    assert cache.get("object") == value
    cache.set("true", True)
    assert cache.get("true") is True, "a truth is no number"


SPRUNG: list[str] = []


def spring() -> None:
    SPRUNG.append("unpickled")


class Trap:
    """A class whose unpickling is recorded."""

    def __reduce__(self) -> Any:
        return spring, ()


def test_a4_value_with_invalid_signature_is_never_unpickled(cache: Any) -> None:
    from django.conf import settings

    from larder_cache._internal.integrations.django_values import SignedPickle
    from larder_cache.django import unreadable

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
            client.cache("cache").results.set(made, data)
            before = unreadable.count
            assert cache.get("trap", "missing") == "missing" and cache.get_many(["trap"]) == {}
            assert unreadable.count == before + 2
        assert SPRUNG == []
        client.cache("cache").results.set(made, signed)
        cache.get("trap")
        assert SPRUNG == ["unpickled"], "the trap works"


def test_values_signed_with_a_fallback_secret_key_are_readable(cache: Any) -> None:
    from django.conf import settings

    ours = settings.SECRET_KEY
    cache.set("kept", ["value"])
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "the next", [ours]
    try:
        assert cache.get("kept") == ["value"]
        settings.SECRET_KEY_FALLBACKS = []
        assert cache.get("kept") is None
    finally:
        settings.SECRET_KEY = ours


def test_json_serializer_round_trips_values_and_rejects_unsupported_ones(cache: Any) -> None:
    backend = backend_of({"serializer": "json"})
    for value in ("", "text", 7, True, None, [1, {"a": None}], b"\x00\xff", 2**70):
        backend.set("value", value)
        assert backend.get("value") == value and type(backend.get("value")) is type(value)
    with pytest.raises(TypeError):
        backend.set("object", object())


def test_values_are_pickled_in_the_calling_thread(cache: Any) -> None:
    cache.set("here", Here())
    run_alone(cache.aset("here", Here()))


class Here:
    """A class that cannot be pickled."""

    def __reduce__(self) -> Any:
        assert threading.current_thread() is threading.main_thread()
        return Here, ()


def test_json_over_the_limits_is_rejected_when_read_or_written() -> None:
    from larder_cache._internal.integrations.django_values import JsonValues

    values = JsonValues()
    numbers = [0] * 999_999
    assert values.loads("key", values.dumps("key", numbers)) == numbers
    with pytest.raises(TypeError, match="1,000,000 elements"):
        values.dumps("key", [*numbers, 0])
    for data in (b"[" + b"[]," * 1_000_000 + b"0]", b"[" * 513 + b"]" * 513, b"[" * 5_000_000):
        with pytest.raises(ValueError, match="more than"):
            values.loads("key", b"j" + data)


class _Gone:
    """A class that no longer exists when its stored value is read, as after a deployment."""


def test_django_get_or_set_replaces_an_unreadable_value(cache: Any) -> None:
    from django.conf import settings

    ours, loads = settings.SECRET_KEY, [0]

    def load() -> str:
        loads[0] += 1
        return "menu"

    cache.set("menu", ["old"])
    settings.SECRET_KEY = "rotated"
    try:
        assert [cache.get_or_set("menu", load, 60) for _ in range(3)] == ["menu"] * 3
        assert loads == [1]
        assert cache.add("menu", "other") is False and cache.get("menu") == "menu"
    finally:
        settings.SECRET_KEY = ours
    cache.set("menu", ["old"])
    settings.SECRET_KEY = "rotated"
    try:
        run_alone(_same_by_await(cache, load))
        assert loads == [2]
    finally:
        settings.SECRET_KEY = ours


async def _same_by_await(cache: Any, load: Any) -> None:
    assert [await cache.aget_or_set("menu", load, 60) for _ in range(3)] == ["menu"] * 3
    assert await cache.aget("menu") == "menu" and await cache.aget_many(["menu"]) == {"menu": "menu"}


def test_value_of_missing_class_or_other_serializer_is_a_miss(cache: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.set("object", _Gone())
    assert isinstance(cache.get("object"), _Gone)
    monkeypatch.delitem(globals(), "_Gone")
    assert cache.get("object", 7) == 7
    cache.set("text", "kept")
    json = backend_of({"serializer": "json"})
    json.key_prefix = cache.key_prefix
    assert json.get("text") is None
    json.set("text", "json")
    assert cache.get("text") is None


def test_unreadable_values_are_logged_once_a_minute_with_their_count(caplog: pytest.LogCaptureFixture) -> None:
    from larder_cache._internal.integrations.unreadable_values import PAUSE_S, UnreadableValues

    now = [0.0]
    values = UnreadableValues(lambda: now[0])
    for at in (0.0, 1.0, PAUSE_S - 1, PAUSE_S, PAUSE_S + 1, 11 * PAUSE_S):
        now[0] = at
        values.add(ValueError("why"))
    counts = [getattr(record, "larder_count", None) for record in caplog.records]
    assert counts == [1, 3, 2] and values.count == 6 and "why" in caplog.text
