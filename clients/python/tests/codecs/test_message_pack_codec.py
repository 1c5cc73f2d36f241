"""MessagePack: supported values, and valid lengths."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder_cache._internal.codecs.limits import DEFAULT
from larder_cache._internal.codecs.message_pack_lengths import check_lengths
from larder_cache.codecs import DecodingError, MessagePackCodec

CODEC = MessagePackCodec()
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False)
    | st.text()
    | st.binary(),
    lambda inner: st.lists(inner, max_size=18) | st.dictionaries(st.text(max_size=40), inner, max_size=18),
    max_leaves=20,
)


@given(VALUES)
def test_message_pack_round_trips_each_value_with_valid_lengths(value: Any) -> None:
    payload = CODEC.encode(value)
    check_lengths(payload, DEFAULT)
    assert CODEC.decode(payload) == value


@given(st.binary(max_size=60))
def test_message_pack_decodes_arbitrary_bytes_only_with_valid_lengths(payload: bytes) -> None:
    try:
        CODEC.decode(payload)
    except DecodingError:
        return
    check_lengths(payload, DEFAULT)


@pytest.mark.parametrize("size", [15, 16, 4_096, 4_097, 70_000])
def test_message_pack_round_trips_long_values(size: int) -> None:
    for value in (list(range(size)), [None] * size, {f"{i}": i for i in range(size)}, "x" * size, bytes(size)):
        assert CODEC.decode(CODEC.encode(value)) == value


def test_message_pack_rejects_map_keys_that_are_not_text() -> None:
    with pytest.raises(DecodingError):
        CODEC.decode(b"\x81\x01\x02")


def test_message_pack_decodes_extensions_as_data() -> None:
    msgpack: Any = importlib.import_module("msgpack")
    assert CODEC.decode(b"\xd4\x05\x00") == msgpack.ExtType(5, b"\x00")


def test_message_pack_codec_raises_import_error_without_msgpack(monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere: Any = None
    monkeypatch.setitem(sys.modules, "msgpack", nowhere)
    with pytest.raises(ImportError, match="pip install msgpack"):
        MessagePackCodec()
