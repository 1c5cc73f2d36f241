"""The envelope: the cases of protocol/vectors/clients/codecs.json, and invalid stored bytes."""

from __future__ import annotations

import json
import struct
import tracemalloc
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder_cache import ErrorCode
from larder_cache._internal.codecs.envelope import MOST_DECODED_BYTES, Envelope
from larder_cache._internal.operations.arguments import Refusal
from larder_cache.codecs import BytesCodec, Codec, DecodingError, JsonCodec, MessagePackCodec, TextCodec

VECTORS = Path(__file__).parents[4] / "protocol" / "vectors" / "clients" / "codecs.json"
CASES: list[dict[str, Any]] = json.loads(VECTORS.read_text())
CODECS: dict[str, Codec[Any]] = {
    "bytes": BytesCodec(),
    "text": TextCodec(),
    "json": JsonCodec(),
    "messagepack": MessagePackCodec(),
}


def of(codec: Codec[Any], compress_above: int | None = None, most: int = MOST_DECODED_BYTES) -> Envelope[Any]:
    return Envelope(codec, compress_above, most)


def _envelope(case: dict[str, Any]) -> Envelope[Any]:
    most = case.get("maxDecodedBytes", MOST_DECODED_BYTES)
    codec = CODECS[case["codec"]]
    limits = {
        name: case[said] for said, name in (("maxElements", "max_elements"), ("maxDepth", "max_depth")) if said in case
    }
    if limits:
        codec = type(codec)(**limits)
    return of(codec, case.get("compressAbove"), most)


def _stored(case: dict[str, Any]) -> bytes:
    fill = bytes.fromhex(case.get("fill", "")) * case.get("times", 0)
    return bytes.fromhex(case["decode"]) + fill + bytes.fromhex(case.get("end", ""))


@pytest.mark.parametrize("case", [case for case in CASES if "decode" in case], ids=lambda case: case["case"])
def test_envelope_decode_matches_shared_test_vectors(case: dict[str, Any]) -> None:
    then, stored = case["then"], _stored(case)
    if "error" in then:
        with pytest.raises(DecodingError):
            _envelope(case).decode(stored)
        assert then["error"] == ErrorCode.DECODING_FAILED.value
        return
    if "isRead" in then:
        _envelope(case).decode(stored)
        return
    expected = bytes.fromhex(then["valueHex"]) if "valueHex" in then else then["value"]
    assert _envelope(case).decode(stored) == expected


@pytest.mark.parametrize("case", [case for case in CASES if "encode" in case], ids=lambda case: case["case"])
def test_envelope_encode_matches_shared_test_vectors(case: dict[str, Any]) -> None:
    then, what = case["then"], case["encode"]
    value: Any = what.get("value")
    if "valueHex" in what:
        value = bytes.fromhex(what["valueHex"])
    elif "repeat" in what:
        value = what["repeat"] * what["times"]
    envelope = _envelope(case)
    if "throws" in then:
        with pytest.raises(TypeError, match="max_"):
            envelope.encode(value)
        return
    if "error" in then:
        with pytest.raises(Refusal) as raised:
            envelope.encode(value)
        assert raised.value.error.code.value == then["error"]
        return
    stored = envelope.encode(value)
    assert stored.hex() == then.get("hex", stored.hex())
    assert stored.hex().startswith(then.get("head", ""))
    assert len(stored) == then.get("length", len(stored)) and len(stored) <= then.get("atMost", len(stored))
    assert envelope.decode(stored) == value


HEADS = st.sampled_from(
    [b"", b"\xc1", b"\xc1\x4c\x01"] + [bytes([0xC1, 0x4C, 1, c, z]) for c in range(6) for z in range(3)]
)


def _zlib(said: int, data: bytes) -> bytes:
    return struct.pack(">I", said) + zlib.compress(data)


ZLIB = st.builds(_zlib, st.integers(0, 2**32 - 1), st.binary(max_size=50))


@given(st.builds(bytes.__add__, HEADS, st.one_of(st.binary(max_size=100), ZLIB)), st.sampled_from(sorted(CODECS)))
def test_envelope_decodes_arbitrary_bytes_or_raises_decoding_error(stored: bytes, name: str) -> None:
    try:
        of(CODECS[name]).decode(stored)
    except DecodingError:
        pass


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(JSON_VALUES, st.sampled_from(["json", "messagepack"]), st.sampled_from([None, 0, 20]))
def test_envelope_round_trips_any_json_value(value: Any, name: str, compress_above: int | None) -> None:
    envelope = of(CODECS[name], compress_above)
    assert envelope.decode(envelope.encode(value)) == value


def _peak_bytes(stored: bytes, codec: Codec[Any]) -> int:
    tracemalloc.start()
    try:
        with pytest.raises(DecodingError):
            of(codec).decode(stored)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_envelope_does_not_preallocate_the_length_in_its_header() -> None:
    small = zlib.compress(b"x" * 100)
    for said in (0xFFFF_FFFF, MOST_DECODED_BYTES, 10_000_000):
        stored = b"\xc1\x4c\x01\x02\x01" + struct.pack(">I", said) + small
        assert _peak_bytes(stored, CODECS["text"]) < 1_000_000, said
    # The value is 64 MiB of zeros, compressed to 64 KiB, and announces a small length.
    bomb = b"\xc1\x4c\x01\x01\x01" + struct.pack(">I", 1_000) + zlib.compress(bytes(64 << 20), 9)
    assert _peak_bytes(bomb, CODECS["bytes"]) < 1_000_000


