"""Batches sent in parts: a protocol message has a maximum size (LIM-4), a list of keys has none (BATCH-9)."""

from __future__ import annotations

from time import monotonic
from typing import Any

from larder_cache import responses as r
from larder_cache._internal.client.calls import Calls
from larder_cache._internal.operations import pipeline_codec as codec
from larder_cache._internal.operations.arguments import MOST_BYTES
from larder_cache._internal.operations.operation import Operation

# The number of items and the response of each part.
Answers = list[tuple[int, Any]]


def parts_of(items: list[bytes]) -> list[tuple[int, bytes]]:
    """Split `items` into requests, in order; each part has as many items as fit. Returns their numbers and bytes.

    An item that is too large gets a part of its own, which the server rejects.
    """
    parts: list[tuple[int, bytes]] = []
    first = size = 0
    for i, item in enumerate(items):
        # The tag, the length, and the item.
        length = 1 + len(codec.length_prefix(len(item))) + len(item)
        if i > first and size + length > MOST_BYTES:
            parts.append((i - first, codec.encode_items(items[first:i])))
            first, size = i, 0
        size += length
    return [*parts, (len(items) - first, codec.encode_items(items[first:]))]


async def run_parts(
    calls: Calls, operation: Operation[Any], cache: str, items: list[bytes], timeout_s: float | None
) -> Answers:
    """Run a batch in as many parts as needed, one after the other, within one deadline. The handle validated it."""
    parts = parts_of(items)
    if len(parts) == 1:
        return [(len(items), await calls.run(operation, cache, parts[0][1], timeout_s))]
    until = monotonic() + (timeout_s or calls.configuration.request_timeout_s)
    answers: Answers = []
    for count, payload in parts:
        # The minimum timeout of a call: a late part then fails like any late call.
        left = max(0.001, until - monotonic())
        answers.append((count, await calls.run(operation, cache, payload, left)))
    return answers


def values_of(answers: Answers) -> r.GetBatchResponse:
    """Return the response of a get_batch. If only some parts failed, each of their keys gets the part's error."""
    if len(answers) == 1 or all(isinstance(answer, r.Error) for _, answer in answers):
        return answers[0][1]
    joined: list[r.Hit | r.Miss | r.Error] = []
    for count, answer in answers:
        joined += [answer] * count if isinstance(answer, r.Error) else answer.responses
    return r.GetBatchSuccess(joined)


def stored_of(answers: Answers) -> r.SetBatchResponse:
    """Return the response of a set_batch: the first error, if any."""
    return next((answer for _, answer in answers if isinstance(answer, r.Error)), r.SUCCESS)


def existing_of(answers: Answers) -> r.KeysExistResponse:
    """Return the response of a keys_exist: the first error, or the joined results."""
    for _, answer in answers:
        if isinstance(answer, r.Error):
            return answer
    return r.ExistsEach([exists for _, answer in answers for exists in answer.exists])
