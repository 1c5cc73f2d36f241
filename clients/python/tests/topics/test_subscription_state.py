"""A subscription's own decisions: the cases that all clients share (TOP-20 to TOP-27)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder_cache._internal.topics.subscription_state import (
    GREATEST,
    Phase,
    Position,
    SubscriptionOptions,
    SubscriptionState,
)
from larder_cache.topic_event import Discontinuity, Heartbeat, Item, TopicEvent

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[4] / "protocol/vectors/clients/topics.json").read_text("utf-8")
)


def _state(case: dict[str, Any]) -> SubscriptionState:
    options, settings = case.get("options", {}), case.get("settings", {})
    return SubscriptionState(
        SubscriptionOptions(
            resume_at=int(options.get("resumeAt", 0)),
            page=int(options.get("page", 0)),
            now=options.get("from") == "now",
            heartbeats=options.get("heartbeats", False),
            request_timeout_s=settings.get("requestTimeoutMs", 5_000) / 1_000,
            initial_back_off_s=settings.get("initialBackOffMs", 80) / 1_000,
            max_back_off_s=settings.get("maxBackOffMs", 1_000) / 1_000,
        )
    )


def _told(event: TopicEvent) -> Any:
    match event:
        case Item(_, number):
            return {"item": str(number)}
        case Discontinuity(last, after, page):
            return {"discontinuity": {"last": str(last), "next": str(after), "page": str(page)}}
        case Heartbeat():
            return "heartbeat"
        case _:
            raise AssertionError(event)


def _done(state: SubscriptionState, step: dict[str, Any], now: float) -> dict[str, Any]:
    """Run a step and return its result."""
    gave: dict[str, Any] = {}
    if "connect" in step:
        ask = state.connect(now)
        gave["ask"] = ask and {"resumeAt": str(ask.resume_at), "page": str(ask.page), "now": ask.now}
    elif "opened" in step:
        state.opened(step["opened"])
    elif "item" in step:
        number, page = int(step["item"]["number"]), int(step["item"]["page"])
        gave["events"] = [_told(each) for each in state.item(Item(b"", number, page), now)]
    elif "discontinuity" in step:
        gap = {name: int(value) for name, value in step["discontinuity"].items()}
        gave["events"] = [_told(each) for each in state.discontinuity(**gap, now=now)]
    elif "heartbeat" in step:
        gave["events"] = [_told(each) for each in state.heartbeat(now)]
    elif "failed" in step:
        verdict = state.failed(step["failed"], step.get("random", 1), now)
        gave["waitMs"] = None if verdict.wait_s is None else round(verdict.wait_s * 1_000, 6)
        gave["error"] = verdict.error
    elif "tick" in step:
        gave["lost"] = state.lost(now)
    elif "resumed" in step:
        state.resumed(now)
    elif "closed" in step:
        state.close()
        gave["error"] = None
    else:
        raise AssertionError(step)
    gave["phase"] = state.phase.value
    gave["position"] = None if state.position is None else f"{state.position.page}-{state.position.number}"
    return gave


@pytest.mark.parametrize("case", CASES, ids=[f"{case['rule']}: {case['case']}" for case in CASES])
def test_subscription_state_matches_shared_test_vectors(case: dict[str, Any]) -> None:
    state = _state(case)
    now = 0.0
    for number, step in enumerate(case["steps"], 1):
        # Compute in whole milliseconds, as in the cases, so that sums are exact.
        now = step.get("atMs", now * 1_000) / 1_000
        gave = _done(state, step, now)
        then = step.get("then", {})
        assert {name: gave[name] for name in then} == then, f"step {number}: {step}"


_NUMBERS = st.integers(0, 12) | st.sampled_from((GREATEST - 1, GREATEST))
_STEPS = st.lists(
    st.tuples(st.just("item"), _NUMBERS, st.integers(0, 3))
    | st.tuples(st.just("gap"), _NUMBERS, st.integers(0, 3))
    | st.tuples(st.sampled_from(("heartbeat", "lost", "opened")), _NUMBERS, st.integers(0, 3)),
    max_size=40,
)


@given(st.integers(0, 5), st.integers(0, 2), _STEPS)
def test_subscription_state_repeats_no_item_and_hides_no_gap(
    resume_at: int, page: int, steps: list[tuple[str, int, int]]
) -> None:
    state = _state({"options": {"resumeAt": resume_at, "page": page if resume_at else 0}})
    state.connect(0.0)
    told: list[TopicEvent] = []
    for kind, number, of_page in steps:
        if kind == "item":
            told += state.item(Item(b"", number, of_page), 0.0)
        elif kind == "gap":
            told += state.discontinuity(0, number, of_page, 0.0)
        elif kind == "heartbeat":
            told += state.heartbeat(0.0)
        elif kind == "opened":
            state.opened(f"{of_page}-{number}")
        else:
            assert state.failed(14, 1.0, 0.0).error is None
            assert state.connect(0.0) is not None
    after: Position | None = None
    for event in told:
        if isinstance(event, Discontinuity):
            after = Position(event.page, event.next)
        else:
            assert isinstance(event, Item)
            # Page 0 means any page. A subscription that starts at a sequence number of page 0 waits for that number.
            assert after is None or (after.page in (0, event.page) and after.number == event.number), told
            after = Position(event.page, min(event.number + 1, GREATEST))
    assert state.phase in (Phase.CONNECTING, Phase.LIVE)


def test_silence_limit_is_five_times_the_longest_heartbeat_interval() -> None:
    state = _state({})
    state.connect(0.0)
    state.heartbeat(0.0)
    now, silence = 0.0, 4.9
    for _ in range(5):
        now += silence
        assert state.lost(now) is None
        state.heartbeat(now)
        assert state.lost_at is not None and abs(state.lost_at - now - 5 * silence) < 1e-6
        silence = 5 * silence - 0.1
