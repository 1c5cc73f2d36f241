"""The state machine of the pipelined transport's connection, without a network and without a clock."""

from __future__ import annotations

import pytest

from larder_cache._internal.transport.link_state import LinkPhase, LinkState
from larder_cache.errors import UNAUTHENTICATED, UNAVAILABLE, UNIMPLEMENTED, Failure


def link(*, request_timeout_s: float = 5.0) -> LinkState:
    return LinkState(max_back_off_s=1.0, request_timeout_s=request_timeout_s)


def refused(*, shown: int = 1) -> Failure:
    return Failure(UNAUTHENTICATED, "no token", shown=shown)


def test_connection_attempts_back_off_by_doubling_up_to_the_maximum() -> None:
    state = link()
    waits: list[float] = []
    for _ in range(7):
        waits.append(state.wait_s(1.0))
        state.tries()
    assert waits == [0, 0.05, 0.1, 0.2, 0.4, 0.8, 1.0]
    assert state.wait_s(0.5) == 0.5


def test_back_off_continues_until_the_server_responds() -> None:
    state = link()
    state.tries()
    state.opened()
    assert (state.phase, state.wait_s(1.0)) == (LinkPhase.OPEN, 0.05)
    state.retired()
    state.heard()
    assert (state.phase, state.wait_s(1.0)) == (LinkPhase.IDLE, 0)


@pytest.mark.parametrize(
    ("at", "request_timeout_s", "fails"),
    [(11.9, 5.0, False), (12.0, 5.0, True), (40.0, 5.0, True), (10.4, 0.5, False), (10.5, 0.5, True)],
)
def test_calls_fail_immediately_after_the_outage_grace_period(at: float, request_timeout_s: float, fails: bool) -> None:
    state = link(request_timeout_s=request_timeout_s)
    assert state.unreachable("nobody listens", 10.0)
    assert not state.unreachable("nobody listens, again", 10.1)
    refusal = state.refusal_of(at)
    assert (refusal is not None) is fails
    if refusal is not None:
        assert refusal.status == UNAVAILABLE and refusal.not_executed
        assert refusal.message == "the server is unreachable: nobody listens, again"
    state.opened()
    assert state.refusal_of(at) is None and not state.outage.lasts


def test_rejected_stream_fails_calls_until_another_token_is_sent() -> None:
    state = link()
    failure = refused(shown=1)
    assert state.ended(failure, heard=False) is failure
    assert (state.phase, state.refusal) == (LinkPhase.REFUSED, failure)
    state.shows(1)
    assert state.phase is LinkPhase.REFUSED
    state.shows(2)
    assert (state.phase, state.refusal) == (LinkPhase.IDLE, None)


def test_later_calls_fail_only_if_stream_was_rejected_at_opening() -> None:
    state = link()
    assert state.ended(Failure(UNAVAILABLE, "lost"), heard=False) is None
    assert state.ended(refused(), heard=True) is None
    assert (state.phase, state.outage.reason) == (LinkPhase.IDLE, "no token")


def test_unsupported_pipeline_is_reported_to_every_call() -> None:
    state = link()
    told = state.ended(Failure(UNIMPLEMENTED, "no such rpc"), heard=False)
    assert told is not None and told.status == UNIMPLEMENTED
    assert state.phase is LinkPhase.UNARY
    later = state.refusal_of(0.0)
    assert later is not None and (later.status, later.not_executed) == (UNIMPLEMENTED, True)


def test_closed_link_stays_closed_after_late_events() -> None:
    state = link()
    state.close()
    state.opened()
    state.retired()
    state.ended(refused(), heard=False)
    state.shows(2)
    assert (state.phase, state.refusal) == (LinkPhase.CLOSED, None)
    assert state.refusal_of(0.0) is not None
