"""Invalid arguments of collection calls are rejected with the documented error.

The client sends nothing and holds no permit or id afterwards.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from larder_cache import Configuration, ErrorCode
from larder_cache import responses as r
from protobuf_messages import pipeline_pb2 as pipe
from tests.collections.calls import CALLS, WITH_TTL
from tests.conftest import capped, client_of, pipelined
from tests.support.fake_server import FakeServer

HOSTILE: list[Any] = ["\ud800", None, 7.5, object(), "", float("nan"), float("inf"), -1, 2**70]


async def _tried(call: Any, *arguments: Any, **named: Any) -> Any:
    try:
        return await call(*arguments, **named)
    except TypeError as error:
        return error


@pytest.mark.parametrize("name", CALLS)
async def test_invalid_collection_argument_leaks_no_permit(
    server: FakeServer, configuration: Configuration, name: str
) -> None:
    async with client_of(server, capped(configuration, 2)) as client:

        async def call(cache: Any, *arguments: Any, timeout_s: Any = None, **named: Any) -> Any:
            handle = client.cache(cache)
            timed = handle if timeout_s is None else handle.with_timeout(timeout_s)
            return await getattr(timed.results, name)(*arguments, **named)

        given = ["cache", "k", *CALLS[name]]
        for bad in HOSTILE:
            for place in range(len(given)):
                told = await _tried(call, *[*given[:place], bad, *given[place + 1 :]])
                # The fake server does not support collections. So even a valid call returns an Error.
                assert isinstance(told, (r.Error, TypeError)), (bad, place, told)
                if place < 2:
                    refused = isinstance(told, TypeError) or told.code is ErrorCode.INVALID_ARGUMENT
                    assert refused, (bad, place, told)
            if name in WITH_TTL and bad is not None:
                told = await _tried(call, *given, ttl=bad if bad != 7.5 else 0)
                assert isinstance(told, TypeError) or told.code is ErrorCode.INVALID_ARGUMENT, (bad, told)
            if bad is not None:
                told = await _tried(call, *given, timeout_s=bad if bad != 7.5 else 0)
                assert isinstance(told, TypeError) or told.code is ErrorCode.INVALID_ARGUMENT, (bad, told)
        assert not any(client.held().values())
        assert isinstance(await client.cache("cache").results.get("absent"), r.Miss)


def _failing() -> Iterator[str]:
    yield "a"
    raise LookupError("the caller's own")


async def test_iterable_exception_reaches_the_caller_and_leaks_nothing(server: FakeServer) -> None:
    async with client_of(server) as client:
        with pytest.raises(LookupError, match="own"):
            await client.cache("cache").results.set_union("k", _failing())
        changing = {"a": "1"}

        def grown() -> Iterator[tuple[str, str]]:
            for field, value in changing.items():
                changing["b"] = "2"
                yield field, value

        with pytest.raises(RuntimeError, match="changed size"):
            await client.cache("cache").results.dictionary_set("k", grown())
        assert not any(client.held().values()) and not server.received


async def test_changes_to_queued_list_values_are_not_sent(server: FakeServer) -> None:
    seen: list[list[bytes]] = []

    async def noted(call: pipe.Operation) -> pipe.Result:
        seen.append([*call.list_concatenate_back.values])
        result = pipe.Result(id=call.id)
        result.list_concatenate_back.length = 1
        return result

    server.on_operation = noted
    async with client_of(server, capped(pipelined(), 1)) as client:
        owned, values = bytearray(b"before"), [b"first"]
        given: Any = [owned, memoryview(owned)[:3], *values]
        tasks = [
            asyncio.ensure_future(client.cache("cache").results.list_concatenate_back("k", given)) for _ in range(3)
        ]
        await asyncio.sleep(0)
        assert client.statistics().queued > 0
        owned[:] = b"after!"
        given.clear()
        assert await asyncio.gather(*tasks) == [r.ListConcatenateBackSuccess(1)] * 3
    assert seen == [[b"before", b"bef", b"first"]] * 3
