"""The client's own protobuf messages, compared with google.protobuf for every message of the protocol."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

from larder_cache._internal.operations._generated.messages import cache, control, extras, pipeline, pubsub, token
from larder_cache._internal.operations.message import Message
from larder_cache._internal.operations.pipeline_codec import Malformed
from protobuf_messages import cache_pb2, control_pb2, extras_pb2, pipeline_pb2, pubsub_pb2, token_pb2

FILES = (
    (cache, cache_pb2),
    (control, control_pb2),
    (extras, extras_pb2),
    (pipeline, pipeline_pb2),
    (pubsub, pubsub_pb2),
    (token, token_pb2),
)
GROUP = 3


def _pairs() -> Iterator[tuple[type[Message], Any]]:
    def within(own: Any, reference: Any, names: list[str]) -> Iterator[tuple[type[Message], Any]]:
        for name in names:
            message, theirs = getattr(own, name), getattr(reference, name)
            yield message, theirs
            yield from within(message, theirs, list(theirs.DESCRIPTOR.nested_types_by_name))

    for own, reference in FILES:
        yield from within(own, reference, list(reference.DESCRIPTOR.message_types_by_name))


PAIRS = list(_pairs())
every_pair = st.sampled_from(PAIRS)

_INTEGERS = {
    FieldDescriptor.TYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.TYPE_UINT64: (0, 2**64 - 1),
    FieldDescriptor.TYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.TYPE_SINT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.TYPE_ENUM: (-(2**31), 2**31 - 1),
}


def _values(field: FieldDescriptor) -> st.SearchStrategy[Any]:
    if field.type in _INTEGERS:
        least, most = _INTEGERS[field.type]
        return st.one_of(st.integers(least, most), st.sampled_from([0, 1, least, most]))
    match field.type:
        case FieldDescriptor.TYPE_BOOL:
            return st.booleans()
        case FieldDescriptor.TYPE_BYTES:
            return st.binary(max_size=300)
        case FieldDescriptor.TYPE_STRING:
            return st.text(max_size=20)
        case FieldDescriptor.TYPE_DOUBLE:
            return st.floats(allow_nan=False)
        case FieldDescriptor.TYPE_FLOAT:
            return st.floats(allow_nan=False, width=32)
        case _:
            raise AssertionError(f"{field.full_name}: type {field.type}")


def _fill(draw: st.DrawFn, message: Any, depth: int = 0) -> Any:
    """Set some fields of google.protobuf's message."""
    fields = list(message.DESCRIPTOR.fields)
    for field in draw(st.lists(st.sampled_from(fields), max_size=4)) if fields else []:
        is_list = field.label == field.LABEL_REPEATED
        if field.type != field.TYPE_MESSAGE:
            value = draw(st.lists(_values(field), max_size=3) if is_list else _values(field))
            getattr(message, field.name).extend(value) if is_list else setattr(message, field.name, value)
        elif is_list:
            for _ in range(draw(st.integers(0, 2)) if depth < 4 else 0):
                _fill(draw, getattr(message, field.name).add(), depth + 1)
        else:
            getattr(message, field.name).SetInParent()
            _fill(draw, getattr(message, field.name), depth + 1)
    return message


@st.composite
def both(draw: st.DrawFn) -> tuple[type[Message], Any]:
    """Draw a message of google.protobuf, and the client's class for it."""
    own, reference = draw(every_pair)
    return own, _fill(draw, reference())


@st.composite
def damaged(draw: st.DrawFn) -> tuple[type[Message], Any, bytes]:
    """Draw slightly corrupted bytes of a message."""
    drawn: tuple[type[Message], Any] = draw(both())
    own, message = drawn
    whole = bytearray(message.SerializeToString())
    at = draw(st.integers(0, max(len(whole) - 1, 0)))
    match draw(st.sampled_from(["cut", "change", "insert", "twice"])):
        case "cut":
            del whole[at:]
        case "change":
            whole[at : at + 1] = draw(st.binary(min_size=1, max_size=1))
        case "insert":
            whole[at:at] = draw(st.binary(max_size=12))
        case _:
            # Parsers merge concatenated messages: lists are appended, and the last value of a number replaces earlier
            # values.
            whole += _fill(draw, type(message)()).SerializeToString()
    reference: Any = type(message)
    return own, reference, bytes(whole)


