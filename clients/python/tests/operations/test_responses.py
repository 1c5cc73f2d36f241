"""Copying, pickling, comparing and printing of responses and errors."""

from __future__ import annotations

import asyncio
import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from larder_cache import CacheError, ErrorCode
from larder_cache import responses as r
from larder_cache._internal.calls.in_flight_limiter import InFlightLimiter
from larder_cache._internal.operations._generated import operations as op
from larder_cache._internal.telemetry.telemetry import GuardedMetrics, ObservedCall, Telemetry
from tests.support.metrics import Counted


def _pickled(error: CacheError) -> CacheError:
    return pickle.loads(pickle.dumps(error))


def _nothing(_: Any) -> None:
    """Do nothing instead of sending a call."""


LONG = b"\x01secret" * 1_000_000


@pytest.mark.parametrize("cause", [None, "item_size_limit_exceeded"])
@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, _pickled])
def test_cache_error_is_equal_after_copy_and_pickle(
    cause: str | None, again: Callable[[CacheError], CacheError]
) -> None:
    error = again(CacheError(ErrorCode.TIMEOUT, "late", cause))
    assert (error.code, error.message, error.cause) == (ErrorCode.TIMEOUT, "late", cause)
    assert str(error) == "Timeout: late" and type(error) is CacheError


@pytest.mark.parametrize(
    "answer",
    [
        r.Hit(LONG),
        r.FoundWithHash(LONG, b"hash"),
        r.GetBatchSuccess([r.Hit(LONG), r.MISS]),
        r.GetBatchSuccess([r.MISS] * 1_000_000),
        r.ExistsEach([True] * 1_000_000),
    ],
    ids=["hit", "hash", "batch", "misses", "exists"],
)
def test_response_repr_is_short_for_large_values(answer: Any) -> None:
    said = repr(answer)
    assert len(said) < 250 and type(answer).__name__ in said
    assert pickle.loads(pickle.dumps(answer)) == answer == copy.deepcopy(answer)


def test_hit_repr_contains_length_and_at_most_32_bytes() -> None:
    assert repr(r.Hit(b"hello")) == "Hit(5 bytes: b'hello')"
    assert repr(r.Hit(b"")) == "Hit(0 bytes: b'')"
    assert repr(r.Hit(b"x" * 32)) == f"Hit(32 bytes: {b'x' * 32!r})"
    assert repr(r.Hit(b"x" * 33)) == f"Hit(33 bytes: {b'x' * 32!r}…)"


@pytest.mark.parametrize(
    ("operation", "answer", "hits", "misses"),
    [
        (op.GET, r.Hit(b""), 1, 0),
        (op.GET, r.MISS, 0, 1),
        (op.GET_WITH_HASH, r.FoundWithHash(b"", b""), 1, 0),
        (op.GET_WITH_HASH, r.MISSING, 0, 1),
        (op.GET_BATCH, r.GetBatchSuccess([r.Hit(b""), r.MISS, r.Error(ErrorCode.TIMEOUT, ""), r.MISS]), 1, 2),
        (op.ITEM_GET_TTL, r.MISSING, 0, 0),
        (op.SET, r.SUCCESS, 0, 0),
    ],
)
async def test_hits_and_misses_are_counted_for_every_read_operation(
    operation: Any, answer: Any, hits: int, misses: int
) -> None:
    counted, limiter = Counted(), InFlightLimiter(1, 1)
    future = asyncio.get_running_loop().create_future()
    call = ObservedCall(operation, "cache", b"", 0.0, 1.0, future, _nothing)
    Telemetry(GuardedMetrics(counted), limiter, "localhost:8080").ended(call, answer)
    expected = {"cache.hits": hits, "cache.misses": misses}
    assert counted.counts == {name: count for name, count in expected.items() if count}
