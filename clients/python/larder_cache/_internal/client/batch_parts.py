"""Batches in parts: a message of the protocol has a bound (LIM-4), a list of keys has none (BATCH-9)."""

from __future__ import annotations

from time import monotonic
from typing import Any

from larder_cache import responses as r
from larder_cache._internal.client.calls import Calls
from larder_cache._internal.operations import pipeline_codec as codec
from larder_cache._internal.operations.arguments import MOST_BYTES
from larder_cache._internal.operations.operation import Operation

# Of each part, how many items it had, and its answer.
Answers = list[tuple[int, Any]]


def parts_of(items: list[bytes]) -> list[tuple[int, bytes]]:
    """Return requests that hold `items`, in order: how many each, and its bytes, as many as fit.

    One that does not fit has a part to itself, for the server to refuse.
    """
    parts: list[tuple[int, bytes]] = []
    first = size = 0
    for i, item in enumerate(items):
        # Its tag, its length and itself.
        length = 1 + len(codec.length_prefix(len(item))) + len(item)
        if i > first and size + length > MOST_BYTES:
            parts.append((i - first, codec.encode_items(items[first:i])))
            first, size = i, 0
        size += length
    return [*parts, (len(items) - first, codec.encode_items(items[first:]))]


async def run_parts(
    calls: Calls, operation: Operation[Any], cache: str, items: list[bytes], timeout_s: float | None
) -> Answers:
    """Run a batch in as many parts as it needs, one after the other, within one deadline, which the handle checked."""
    parts = parts_of(items)
    if len(parts) == 1:
        return [(len(items), await calls.run(operation, cache, parts[0][1], timeout_s))]
    until = monotonic() + (timeout_s or calls.configuration.request_timeout_s)
    answers: Answers = []
    for count, payload in parts:
        # The least that a call may have: what is late ends as any call that is.
        left = max(0.001, until - monotonic())
        answers.append((count, await calls.run(operation, cache, payload, left)))
    return answers


def values_of(answers: Answers) -> r.GetBatchResponse:
    """Return a get_batch's answer. Where not all parts failed, the keys of one that did have its error each."""
    if len(answers) == 1 or all(isinstance(answer, r.Error) for _, answer in answers):
        return answers[0][1]
    joined: list[r.Hit | r.Miss | r.Error] = []
    for count, answer in answers:
        joined += [answer] * count if isinstance(answer, r.Error) else answer.responses
    return r.GetBatchSuccess(joined)


def stored_of(answers: Answers) -> r.SetBatchResponse:
    """Return a set_batch's answer: the first error, if any."""
    return next((answer for _, answer in answers if isinstance(answer, r.Error)), r.SUCCESS)


def existing_of(answers: Answers) -> r.KeysExistResponse:
    """Return a keys_exist's answer: the first error, or what all parts say."""
    for _, answer in answers:
        if isinstance(answer, r.Error):
            return answer
    return r.ExistsEach([exists for _, answer in answers for exists in answer.exists])
