"""The cases of protocol/vectors/clients/retry.json, common to all clients, and this client's own decisions."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from larder_cache import Configurations
from larder_cache._internal.calls.retry_policy import RetryPolicy
from larder_cache.errors import ErrorCode, Failure

_VECTORS = Path(__file__).parents[4] / "protocol/vectors/clients/retry.json"
_CASES: list[dict[str, Any]] = json.loads(_VECTORS.read_text())


def _policy(settings: dict[str, Any], draw: list[float]) -> RetryPolicy:
    configuration = dataclasses.replace(
        Configurations.Laptop.v1(),
        max_retries=settings.get("maxRetries", 3),
        retry_budget=settings.get("retryBudget", 0.1),
        initial_back_off_s=settings.get("initialBackOffMs", 80) / 1_000,
        max_back_off_s=settings.get("maxBackOffMs", 1_000) / 1_000,
    )
    return RetryPolicy(configuration, settings.get("cap", 100), rand=lambda: draw[0])


@pytest.mark.parametrize("case", _CASES, ids=lambda case: f"{case['rule']}: {case['case']}")
def test_retry_policy_matches_shared_test_vectors(case: dict[str, Any]) -> None:
    draw = [1.0]
    policy = _policy(case.get("settings", {}), draw)
    for index, step in enumerate(case["steps"]):
        for _ in range(step.get("calls", 0)):
            policy.on_call()
        failed = step["failed"]
        draw[0] = failed.get("random", 1)
        for _ in range(step.get("times", 1)):
            delay_s = policy.delay_s(
                Failure(failed["status"], "", not_executed=failed.get("notExecuted", False)),
                idempotent=failed.get("idempotent", True),
                attempts=failed.get("sends", 1),
                remaining_s=failed.get("remainingMs", 5_000) / 1_000,
            )
            assert (index, None if delay_s is None else round(delay_s * 1_000, 6)) == (index, step["then"]["waitMs"])


def test_retry_policy_does_not_retry_after_a_client_timeout() -> None:
    late = Failure(14, "", code=ErrorCode.TIMEOUT)
    assert _policy({}, [1.0]).delay_s(late, idempotent=True, attempts=1, remaining_s=9) is None


def test_retry_budget_limits_retries_to_a_tenth_of_calls() -> None:
    tried = _policy({}, [1.0])
    retries = 0
    for _ in range(100_000):
        tried.on_call()
        if tried.delay_s(Failure(14, "gone"), idempotent=True, attempts=1, remaining_s=9) is not None:
            retries += 1
    # The maximum is a tenth of the calls, plus the initial retry budget, which is 200 for this concurrency limit.
    assert retries <= 10_000 + 200
