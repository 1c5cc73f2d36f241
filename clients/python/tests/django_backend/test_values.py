"""What the Django backend stores: pickles behind a signature, or JSON."""

from __future__ import annotations

import pickle
import threading
from datetime import datetime
from typing import Any

import pytest

from larder_cache import CredentialProvider, sync
from tests.conftest import run_alone
from tests.django_backend.backends import backend_of


@pytest.mark.parametrize(
    "value", ["", "text", 0, -7, 2**70, 1.5, True, None, [1, "a"], {"a": {"b": [None]}}, b"\x00\xff"]
)
def test_values_come_back_as_they_went(cache: Any, value: Any) -> None:
    cache.set("value", value)
    sentinel = object()
    assert cache.get("value", sentinel) == value
    assert type(cache.get("value", sentinel)) is type(value)


def test_whatever_can_be_pickled_comes_back_as_it_went(cache: Any) -> None:
    value = {1: ("a tuple", {2}, datetime(2026, 1, 1)), "big": 2**70}
    cache.set("object", value)
    assert cache.get("object") == value
    cache.set("true", True)
    assert cache.get("true") is True, "a truth is no number"


SPRUNG: list[str] = []


def spring() -> None:
    SPRUNG.append("unpickled")


class Trap:
    """Says when it is unpickled."""

    def __reduce__(self) -> Any:
        return spring, ()


def test_a4_a_value_whose_signature_does_not_hold_is_refused_and_never_unpickled(cache: Any) -> None:
    from django.conf import settings

    from larder_cache.django import ForeignValue
    from larder_cache.django_values import SignedPickle

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
            client.set("cache", made, data)
            with pytest.raises(ForeignValue):
                cache.get("trap")
            with pytest.raises(ForeignValue):
                cache.get_many(["trap"])
        assert SPRUNG == []
        client.set("cache", made, signed)
        cache.get("trap")
        assert SPRUNG == ["unpickled"], "the trap works"


def test_values_of_an_earlier_secret_key_are_read_while_it_is_a_fallback(cache: Any) -> None:
    from django.conf import settings

    from larder_cache.django import ForeignValue

    ours = settings.SECRET_KEY
    cache.set("kept", ["value"])
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "the next", [ours]
    try:
        assert cache.get("kept") == ["value"]
        settings.SECRET_KEY_FALLBACKS = []
        with pytest.raises(ForeignValue):
            cache.get("kept")
    finally:
        settings.SECRET_KEY = ours


def test_json_is_spoken_on_request_and_refuses_what_it_cannot_say(cache: Any) -> None:
    backend = backend_of({"serializer": "json"})
    for value in ("", "text", 7, True, None, [1, {"a": None}], b"\x00\xff", 2**70):
        backend.set("value", value)
        assert backend.get("value") == value and type(backend.get("value")) is type(value)
    with pytest.raises(TypeError):
        backend.set("object", object())


def test_values_are_pickled_in_the_callers_thread(cache: Any) -> None:
    cache.set("here", Here())
    run_alone(cache.aset("here", Here()))


class Here:
    """Refuses to be pickled elsewhere."""

    def __reduce__(self) -> Any:
        assert threading.current_thread() is threading.main_thread()
        return Here, ()


def test_json_past_the_limits_is_refused_both_ways() -> None:
    from larder_cache.django_values import JsonValues

    values = JsonValues()
    numbers = [0] * 999_999
    assert values.loads("key", values.dumps("key", numbers)) == numbers
    with pytest.raises(TypeError, match="1,000,000 elements"):
        values.dumps("key", [*numbers, 0])
    for data in (b"[" + b"[]," * 1_000_000 + b"0]", b"[" * 513 + b"]" * 513, b"[" * 5_000_000):
        with pytest.raises(ValueError, match="more than"):
            values.loads("key", b"j" + data)