def _created(own: type[Message], message: Any) -> Message:
    """Return the client's message with the same fields as google.protobuf's."""
    values: dict[str, Any] = {}
    for field, value in message.ListFields():
        if field.type == field.TYPE_MESSAGE:
            kind = _class(field.message_type)
            is_list = field.label == field.LABEL_REPEATED
            value = [_created(kind, each) for each in value] if is_list else _created(kind, value)
        values[field.name] = value
    return own(**values)


def _class(descriptor: Descriptor) -> type[Message]:
    return next(own for own, reference in PAIRS if reference.DESCRIPTOR is descriptor)


def _assert_same(own: Any, message: Any) -> None:
    """Assert that every field, set or not, has the same value in both messages."""
    for field in message.DESCRIPTOR.fields:
        ours, theirs = getattr(own, field.name), getattr(message, field.name)
        if field.label == field.LABEL_REPEATED:
            assert len(ours) == len(theirs), field.full_name
            pairs = list(zip(ours, theirs, strict=True))
        else:
            pairs = [(ours, theirs)]
        for one, other in pairs:
            if field.type != field.TYPE_MESSAGE:
                assert (type(one), repr(one)) == (type(other), repr(other)), field.full_name
            elif field.label == field.LABEL_REPEATED or message.HasField(field.name):
                _assert_same(one, other)
    for oneof in message.DESCRIPTOR.oneofs_by_name:
        assert own.WhichOneof(oneof) == message.WhichOneof(oneof)


def test_every_message_of_the_contract_has_a_class() -> None:
    assert len(PAIRS) > 150 and all(issubclass(own, Message) for own, _ in PAIRS)
    for file, reference in FILES:
        assert isinstance(file, ModuleType)
        for enum in reference.DESCRIPTOR.enum_types_by_name.values():
            assert all(getattr(file, name) == value.number for name, value in enum.values_by_name.items())


@given(both())
def test_messages_decode_protobuf_encoded_bytes(drawn: tuple[type[Message], Any]) -> None:
    own, message = drawn
    _assert_same(own.FromString(message.SerializeToString()), message)


@given(both())
def test_messages_encode_the_same_bytes_as_protobuf(drawn: tuple[type[Message], Any]) -> None:
    own, message = drawn
    written = message.SerializeToString(deterministic=True)
    assert _created(own, message).SerializeToString() == written
    assert own.FromString(written).SerializeToString() == written


def _has_refused_field(message: Any) -> bool:
    """Return whether protobuf skipped a field that the client rejects: a group or a known field of a wrong type."""
    known = message.DESCRIPTOR.fields_by_number
    if any(each.wire_type == GROUP or each.field_number in known for each in message.UnknownFields()):
        return True
    for field, value in message.ListFields():
        if field.type == field.TYPE_MESSAGE:
            for each in value if field.label == field.LABEL_REPEATED else [value]:
                if _has_refused_field(each):
                    return True
    return False


def _check_hostile(own: type[Message], reference: Any, data: bytes) -> None:
    try:
        theirs = reference.FromString(data)
    except (DecodeError, SystemError):
        # SystemError occurs because protobuf warns about an end-group tag, and the tests turn warnings into errors.
        theirs = None
    try:
        read = own.FromString(data)
    except Malformed as refused:
        # protobuf drops the upper bits of a tag of more than 32 bits.
        is_long_tag = "field number" in str(refused)
        assert theirs is None or is_long_tag or _has_refused_field(theirs), data.hex()
        return
    assert theirs is not None, data.hex()
    _assert_same(read, theirs)


