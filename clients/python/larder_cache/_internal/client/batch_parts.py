"""Sends batches in parts.

A protocol message has a maximum size (LIM-4), but a list of keys has none (BATCH-9).
"""

from __future__ import annotations

from time import monotonic
from typing import Any

from larder_cache import responses as r
from larder_cache._internal.client.calls import Calls
from larder_cache._internal.operations import pipeline_codec as codec
from larder_cache._internal.operations.arguments import MOST_BYTES
from larder_cache._internal.operations.operation import Operation

# For each part, the number of its items and its response.
Answers = list[tuple[int, Any]]


def parts_of(items: list[bytes]) -> list[tuple[int, bytes]]:
    """Split `items` into requests, in order. Each part contains as many items as fit.

    Returns the number of items and the encoded request of each part.

    An item that is too large gets its own part, which the server rejects.
    """
    parts: list[tuple[int, bytes]] = []
    first = size = 0
    for i, item in enumerate(items):
        # An encoded item consists of a tag, its length, and its bytes.
        length = 1 + len(codec.length_prefix(len(item))) + len(item)
        if i > first and size + length > MOST_BYTES:
            parts.append((i - first, codec.encode_items(items[first:i])))
            first, size = i, 0
        size += length
    return [*parts, (len(items) - first, codec.encode_items(items[first:]))]


async def run_parts(
    calls: Calls, operation: Operation[Any], cache: str, items: list[bytes], timeout_s: float | None
) -> Answers:
    """Run a batch in as many parts as needed, one after the other and within one deadline.

    The caller has validated the timeout.
    """
    parts = parts_of(items)
    if len(parts) == 1:
        return [(len(items), await calls.run(operation, cache, parts[0][1], timeout_s))]
    until = monotonic() + (timeout_s or calls.configuration.request_timeout_s)
    answers: Answers = []
    for count, payload in parts:
        # Use the minimum timeout if no time is left. A late part then fails like any other late call.
        left = max(0.001, until - monotonic())
        answers.append((count, await calls.run(operation, cache, payload, left)))
    return answers


def values_of(answers: Answers) -> r.GetBatchResponse:
    """Return the response of a get_batch.

    If only some parts failed, each key of a failed part gets the part's error.
    """
    if len(answers) == 1 or all(isinstance(answer, r.Error) for _, answer in answers):
        return answers[0][1]
    joined: list[r.Hit | r.Miss | r.Error] = []
    for count, answer in answers:
        joined += [answer] * count if isinstance(answer, r.Error) else answer.responses
    return r.GetBatchSuccess(joined)


def stored_of(answers: Answers) -> r.SetBatchResponse:
    """Return the response of a set_batch: the first error if any part failed, otherwise success."""
    return next((answer for _, answer in answers if isinstance(answer, r.Error)), r.SUCCESS)


def existing_of(answers: Answers) -> r.KeysExistResponse:
    """Return the response of a keys_exist: the first error if any part failed, otherwise the results of all parts."""
    for _, answer in answers:
        if isinstance(answer, r.Error):
            return answer
    return r.ExistsEach([exists for _, answer in answers for exists in answer.exists])
