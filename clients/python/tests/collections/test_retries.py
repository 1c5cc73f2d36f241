"""Which collection calls are retried if they may have run (RETRY-1)."""

from __future__ import annotations

from typing import Any

import pytest

from larder_cache import ErrorCode
from larder_cache import responses as r
from protobuf_messages import pipeline_pb2 as pipe
from tests.collections.calls import CALLS, NEVER_AGAIN
from tests.conftest import client_of, pipelined
from tests.support.fake_server import FakeServer


def _unavailable(server: FakeServer, cause: str) -> None:
    async def refuse(call: pipe.Operation) -> pipe.Result:
        return pipe.Result(id=call.id, status=pipe.CallStatus(code=14, message="no", cause=cause))

    server.on_operation = refuse


@pytest.mark.parametrize("name", CALLS)
async def test_call_that_may_have_run_is_retried_only_if_idempotent(server: FakeServer, name: str) -> None:
    _unavailable(server, "")
    async with client_of(server, pipelined()) as client:
        answer: Any = await getattr(client.cache("cache").results, name)("k", *CALLS[name])
        assert isinstance(answer, r.Error) and answer.code is ErrorCode.UNAVAILABLE
        assert (sum(server.received.values()) > 1) == (name not in NEVER_AGAIN)
        assert not any(client.held().values())


@pytest.mark.parametrize("name", sorted(NEVER_AGAIN))
async def test_call_that_has_not_run_is_always_retried(server: FakeServer, name: str) -> None:
    _unavailable(server, "not_executed")
    async with client_of(server, pipelined()) as client:
        await getattr(client.cache("cache").results, name)("k", *CALLS[name])
        assert sum(server.received.values()) > 1


@pytest.mark.parametrize("name", ["dictionary_get", "list_push_back"])
async def test_collection_call_without_a_response_times_out(server: FakeServer, name: str) -> None:
    async def nothing(_: pipe.Operation) -> pipe.Result | None:
        return None

    async with client_of(server, pipelined()) as client:
        assert isinstance(await client.cache("cache").results.get("k"), r.Miss)
        server.on_operation = nothing
        answer: Any = await getattr(client.cache("cache").with_timeout(0.05).results, name)("k", *CALLS[name])
        assert isinstance(answer, r.Error) and answer.code is ErrorCode.TIMEOUT
        assert client.statistics().in_flight == 0
