"""The settings of protocol/spec/configuration.md: their ranges and types, and copies that change one setting."""

from __future__ import annotations

import dataclasses
import math
import pickle
from typing import Any, cast

import pytest

from larder_cache import CacheClient, Configuration, Configurations, Transport
from larder_cache.configuration import Settings

BASE = Configurations.Laptop.v1()

# The minimum and maximum of each setting, as in the specification. Times are in seconds.
WHOLE: dict[str, tuple[int, int]] = {
    "max_in_flight_unary": (1, 100_000),
    "max_in_flight_pipeline": (1, 100_000),
    "queue_limit": (0, 1_000_000),
    "channels": (0, 100),
    "max_retries": (0, 10),
}
PARTS: dict[str, tuple[float, float]] = {
    "request_timeout_s": (0.001, 3_600),
    "adaptive_target_s": (0.0001, BASE.request_timeout_s),
    "retry_budget": (0, 1),
    "initial_back_off_s": (0.001, 10),
    "max_back_off_s": (BASE.initial_back_off_s, 60),
    "connect_timeout_s": (0.001, 60),
    "keepalive_interval_s": (1, 3_600),
    "keepalive_timeout_s": (1, 60),
}
NONE = {"max_in_flight_unary", "max_in_flight_pipeline", "adaptive_target_s", "keepalive_interval_s"}
NUMBERS = [*WHOLE, *PARTS]


def _with(name: str, value: Any) -> Configuration:
    # The maximum back-off must not be below the initial back-off.
    room: dict[str, Any] = {"max_back_off_s": 60} if name == "initial_back_off_s" else {}
    return BASE.with_settings(**cast(Any, room | {name: value}))


@pytest.mark.parametrize("name", NUMBERS)
def test_config_2_setting_accepts_only_values_within_its_range(name: str) -> None:
    least, most = WHOLE.get(name) or PARTS[name]
    assert getattr(_with(name, least), name) == least and getattr(_with(name, most), name) == most
    past: list[float] = [math.nextafter(least, -math.inf), math.nextafter(most, math.inf)]
    if name in WHOLE:
        past = [least - 1, most + 1]
    for wrong in (*past, most * 10, -most * 10, 10**400):
        with pytest.raises(ValueError, match=name):
            _with(name, wrong)


@pytest.mark.parametrize("name", NUMBERS)
def test_config_2_setting_that_is_not_a_number_is_rejected(name: str) -> None:
    wrongs: list[Any] = [math.nan, math.inf, -math.inf, "5", True, b"", *([1.5] if name in WHOLE else [])]
    for wrong in wrongs:
        with pytest.raises((ValueError, TypeError), match=name):
            _with(name, wrong)
    if name in NONE:
        assert getattr(_with(name, None), name) is None
    else:
        with pytest.raises(TypeError, match=name):
            _with(name, None)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("transport", "unary"), ("transport", None), ("eager_connect", 1), ("eager_connect", None), ("headers", None)],
)
def test_config_2_setting_of_wrong_type_is_rejected(name: str, wrong: Any) -> None:
    with pytest.raises(TypeError, match=name):
        _with(name, wrong)


@pytest.mark.parametrize(
    "headers",
    [
        *({"x-name": "ä"}, {"x name": "a"}, {"X-Name": "a"}, {"x": "a\nb"}, {":path": "/"}, {"grpc-x": "1"}),
        *({name: "v"} for name in ("cache", "authorization", "agent", "runtime-version", "user-agent")),
    ],
)
def test_config_2_invalid_headers_are_rejected_without_their_values(headers: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="headers") as refused:
        _with("headers", headers | {"secret": "s3cret"})
    assert "s3cret" not in str(refused.value)
    with pytest.raises(TypeError, match="headers"):
        _with("headers", {"x": 1})


def test_config_1_configuration_has_exactly_the_specified_settings() -> None:
    names = [field.name for field in dataclasses.fields(Configuration)]
    others = {"transport", "eager_connect", "headers", "near_cache"}
    assert set(names) == {*NUMBERS, *others} == Settings.__annotations__.keys()
    with pytest.raises(TypeError, match="no_such_setting"):
        _with("no_such_setting", 1)
    with pytest.raises(TypeError, match="latest()"):
        CacheClient(default_ttl=60, configuration=cast(Any, Configurations.Laptop))


def test_config_4_with_settings_returns_a_changed_copy() -> None:
    base = Configurations.Lambda.v1()
    headers = {"team": "red"}
    changed = base.with_settings(queue_limit=9, transport=Transport.UNARY, headers=headers)
    assert (changed.queue_limit, changed.transport, changed.headers) == (9, Transport.UNARY, {"team": "red"})
    assert (changed.keepalive_interval_s, changed.eager_connect) == (None, True)
    assert base == Configurations.Lambda.v1(), "the original is as it was"
    headers["team"] = "blue"
    assert changed.headers["team"] == "red"
    with pytest.raises(TypeError):
        cast(Any, changed.headers)["team"] = "blue"
    assert pickle.loads(pickle.dumps(changed)) == changed and hash(changed) != hash(base)
    assert "red" not in repr(changed), "a header may be a secret"


def test_config_3_prebuilt_configurations_match_the_specification() -> None:
    named = (
        Configurations.Laptop,
        Configurations.InRegion.Default,
        Configurations.InRegion.LowLatency,
        Configurations.Lambda,
    )
    assert [
        (
            one.v1().request_timeout_s,
            one.v1().max_in_flight_unary,
            one.v1().max_in_flight_pipeline,
            one.v1().channels,
            one.v1().eager_connect,
            one.v1().keepalive_interval_s,
        )
        for one in named
    ] == [
        (5, 100, 1_000, 1, False, 5),
        (1.1, 50, 1_000, 1, False, 5),
        (0.5, 5, 350, 1, False, 5),
        (1.1, 50, 1_000, 1, True, None),
    ]
    for one in named:
        usual = one.v1()
        rest = (usual.adaptive_target_s, usual.queue_limit, usual.max_retries, usual.retry_budget, usual.transport)
        assert rest == (None, 20_000, 3, 0.1, Transport.AUTO) and usual.headers == {} and usual == one.latest()
        times = (usual.initial_back_off_s, usual.max_back_off_s, usual.connect_timeout_s, usual.keepalive_timeout_s)
        assert times == (0.08, 1, 5, 1)
