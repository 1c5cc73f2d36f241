"""Every call that names a key drops the near copy of the key.

If gets of this key are in flight, they create no copy (NEAR-22).
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from google.protobuf.descriptor import Descriptor

from larder_cache import CacheError
from larder_cache import responses as r
from larder_cache._internal.operations._generated import operations as op
from larder_cache._internal.operations.operation import Operation
from protobuf_messages import cache_pb2, control_pb2, extras_pb2, pipeline_pb2, pubsub_pb2
from tests.conftest import until
from tests.near.conftest import Near
from tests.near.near_server import NearServer

EVERY: list[Operation[Any]] = [each for each in vars(op).values() if isinstance(each, Operation)]
FILES = (cache_pb2, control_pb2, extras_pb2, pubsub_pb2)
# The names of the bytes fields that contain keys in requests. Extend this set when you add an rpc with another key
# field.
KEY_FIELDS = {"key", "keys", "name"}
OTHER_FIELDS = {
    *("value", "values", "value_to_push", "values_to_push", "all_with_value", "field", "fields", "element", "elements"),
    *("hash", "cursor", "prefix", "binary", "token", "tags", "validator"),
}


def _message_of(operation: Operation[Any]) -> Any:
    """Return an empty request of an operation."""
    service, method = operation.path.strip("/").split("/")
    for file in FILES:
        found = file.DESCRIPTOR.services_by_name.get(service.rpartition(".")[2])
        if found is not None and found.full_name == service:
            return getattr(found.methods_by_name[method].input_type, "_concrete_class")()
    raise AssertionError(operation.path)


def _fill(message: Any, named: list[bytes]) -> Any:
    """Write a distinct key into each key field, at any depth."""
    descriptor: Descriptor = message.DESCRIPTOR
    for field in descriptor.fields:
        is_list = field.label == field.LABEL_REPEATED
        if field.type == field.TYPE_BYTES:
            assert field.name in KEY_FIELDS | OTHER_FIELDS, f"{descriptor.full_name}.{field.name}: a key, or not?"
            if field.name in KEY_FIELDS:
                keys = [b"key-%d" % (len(named) + more) for more in range(2 if is_list else 1)]
                named += keys
                getattr(message, field.name).extend(keys) if is_list else setattr(message, field.name, keys[0])
        elif field.type == field.TYPE_MESSAGE and is_list:
            for _ in range(2):
                _fill(getattr(message, field.name).add(), named)
    return message


def _request(operation: Operation[Any]) -> tuple[bytes, list[bytes]]:
    named: list[bytes] = []
    message = _fill(_message_of(operation), named)
    return message.SerializeToString(), named


@pytest.mark.parametrize("operation", EVERY, ids=[each.name for each in EVERY])
def test_keys_of_returns_every_key_of_a_request(operation: Operation[Any]) -> None:
    request, named = _request(operation)
    assert operation.keys_of(request) == named
    assert bool(named) == bool(operation.keyed or operation.keys)


def test_operations_without_keys_match_the_expected_list() -> None:
    without = {each.name for each in EVERY if not (each.keyed or each.keys)}
    assert without == {
        *("create_cache", "delete_cache", "flush_cache", "list_caches"),
        *("ping", "scan_keys", "publish", "remove_by_tag"),
    }


# Operations on a whole cache are tested separately.
ON_KEYS = [each for each in EVERY if each not in (op.FLUSH_CACHE, op.DELETE_CACHE, op.REMOVE_BY_TAG)]


@pytest.mark.parametrize("operation", ON_KEYS, ids=[each.name for each in ON_KEYS])
async def test_ended_operation_drops_the_near_copies_of_its_keys(
    near: Near, near_server: NearServer, operation: Operation[Any]
) -> None:
    request, named = _request(operation)
    kept = [each for each in named if operation is not op.GET]
    for key in (*kept, b"other"):
        near_server.items[key] = b"v1"
        await near.keep(key.decode())
    held = near.figures
    answer = await near.calls.run(operation, "cache", request, 5.0)
    # The small server does not support most calls. Both a success and an error are valid here.
    assert answer is not None
    if operation is op.GET:
        assert held.copies == 1
        return
    assert not [key for key in kept if near.has(key.decode())]
    assert near.has("other") and near.figures.copies == 1
    near.reads.state.assert_valid()


@pytest.mark.parametrize("call", ["flush_cache", "delete_cache", "remove_by_tag"])
async def test_flush_delete_and_tag_removal_drop_copies_of_their_cache(near: Near, call: str) -> None:
    await near.keep("k")
    await near.keep("k", cache="other")
    # The small server does not support this call.
    with pytest.raises(CacheError):
        if call == "remove_by_tag":
            await near.client.cache("cache").remove_by_tag(["tag"])
        else:
            await getattr(near.client, call)("cache")
    assert not near.has("k") and near.has("k", "other")


async def test_concurrent_near_gets_with_different_values_drop_the_copy(near: Near, near_server: NearServer) -> None:
    held: list[pipeline_pb2.Operation] = []

    async def hold(call: pipeline_pb2.Operation) -> pipeline_pb2.Result | None:
        held.append(call)
        return None

    near_server.on_operation = hold
    reading = [asyncio.create_task(near.client.cache("cache").results.get("k")) for _ in range(2)]
    await until(lambda: len(held) == 2)
    old = near_server.answer(held[0])
    near_server.items[b"k"] = b"v2"
    new = near_server.answer(held[1])
    near_server.push(pipeline_pb2.BatchResult(results=[new]))
    assert await reading[1] == r.Hit(b"v2")
    assert near.client.cache("cache").results.try_get_near("k") == b"v2"
    near_server.push(pipeline_pb2.BatchResult(results=[old]))
    assert await reading[0] == r.Hit(b"v1")
    assert not near.has("k") and near.figures.poisoned == 1
