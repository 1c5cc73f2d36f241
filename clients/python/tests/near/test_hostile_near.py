"""A server that violates the protocol causes no leak, no unbounded growth and no exception for callers."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder_cache import responses as r
from larder_cache._internal.near.near_flights import MOST_TICKETS
from larder_cache._internal.near.near_reads import NearReads
from larder_cache._internal.operations import pipeline_codec as codec
from larder_cache._internal.transport.near_stream import NearStream
from larder_cache.near_cache import NearCache
from protobuf_messages import cache_pb2 as pb
from protobuf_messages import pipeline_pb2 as pipe
from tests.conftest import run_alone, until
from tests.near.conftest import Near, near_client
from tests.near.near_server import NearServer
from tests.support.pipeline_wire import Owner, Wire, call_of


@pytest.mark.parametrize(
    ("ticket", "left_ms", "is_kept"),
    [(0, 60_000, False), (5, 0, False), (2**32 - 1, 2**32 - 1, True), (1_048_577, 60_000, True)],
    ids=["no ticket", "no time left", "the largest numbers", "a ticket over 2^20"],
)
async def test_get_returns_the_value_for_extreme_tickets_and_ttls(
    near: Near, near_server: NearServer, ticket: int, left_ms: int, is_kept: bool
) -> None:
    async def strange(call: pipe.Operation) -> pipe.Result:
        result = near_server.answer(call)
        result.ticket, result.ttl_left_ms = ticket, left_ms
        return result

    near_server.on_operation = strange
    assert await near.client.cache("cache").results.get("k") == r.Hit(b"v1")
    assert near.has("k") == is_kept
    near.reads.state.assert_valid()


async def test_ticket_on_a_write_or_miss_stores_no_near_copy(near: Near, near_server: NearServer) -> None:
    async def strange(call: pipe.Operation) -> pipe.Result:
        result = near_server.answer(call)
        result.ticket, result.ttl_left_ms = 5, 60_000
        return result

    near_server.on_operation = strange
    assert await near.client.cache("cache").results.set("k", "v2") == r.SUCCESS
    assert await near.client.cache("cache").results.increment("number", 5) == r.Incremented(5)
    assert await near.client.cache("cache").results.get("absent") == r.MISS
    assert near.figures.copies == 0 and near.figures.kept == 0
    near.reads.state.assert_valid()


@pytest.mark.parametrize("lease_ms", [0, 1, 2**32 - 1])
async def test_near_lease_is_limited_to_ten_seconds(near_server: NearServer, lease_ms: int) -> None:
    near_server.lease_ms = lease_ms
    async with near_client(near_server.port, opened=lease_ms > 0) as near:
        assert await near.client.cache("cache").results.get("k") == r.Hit(b"v1")
        assert near.has("k") == near.reads.has_stream == (lease_ms > 0)
        near.clock.now += 10
        assert not near.has("k")


async def test_clear_flag_in_every_message_leaves_no_near_copy(near: Near, near_server: NearServer) -> None:
    async def clearing(call: pipe.Operation) -> pipe.Result | None:
        near_server.push(pipe.BatchResult(results=[near_server.answer(call)], clear=True))
        return None

    near_server.on_operation = clearing
    for _ in range(5):
        found = await asyncio.gather(*(near.client.cache("cache").results.get("k") for _ in range(20)))
        assert found == [r.Hit(b"v1")] * 20
    assert near.figures.copies == 0 and not any(near.client.held().values())
    near.reads.state.assert_valid()


async def test_millions_of_tickets_during_a_get_use_bounded_memory(near: Near, near_server: NearServer) -> None:
    held: list[pipe.Operation] = []

    async def hold(call: pipe.Operation) -> pipe.Result | None:
        held.append(call)
        return None

    near_server.on_operation = hold
    await near.client.cache("cache").with_timeout(0.01).results.get("m")
    reading = asyncio.create_task(near.client.cache("cache").results.get("k"))
    await until(lambda: len(held) >= 2)
    for first in range(0, 200_000, 50_000):
        near_server.push(pipe.BatchResult(invalidated=range(first, first + 50_000)))
    near_server.push(pipe.BatchResult(invalidated=range(2_000_000)))
    near_server.push(pipe.BatchResult(results=[near_server.answer(held[-1])]))
    assert await reading == r.Hit(b"v1")
    assert not near.has("k") and near.figures.clears == 1, "more than a stream may be told is everything"
    assert near.reads.state.flights.tickets <= MOST_TICKETS
    near.reads.state.assert_valid()


async def test_unsolicited_near_responses_end_the_stream(near: Near, near_server: NearServer) -> None:
    await near.keep("k")
    last = 4 * 1_000
    for number in (last, last + 1):
        near_server.push(pipe.BatchResult(results=[pipe.Result(id=number, near_open=pipe.NearOpened(lease_ms=9_000))]))
        await until(lambda: not near.has("k"))
        assert await near.client.cache("cache").results.get("m") == r.Hit(b"v1")
        await until(lambda: near.reads.has_stream)
        await near.keep("k")


def test_arbitrary_bytes_on_near_stream_drop_copies_without_raising() -> None:
    @given(st.lists(st.binary(max_size=60) | st.sampled_from(_PIECES), max_size=6))
    def feed(pieces: list[bytes]) -> None:
        run_alone(_feed(b"".join(pieces)))

    feed()


def _result(number: int, ticket: int, left: int) -> bytes:
    get = pb.GetResponse(result=pb.Hit, value=b"v")
    result = pipe.Result(id=number, ticket=ticket, ttl_left_ms=left, get=get)
    return pipe.BatchResult(results=[result]).SerializeToString()


_PIECES = [
    *(b"\x20\x01", b"\x1a\x02\x05\x06", b"\x1a\x05\x05", b"\x18\x05", b"\x10\x01"),
    *(_result(0, 6, 1_000), _result(1, 6, 0), _result(9, 6, 0)),
    pipe.BatchResult(results=[pipe.Result(id=9, near_renew=pipe.NearRenewed())]).SerializeToString(),
]


async def _feed(data: bytes) -> None:
    reads = NearReads(NearCache(max_bytes=2_048), lambda: lambda: 0.0)
    owner, wire = Owner(), Wire()
    stream = NearStream(reads, owner, "cache", 8, 5.0, asyncio.get_running_loop())
    stream.stream = wire  # type: ignore[assignment]
    stream.connected()
    opened = pipe.BatchResult(results=[pipe.Result(id=8, near_open=pipe.NearOpened(lease_ms=3_000))])
    stream.on_message(opened.SerializeToString())
    assert stream.is_near
    stream.add(call_of(key=b"kept"))
    stream.on_message(_result(0, 7, 60_000))
    assert len(reads.state.copies) == 1
    for number in range(4):
        stream.add(call_of(key=b"%d" % number))
    stream.on_message(data)
    reads.state.assert_valid()
    if wire.failure is not None:
        assert not len(reads.state.copies), "what was not read may have told something"
        stream.on_end(wire.failure)
    stream.stop()
    assert not len(reads.state.copies) and not reads.has_stream
    reads.state.assert_valid()


def test_near_operation_field_tags_match_the_contract() -> None:
    operation = pipe.Operation(id=3, near=True)
    operation.get.key = b"k"
    written = codec.encode_operation(3, b"", b"", codec.NEAR_GET_TAG, codec.encode_key(b"k"))
    assert pipe.Batch.FromString(written).operations[0] == operation
    for tag, name in ((codec.NEAR_OPEN_TAG, "near_open"), (codec.NEAR_RENEW_TAG, "near_renew")):
        (sent,) = pipe.Batch.FromString(codec.encode_operation(3, b"", b"", tag, b"")).operations
        assert sent.WhichOneof("call") == name and sent.id == 3
