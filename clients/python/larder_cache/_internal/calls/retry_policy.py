"""Decides whether and when a call is retried.

The decision depends only on the policy's state, the failure and a random number.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from larder_cache.configuration import Configuration
from larder_cache.errors import CANCELLED, INTERNAL, UNAVAILABLE, Failure

# The capacity of the retry budget: the minimum, the capacity per permit, and the capacity without a concurrency limit.
# The capacity is large because a broken connection fails every call in flight at the same time (RETRY-12).
_LEAST_RESERVE = 100
_RESERVE_PER_PERMIT = 2
_RESERVE_WITHOUT_CAP = 20_000

_RETRYABLE = frozenset((UNAVAILABLE, INTERNAL, CANCELLED))


class RetryPolicy:
    """Limits retries (spec RETRY-1 to 12).

    A call is retried at most `max_retries` times. Over time there are at most `retry_budget` retries per call on
    average.

    The budget is a token bucket that starts full. Each call adds `retry_budget` tokens, and each retry takes one token.
    """

    __slots__ = ("_max_retries", "_ratio", "_first_s", "_longest_s", "_most", "_tokens", "_random")

    def __init__(
        self, configuration: Configuration, cap: int | None, *, rand: Callable[[], float] = random.random
    ) -> None:
        self._max_retries = configuration.max_retries
        self._ratio = configuration.retry_budget
        self._first_s = configuration.initial_back_off_s
        self._longest_s = configuration.max_back_off_s
        reserve = _RESERVE_WITHOUT_CAP if cap is None else max(_LEAST_RESERVE, cap * _RESERVE_PER_PERMIT)
        self._most = float(reserve) if self._ratio > 0 else 0.0
        self._tokens = self._most
        self._random = rand

    @property
    def budget(self) -> float:
        """The number of retries available now."""
        return self._tokens

    def on_call(self) -> None:
        """Add the share of one call to the budget. Retries are not counted."""
        self._tokens = min(self._most, self._tokens + self._ratio)

    def delay_s(self, failure: Failure, *, idempotent: bool, attempts: int, remaining_s: float) -> float | None:
        """Return the delay before the retry in seconds and take the retry from the budget, or return None for no retry.

        Args:
            attempts: The number of attempts so far.
            remaining_s: The time until the call's deadline.
        """
        if attempts > self._max_retries or failure.code is not None:
            return None
        if failure.status not in _RETRYABLE or not (idempotent or failure.not_executed) or self._tokens < 1:
            return None
        ceiling = min(self._longest_s, self._first_s * 2 ** (attempts - 1))
        delay = ceiling * (0.5 + 0.5 * self._random())
        if delay >= remaining_s:
            return None
        self._tokens -= 1
        return delay
