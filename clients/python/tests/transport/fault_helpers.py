"""Helpers for the tests of faults: a server that does not respond, and the errors among responses."""

from __future__ import annotations

import asyncio

from larder_cache import ErrorCode
from larder_cache import responses as r
from protobuf_messages import pipeline_pb2 as pipe


def errors_of(answers: list[r.GetResponse] | list[r.IncrementResponse]) -> set[ErrorCode]:
    return {answer.code for answer in answers if isinstance(answer, r.Error)}


async def no_answer(_: pipe.Operation) -> pipe.Result | None:
    return None


async def wait_for(event: asyncio.Event) -> None:
    await event.wait()
