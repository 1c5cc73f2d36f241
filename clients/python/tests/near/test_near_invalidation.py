"""Near copies are dropped when a key changes: invalidations from the server, and the client's own writes."""

from __future__ import annotations

import asyncio

import pytest

from larder_cache import ErrorCode
from larder_cache import responses as r
from protobuf_messages import pipeline_pb2 as pipe
from tests.conftest import until
from tests.near.conftest import Near
from tests.near.near_server import NearServer


async def test_invalidation_by_another_client_drops_the_copy(near: Near, near_server: NearServer) -> None:
    await near.keep("k")
    await near.keep("m")
    near_server.items[b"k"] = b"v2"
    near_server.tell(b"k")
    await until(lambda: not near.has("k"))
    assert near.has("m") and near.figures.invalidations == 1
    assert await near.client.cache("cache").results.get("k") == r.Hit(b"v2")


async def test_near_clear_drops_all_copies(near: Near, near_server: NearServer) -> None:
    await near.keep("k")
    await near.keep("m")
    near_server.push(pipe.BatchResult(clear=True))
    await until(lambda: not near.has("k") and not near.has("m"))
    assert near.figures.clears == 1 and near.figures.copies == 0


@pytest.mark.parametrize("where", ["before", "behind"])
@pytest.mark.parametrize("how", ["packed", "unpacked", "clear"])
async def test_invalidations_apply_before_results_of_the_same_message(
    near: Near, near_server: NearServer, how: str, where: str
) -> None:
    ticket = near_server.ticket_of(b"k")
    told = {
        "packed": pipe.BatchResult(invalidated=[ticket]).SerializeToString(),
        "unpacked": b"\x18" + pipe.BatchResult(invalidated=[ticket]).SerializeToString()[2:],
        "clear": pipe.BatchResult(clear=True).SerializeToString(),
    }[how]

    class Raw:
        def __init__(self, result: pipe.Result) -> None:
            self.results = pipe.BatchResult(results=[result]).SerializeToString()

        def SerializeToString(self) -> bytes:  # noqa: N802 (protobuf's name)
            return told + self.results if where == "before" else self.results + told

    async def answer(call: pipe.Operation) -> pipe.Result | None:
        near_server.push(Raw(near_server.answer(call)))  # type: ignore[arg-type]
        return None

    near_server.on_operation = answer
    assert await near.client.cache("cache").results.get("k") == r.Hit(b"v1")
    assert not near.has("k") and near.figures.poisoned == 1


async def test_own_write_drops_the_copy_and_next_read_stores_one(near: Near, near_server: NearServer) -> None:
    await near.keep("k")
    assert await near.client.cache("cache").results.set("k", "v2") == r.SUCCESS
    assert not near.has("k")
    await near.keep("k", "v2")
    assert await near.client.cache("cache").results.delete("k") == r.SUCCESS
    assert await near.client.cache("cache").results.get("k") == r.MISS
    assert near_server.received["get"] == 3


async def test_read_overlapping_a_write_stores_no_near_copy(near: Near, near_server: NearServer) -> None:
    held: list[pipe.Operation] = []

    async def hold(call: pipe.Operation) -> pipe.Result | None:
        if call.WhichOneof("call") == "get":
            held.append(call)
            return None
        return near_server.answer(call)

    near_server.on_operation = hold
    reading = asyncio.create_task(near.client.cache("cache").results.get("k"))
    await until(lambda: bool(held))
    before = near_server.answer(held[0])
    assert await near.client.cache("cache").results.set("k", "v2") == r.SUCCESS
    near_server.push(pipe.BatchResult(results=[before]))
    assert await reading == r.Hit(b"v1"), "its caller began before"
    assert not near.has("k") and near.figures.poisoned == 1


@pytest.mark.parametrize("how", ["cancelled", "timed out"])
async def test_abandoned_write_drops_the_copy_immediately(near: Near, near_server: NearServer, how: str) -> None:
    await near.keep("k")
    held: list[pipe.Operation] = []

    async def hold(call: pipe.Operation) -> pipe.Result | None:
        held.append(call)
        return None

    near_server.on_operation = hold
    if how == "cancelled":
        writing = asyncio.create_task(near.client.cache("cache").results.set("k", "v2"))
        await until(lambda: bool(held))
        writing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await writing
    else:
        answer = await near.client.cache("cache").with_timeout(0.02).results.set("k", "v2")
        assert isinstance(answer, r.Error) and answer.code is ErrorCode.TIMEOUT
    assert not near.has("k")
    near_server.on_operation = None
    await near.keep("k")
    near_server.push(
        pipe.BatchResult(results=[near_server.answer(call) for call in held if call.WhichOneof("call") == "set"])
    )
    await until(lambda: near.client.held()["ids and parked"] == 0)
    assert near.has("k"), "the late answer changes nothing; what it changed the server tells"