@pytest.mark.parametrize(
    "head", [b"\xdd\x03\xff\xff\xff", b"\xdc\xff\xff", b"\xdf\x03\xff\xff\xff", b"\xc6\x03\xff\xff\xff"]
)
def test_nested_message_pack_item_counts_cannot_exhaust_memory(head: bytes) -> None:
    # The value is nested up to the decoder's limit, and each level announces many items.
    stored = b"\xc1\x4c\x01\x04\x00" + head * 1_000 + bytes(1_000_000)
    # The limit is the size of the payload, plus 32 MiB. The decoder allocates up to 32 MiB for announced items without
    # a check that the payload contains them (message_pack_codec).
    assert _peak_bytes(stored, CODECS["messagepack"]) < 40_000_000


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_deeply_nested_json_raises_decoding_error(opening: str) -> None:
    for payload in (opening * 100_000, opening * 100_000 + "1" + "]" * 100_000):
        with pytest.raises(DecodingError):
            of(CODECS["json"]).decode(b"\xc1\x4c\x01\x03\x00" + payload.encode())


def test_deeply_nested_message_pack_raises_decoding_error() -> None:
    for payload in (b"\x91" * 100_000 + b"\xc0", b"\x81\xa1a" * 100_000 + b"\xc0"):
        with pytest.raises(DecodingError):
            of(CODECS["messagepack"]).decode(b"\xc1\x4c\x01\x04\x00" + payload)


class Own:
    """A custom codec."""

    def __init__(self, content: Any = 200, raised: BaseException | None = None, encoded: Any = b"own") -> None:
        self.content = content
        self.raised = raised
        self.encoded = encoded

    def encode(self, value: Any, /) -> bytes:
        if self.raised is not None:
            raise self.raised
        return self.encoded

    def decode(self, payload: bytes, /) -> Any:
        if self.raised is not None:
            raise self.raised
        return payload


@pytest.mark.parametrize("raised", [KeyError("secret"), RecursionError("secret"), MemoryError(), OSError("secret")])
def test_decoding_error_omits_text_of_exception_raised_by_custom_codec(raised: Exception) -> None:
    broken = of(Own(raised=raised))
    with pytest.raises(DecodingError) as error:
        broken.decode(b"\xc1\x4c\x01\xc8\x00own")
    assert type(raised).__name__ in str(error.value) and "secret" not in str(error.value)
    assert error.value.__cause__ is None and error.value.__suppress_context__
    with pytest.raises(type(raised)):
        broken.encode("value")
    assert of(Own()).decode(of(Own()).encode("value")) == b"own"
    # No codec can encode None.
    assert broken.decode(broken.encode(None)) is None


@pytest.mark.parametrize("interrupted", [KeyboardInterrupt(), SystemExit()])
def test_decode_does_not_catch_keyboard_interrupt_or_system_exit(interrupted: BaseException) -> None:
    with pytest.raises(type(interrupted)):
        of(Own(raised=interrupted)).decode(b"\xc1\x4c\x01\xc8\x00own")


def test_envelope_rejects_invalid_codecs_and_limits_at_creation() -> None:
    for content in (0, 5, 127, 256, -1, "3", None, 1.0):
        with pytest.raises(ValueError, match="content"):
            of(Own(content))
    for content in (1, 4, 128, 255):
        of(Own(content))
    wrong: Any
    for wrong in (-1, 2**32):
        with pytest.raises(ValueError):
            of(Own(), wrong)
    for wrong in ("1", 1.5, True):
        with pytest.raises(TypeError):
            of(Own(), wrong)
    for wrong in (0, -1, 2**32):
        with pytest.raises(ValueError):
            of(Own(), None, wrong)
    with pytest.raises(TypeError):
        of(Own(encoded="text")).encode("value")


def test_encoding_an_unsupported_value_raises_type_error() -> None:
    circle: list[Any] = []
    circle.append(circle)
    wrong: dict[str, list[Any]] = {
        "bytes": ["text", 7, [1]],
        "text": [b"bytes", 7, "\ud800"],
        "json": [
            {1: 2},
            [{(1,): 2}],
            {"a": [{None: 1}]},
            float("nan"),
            float("inf"),
            b"x",
            object(),
            circle,
            "\ud800",
            {1},
        ],
        "messagepack": [{1: 2}, [{(1,): 2}], {"a": [{None: 1}]}, 2**64, object(), circle, "\ud800", {1}],
    }
    for name, values in wrong.items():
        for value in values:
            with pytest.raises(TypeError):
                of(CODECS[name]).encode(value)


def test_decoding_error_text_excludes_the_stored_value() -> None:
    for name, payload in (
        ("json", b'"secret'),
        ("json", b"secret"),
        ("text", b"secret\xff"),
        ("messagepack", b"\xd9secret"),
    ):
        content = {"text": 2, "json": 3, "messagepack": 4}[name]
        with pytest.raises(DecodingError) as error:
            of(CODECS[name]).decode(b"\xc1\x4c\x01" + bytes([content, 0]) + payload)
        told = error.value
        assert "secret" not in str(told) and (told.__suppress_context__ or told.__context__ is None)
