"""The retry policy alone: a failure, a count and a random number decide."""

from __future__ import annotations

import pytest

from larder_cache.errors import ErrorCode, Failure
from larder_cache.retry_policy import RetryPolicy

UNAVAILABLE = Failure(14, "gone")


def policy(*, retries: int = 3, ratio: float = 0.1, jitter: float = 1.0) -> RetryPolicy:
    return RetryPolicy(retries, ratio, rand=lambda: jitter)


@pytest.mark.parametrize("status", [14, 13, 1])
def test_an_idempotent_call_is_sent_again_on_unavailable_internal_and_cancelled(status: int) -> None:
    assert policy().delay_s(Failure(status, ""), idempotent=True, attempts=1, remaining_s=9) is not None


@pytest.mark.parametrize("status", [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 16])
def test_no_other_status_is_sent_again(status: int) -> None:
    assert policy().delay_s(Failure(status, ""), idempotent=True, attempts=1, remaining_s=9) is None


def test_a_call_that_is_not_idempotent_is_sent_again_only_where_it_never_ran() -> None:
    never = Failure(14, "", not_executed=True)
    assert policy().delay_s(UNAVAILABLE, idempotent=False, attempts=1, remaining_s=9) is None
    assert policy().delay_s(never, idempotent=False, attempts=1, remaining_s=9) is not None


def test_three_retries_are_four_sends() -> None:
    tried = policy()
    delays = [tried.delay_s(UNAVAILABLE, idempotent=True, attempts=n, remaining_s=9) for n in (1, 2, 3, 4)]
    assert [delay is not None for delay in delays] == [True, True, True, False]


def test_a_retry_that_could_not_start_before_the_deadline_is_not_waited_for() -> None:
    tried = policy()
    before = tried.budget
    assert tried.delay_s(UNAVAILABLE, idempotent=True, attempts=1, remaining_s=0.02) is None
    assert tried.budget == before


def test_delays_double_and_are_jittered_between_half_and_whole() -> None:
    low, high = policy(jitter=0.0), policy(jitter=1.0)
    for attempts, whole in ((1, 0.02), (2, 0.04), (3, 0.08)):
        assert high.delay_s(UNAVAILABLE, idempotent=True, attempts=attempts, remaining_s=9) == whole
        assert low.delay_s(UNAVAILABLE, idempotent=True, attempts=attempts, remaining_s=9) == whole / 2


def test_the_clients_own_verdicts_are_final() -> None:
    late = Failure(14, "", code=ErrorCode.TIMEOUT)
    assert policy().delay_s(late, idempotent=True, attempts=1, remaining_s=9) is None


def test_over_time_retries_add_at_most_a_tenth_of_the_calls() -> None:
    tried = policy()
    retries = 0
    for _ in range(100_000):
        tried.on_call()
        if tried.delay_s(UNAVAILABLE, idempotent=True, attempts=1, remaining_s=9) is not None:
            retries += 1
    # A tenth of the calls, and the hundred that a client may make unearned.
    assert retries <= 10_000 + 100


def test_without_a_budget_nothing_is_sent_again() -> None:
    assert policy(ratio=0).delay_s(UNAVAILABLE, idempotent=True, attempts=1, remaining_s=9) is None
