"""When a call is sent again, and after how long. Pure: state, a failure and a random number decide."""

from __future__ import annotations

import random
from collections.abc import Callable

from larder_cache.errors import CANCELLED, INTERNAL, UNAVAILABLE, Failure

# Exponential from 20 ms, doubling, at most 1 s, each drawn between half and the whole ("equal jitter"): the first
# retry outlasts a hiccup, and many clients do not return in step.
_BASE_S = 0.020
_MOST_S = 1.0

# Retries that may be made without having been earned, so that a lone client's first calls can be retried at all.
_LEAST_BUDGET = 100.0

_RETRYABLE = frozenset((UNAVAILABLE, INTERNAL, CANCELLED))


class RetryPolicy:
    """`max_retries` sends after the first, and over time at most `budget_ratio` retries a call (spec RETRY-1 to 6).

    The budget is a bucket of tokens: each call puts in `budget_ratio`, each retry takes one out. It holds at most
    `burst` tokens (at least 100): as many as calls can be cut off at once when a connection breaks.
    """

    __slots__ = ("_max_retries", "_ratio", "_most", "_tokens", "_random")

    def __init__(
        self, max_retries: int, budget_ratio: float, *, burst: int = 0, rand: Callable[[], float] = random.random
    ) -> None:
        self._max_retries = max_retries
        self._ratio = budget_ratio
        self._most = max(_LEAST_BUDGET, float(burst)) if budget_ratio > 0 else 0.0
        self._tokens = self._most
        self._random = rand

    @property
    def budget(self) -> float:
        """Retries that could be made now."""
        return self._tokens

    def on_call(self) -> None:
        """Count one call that a user made."""
        self._tokens = min(self._most, self._tokens + self._ratio)

    def delay_s(self, failure: Failure, *, idempotent: bool, attempts: int, remaining_s: float) -> float | None:
        """Return how long to wait before sending again, and take the retry from the budget; None: do not.

        `attempts` is the number of sends so far, `remaining_s` the time to the call's deadline.
        """
        if attempts > self._max_retries or failure.code is not None:
            return None
        if not failure.not_executed and not (idempotent and failure.status in _RETRYABLE):
            return None
        if self._tokens < 1:
            return None
        ceiling = min(_MOST_S, _BASE_S * 2 ** (attempts - 1))
        delay = ceiling * (0.5 + 0.5 * self._random())
        if delay >= remaining_s:
            return None
        self._tokens -= 1
        return delay
