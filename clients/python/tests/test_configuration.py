"""Settings are checked once, and copies keep every other setting."""

from __future__ import annotations

import dataclasses

import pytest

from larder_cache import Configurations, Transport


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("request_timeout_s", 0),
        ("max_in_flight_unary", 0),
        ("max_in_flight_pipeline", -1),
        ("queue_limit", 0),
        ("channels", 0),
        ("max_retries", -1),
        ("retry_budget", 1.5),
        ("initial_back_off_s", 0.0),
        ("max_back_off_s", 0.01),
        ("keepalive_interval_s", 1),
    ],
)
def test_a_value_outside_its_range_is_refused_by_name(field: str, value: float) -> None:
    with pytest.raises(ValueError, match=field):
        dataclasses.replace(Configurations.Laptop.v1(), **{field: value})


def test_a_copy_keeps_every_other_setting() -> None:
    base = Configurations.Lambda.v1()
    changed = (
        base.with_request_timeout_s(2)
        .with_max_in_flight(7)
        .with_queue_limit(9)
        .with_channels(2)
        .with_max_retries(1)
        .with_transport(Transport.UNARY)
        .with_eager_connect_timeout_s(None)
    )
    assert changed.keepalive_interval_s is None
    assert (changed.max_in_flight_unary, changed.max_in_flight_pipeline, changed.queue_limit) == (7, 7, 9)
    assert base == Configurations.Lambda.v1(), "the original is as it was"


def test_an_adaptive_target_is_within_the_deadline_or_none() -> None:
    base = Configurations.Laptop.v1()
    assert base.adaptive_target_s is None
    assert base.with_adaptive_target_s(0.02).adaptive_target_s == 0.02
    for wrong in (0.0, 5.1):
        with pytest.raises(ValueError, match="adaptive_target_s"):
            base.with_adaptive_target_s(wrong)


def test_the_names_that_users_know_are_there() -> None:
    for named in (Configurations.Laptop, Configurations.InRegion.Default, Configurations.InRegion.LowLatency):
        assert named.v1() == named.latest()
    assert Configurations.InRegion.Default.v1().request_timeout_s == 1.1


def test_the_pipelined_caps_are_those_of_the_runs_through_the_delay_proxy() -> None:
    named = (Configurations.Laptop, Configurations.InRegion.Default, Configurations.InRegion.LowLatency)
    assert [one.v1().max_in_flight_pipeline for one in named] == [1_000, 1_000, 350]
