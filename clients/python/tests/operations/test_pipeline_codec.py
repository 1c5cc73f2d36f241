"""The hand-written codecs, compared with protoc's bytes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies

from larder_cache._internal.operations import pipeline_codec as codec
from larder_cache._internal.operations._generated import operations as op
from larder_cache.responses import MISS, Hit
from protobuf_messages import cache_pb2 as pb
from protobuf_messages import pipeline_pb2 as pipe

FRAMES = Path(__file__).parents[4] / "protocol" / "vectors" / "frames"
REQUESTS: list[dict[str, Any]] = json.loads((FRAMES / "batch.json").read_text())
OPERATIONS = {each.name: each for each in op.PIPELINED}


def _named(frames: list[dict[str, Any]]) -> list[Any]:
    return [pytest.param(bytes.fromhex(frame["hex"]), id=frame["name"]) for frame in frames]


def _write_by_hand(call: pipe.Operation) -> bytes:
    kind = str(call.WhichOneof("call"))
    if kind == "get":
        payload = codec.encode_key(call.get.key)
    elif kind == "set" and call.set.value:
        payload = codec.encode_set(call.set.key, call.set.value, codec.encode_ttl(call.set.ttl_ms))
    elif kind == "cancel":
        payload = b""
    else:
        payload = getattr(call, kind).SerializeToString()
    tag = (
        codec.CANCEL_TAG
        if kind == "cancel"
        else codec.varint(pipe.Operation.DESCRIPTOR.fields_by_name[kind].number << 3 | 2)
    )
    cache = codec.encode_cache(call.cache) if call.cache else b""
    deadline = codec.encode_deadline(call.deadline_ms) if call.deadline_ms else b""
    return codec.encode_operation(call.id, cache, deadline, tag, payload)


@pytest.mark.parametrize("frame", _named(REQUESTS))
def test_pipeline_codec_encodes_the_same_batch_bytes_as_protobuf(frame: bytes) -> None:
    batch = pipe.Batch.FromString(frame)
    if any(call.id == 0 or call.WhichOneof("call") is None for call in batch.operations):
        # Compare the parsed messages, because the bytes differ: the client also writes an id of 0.
        written = b"".join(_write_by_hand(call) for call in batch.operations if call.WhichOneof("call"))
        assert all(call in batch.operations for call in pipe.Batch.FromString(written).operations)
    else:
        assert b"".join(map(_write_by_hand, batch.operations)) == frame


@pytest.mark.parametrize("name", OPERATIONS)
def test_operation_tag_matches_its_field_in_the_contract(name: str) -> None:
    # Several operations may share an rpc; its field has the rpc's name.
    rpc = re.sub(r"(?<!^)(?=[A-Z])", "_", OPERATIONS[name].path.rpartition("/")[2]).lower()
    field = pipe.Operation.DESCRIPTOR.fields_by_name[rpc].number
    assert OPERATIONS[name].field == field == pipe.Result.DESCRIPTOR.fields_by_name[rpc].number
    assert codec.read_varint(OPERATIONS[name].tag, 0) == (field << 3 | 2, len(OPERATIONS[name].tag))


@given(strategies.integers(0, 2**64 - 1))
def test_varint_round_trips_any_number(number: int) -> None:
    written = codec.varint(number)
    assert codec.read_varint(written, 0) == (number, len(written))


@given(strategies.binary(max_size=300), strategies.binary(max_size=40_000), strategies.integers(1, 2**64 - 1))
def test_protobuf_decodes_set_request_encoded_by_pipeline_codec(key: bytes, value: bytes, ttl_ms: int) -> None:
    message = pb.SetRequest.FromString(codec.encode_set(key, value, codec.encode_ttl(ttl_ms)))
    assert (message.key, message.value, message.ttl_ms) == (key, value, ttl_ms)


@given(strategies.binary(max_size=20_000))
def test_decode_get_reads_a_hit(value: bytes) -> None:
    assert codec.decode_get(pb.GetResponse(result=pb.Hit, value=value).SerializeToString()) == Hit(value)


def test_decode_get_accepts_fields_in_any_order() -> None:
    assert codec.decode_get(b"\x12\x01v\x08\x02") == Hit(b"v")
    assert codec.decode_get(b"\x08\x03") is MISS


@given(strategies.binary(max_size=60))
def test_read_fields_terminates_for_arbitrary_bytes(data: bytes) -> None:
    try:
        codec.read_fields(data, 0, len(data))
    except (codec.Malformed, IndexError):
        pass  # Rejected, as expected.