@given(every_pair, st.binary(max_size=60))
def test_messages_decode_arbitrary_bytes_like_protobuf(pair: tuple[type[Message], Any], data: bytes) -> None:
    _check_hostile(*pair, data)


@given(damaged())
def test_messages_decode_damaged_bytes_like_protobuf(drawn: tuple[type[Message], Any, bytes]) -> None:
    _check_hostile(*drawn)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\x0a", "is truncated"),
        (b"\x0a\x05abc", "key extends past the end of its message"),
        (b"\x08\x01", "field 1 of SetRequest has the wrong wire type 0"),
        (b"\x1a\x01a", "field 3 of SetRequest has the wrong wire type 2"),
        (b"\x18" + b"\xff" * 10 + b"\x01", "an integer has more than ten bytes"),
        (b"\x00\x01", "field number 0"),
        (b"\x80\x80\x80\x80\x10\x01", "field number 536870912"),
        (b"\xa3\x06\xa4\x06", "wire type 3"),
        (b"\xa1\x06\x01\x02", "is truncated"),
        (b"\xa7\x06", "wire type 7"),
    ],
)
def test_malformed_message_raises_malformed_error_with_the_reason(data: bytes, text: str) -> None:
    with pytest.raises(Malformed, match=text):
        cache.SetRequest.FromString(data)


def test_text_that_is_not_utf_8_is_rejected() -> None:
    with pytest.raises(Malformed, match="name is not valid UTF-8"):
        control.CreateCacheRequest.FromString(b"\x0a\x02\xff\xff")


def test_unknown_fields_are_skipped() -> None:
    unknown = b"\xa0\x06\xff\x01" + b"\xa2\x06\x02hi" + b"\xa5\x06" + bytes(4) + b"\xa1\x06" + bytes(8)
    read = cache.SetRequest.FromString(unknown + b"\x0a\x03key" + unknown + b"\x12\x01v" + unknown)
    assert (read.key, read.value, read.ttl_ms) == (b"key", b"v", 0)
    assert read.SerializeToString() == b"\x0a\x03key\x12\x01v"


def test_nested_message_cannot_exceed_its_parent() -> None:
    # The item has three bytes, but the length of its key is nine. Nine bytes would fit in the batch but not in the
    # item.
    with pytest.raises(Malformed, match="key extends past the end of its message"):
        cache.GetBatchRequest.FromString(b"\x0a\x03\x0a\x09a" + b"\x0a\x07\x0a\x05abcde")


@pytest.mark.parametrize(
    ("message", "values", "error"),
    [
        (cache.SetRequest, {"ttl": 1}, TypeError),
        (cache.SetRequest, {"key": "text"}, TypeError),
        (cache.SetRequest, {"key": None}, TypeError),
        (cache.SetRequest, {"ttl_ms": -1}, ValueError),
        (cache.SetRequest, {"ttl_ms": 2**64}, ValueError),
        (cache.SetRequest, {"ttl_ms": "1"}, TypeError),
        (cache.SetRequest, {"ttl_ms": 1.5}, TypeError),
        (control.CreateCacheRequest, {"name": b"bytes"}, TypeError),
        (control.CreateCacheRequest, {"name": "\ud800"}, ValueError),
        (cache.SortedSetIncrementResponse, {"score": "1"}, struct.error),
        (cache.SetFetchResponse, {"found": cache.ElementsFound(), "missing": cache.Empty()}, ValueError),
    ],
)
def test_value_that_does_not_fit_its_field_is_rejected(message: Any, values: dict[str, Any], error: Any) -> None:
    with pytest.raises(error):
        message(**values).SerializeToString()


def test_messages_are_immutable() -> None:
    request: Any = cache.SetRequest(key=b"key")
    with pytest.raises(AttributeError, match="SetRequest is immutable"):
        request.key = b"other"
    assert request.key == b"key"
