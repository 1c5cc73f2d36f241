"""The ids and results of one stream, without a network.

The input is bytes that protoc's classes encoded; the output is completed calls.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies

from larder_cache import responses as r
from larder_cache._internal.operations._generated import operations as op
from larder_cache._internal.operations.call import Call
from larder_cache._internal.transport.pipeline_stream import PipelineStream
from larder_cache.errors import Failure
from protobuf_messages import pipeline_pb2 as pipe
from tests.conftest import run_alone
from tests.support.pipeline_wire import Owner, Wire, call_of

FRAMES = Path(__file__).parents[4] / "protocol" / "vectors" / "frames"
RESULTS: list[dict[str, Any]] = json.loads((FRAMES / "batch-result.json").read_text())
OPERATIONS = {each.name: each for each in op.PIPELINED} | {"set_if_not_exists": op.SET_IF}


def _stream(slots: int = 8) -> tuple[PipelineStream, Owner, Wire]:
    owner, wire = Owner(), Wire()
    stream = PipelineStream(owner, "cache", slots, 5.0, asyncio.get_running_loop())
    stream.stream = wire  # type: ignore[assignment]
    return stream, owner, wire


async def _turn() -> None:
    await asyncio.sleep(0)
    await asyncio.sleep(0)


async def test_calls_made_in_one_event_loop_turn_share_a_message() -> None:
    stream, _, wire = _stream()
    for _ in range(3):
        assert stream.add(call_of())
    assert wire.sent == []
    await _turn()
    assert [len(pipe.Batch.FromString(message).operations) for message in wire.sent] == [3]
    ids = [each.id for each in pipe.Batch.FromString(wire.sent[0]).operations]
    assert ids == [0, 1, 2]


async def test_calls_blocked_by_flow_control_are_sent_together_when_writable() -> None:
    stream, _, wire = _stream()
    wire.writable = False
    stream.add(call_of())
    await _turn()
    stream.add(call_of())
    await _turn()
    assert wire.sent == []
    wire.writable = True
    stream.on_writable()
    await _turn()
    assert [len(pipe.Batch.FromString(message).operations) for message in wire.sent] == [2]


async def test_batch_message_ends_after_64_kb() -> None:
    stream, _, wire = _stream()
    for _ in range(3):
        stream.add(call_of(key=b"k" * 60_000))
    await _turn()
    assert [len(pipe.Batch.FromString(message).operations) for message in wire.sent] == [2, 1]


async def test_operation_sends_cache_name_only_if_different_from_its_stream() -> None:
    stream, _, wire = _stream()
    stream.add(call_of())
    stream.add(call_of(cache="other"))
    await _turn()
    assert [each.cache for each in pipe.Batch.FromString(wire.sent[0]).operations] == ["", "other"]


async def test_stream_without_free_slots_accepts_no_call() -> None:
    stream, _, _ = _stream(slots=2)
    assert [stream.add(call_of()) for _ in range(3)] == [True, True, False]


@pytest.mark.parametrize("frame", [pytest.param(each, id=each["name"]) for each in RESULTS])
async def test_each_result_encoded_by_protobuf_completes_its_call(frame: dict[str, Any]) -> None:
    message = bytes.fromhex(frame["hex"])
    parsed = pipe.BatchResult.FromString(message)
    if any(each.id > 1_000 for each in parsed.results):
        pytest.skip("its id is outside the stream's slots, so the result breaks the stream")
    stream, owner, wire = _stream(slots=200)
    calls: dict[int, Call] = {}
    for _ in range(200):
        call = call_of()
        stream.add(call)
        calls[call.number] = call
    for each in parsed.results:
        outcome = str(each.WhichOneof("outcome"))
        calls[each.id].operation = OPERATIONS.get(outcome, op.GET)
        # The request must have as many keys as the response.
        if outcome == "keys_exist":
            calls[each.id].payload = b"\x0a\x01k" * len(each.keys_exist.exists)
        elif outcome == "get_batch":
            calls[each.id].payload = b"\x0a\x03\x0a\x01k" * len(each.get_batch.responses)
        if outcome == "set_if_not_exists":
            pytest.skip("the Python client sends set_if with absent instead")
    stream.on_message(message)
    assert wire.failure is None
    assert owner.retired == parsed.draining
    for each in parsed.results:
        got = calls[each.id].future.result()
        outcome = str(each.WhichOneof("outcome"))
        if outcome in ("status", "use_unary"):
            assert isinstance(got, Failure)
            assert outcome == "use_unary" or (got.status, got.message) == (each.status.code, each.status.message)
            assert calls[each.id].permit, "who fails keeps the permit, for a retry"
        else:
            assert not isinstance(got, Failure)
            assert got == OPERATIONS[outcome].decode(getattr(each, outcome).SerializeToString())
            assert not calls[each.id].permit
    assert owner.left == sum(each.WhichOneof("outcome") not in ("status", "use_unary") for each in parsed.results)


async def test_result_for_an_unknown_id_breaks_the_stream() -> None:
    stream, _, wire = _stream()
    stream.on_message(pipe.BatchResult(results=[pipe.Result(id=3)]).SerializeToString())
    assert wire.failure is not None and "not in flight" in wire.failure.message


@pytest.mark.parametrize("outcome", [b"\x12\x03\x12\xff\x01", b"\x33", b"\x22"], ids=["no status", "a group", "a tag"])
async def test_malformed_result_breaks_the_stream_and_fails_its_call(outcome: bytes) -> None:
    stream, _, wire = _stream()
    call = call_of()
    stream.add(call)
    await _turn()
    stream.on_message(b"\x0a" + bytes([2 + len(outcome)]) + b"\x08\x00" + outcome)
    assert wire.failure is not None and "malformed" in wire.failure.message
    assert stream.holds(call)
    stream.on_end(wire.failure)
    assert call.future.result() is wire.failure


async def test_abandoned_call_keeps_its_id_until_its_result_arrives() -> None:
    stream, owner, wire = _stream(slots=1)
    call = call_of()
    stream.add(call)
    await _turn()
    call.future.cancel()
    stream.cancel(call)
    await _turn()
    assert pipe.Batch.FromString(wire.sent[1]).operations[0].WhichOneof("call") == "cancel"
    assert not stream.add(call_of())
    stream.on_message(bytes.fromhex("0a0408002200"))
    assert stream.add(call_of())
    assert owner.left == 0, "the permit went back when the caller gave up"


async def test_stream_end_fails_calls_and_marks_unsent_as_not_executed() -> None:
    stream, owner, wire = _stream()
    sent, unsent = call_of(), call_of()
    stream.add(sent)
    await _turn()
    wire.writable = False
    stream.add(unsent)
    failure = Failure(14, "gone")
    stream.on_end(failure)
    assert sent.future.result().not_executed is False
    assert unsent.future.result().not_executed is True
    assert owner.failure is failure
    assert stream.outstanding == 0


@settings(max_examples=300, deadline=None)
@given(strategies.binary(max_size=80))
def test_arbitrary_bytes_break_the_stream_or_end_calls_without_raising(data: bytes) -> None:
    async def feed() -> None:
        stream, _, wire = _stream()
        for _ in range(8):
            stream.add(call_of())
        stream.on_message(data)
        ended = [call for call in stream.calls() if call.future.done()]
        assert not ended, "an ended call has no id"
        assert wire.failure is not None or stream.outstanding + data.count(0x0A) >= 8

    run_alone(feed())


@given(strategies.lists(strategies.tuples(strategies.integers(0, 7), strategies.binary(max_size=400)), max_size=8))
@settings(deadline=None)
def test_results_match_their_calls_in_any_order(answers: list[tuple[int, bytes]]) -> None:
    async def feed() -> None:
        stream, _, _ = _stream()
        calls: dict[int, Call] = {}
        for _ in range(8):
            call = call_of()
            stream.add(call)
            calls[call.number] = call
        answer = dict(answers)
        message = pipe.BatchResult()
        for number, value in answer.items():
            message.results.add(id=number).get.MergeFrom(_hit(value))
        stream.on_message(message.SerializeToString())
        for number, value in answer.items():
            assert calls[number].future.result() == r.Hit(value)
        assert stream.outstanding == 8 - len(answer)

    run_alone(feed())


def _hit(value: bytes) -> Any:
    return pipe.Result.DESCRIPTOR.fields_by_name["get"].message_type._concrete_class(result=2, value=value)
