"""CODEC-5 and CODEC-10: small stored values that would decode to large objects."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
import tracemalloc
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder_cache._internal.codecs.envelope import MOST_DECODED_BYTES, Envelope
from larder_cache._internal.codecs.limits import MAX_DEPTH, MAX_ELEMENTS, Limits, check_json, parse_json
from larder_cache.codecs import BytesCodec, Codec, DecodingError, JsonCodec, MessagePackCodec, TextCodec

LARGEST = 8 << 20
PACKAGE = Path(__file__).parents[2]


def _compressed(content: int, payload: bytes) -> bytes:
    return bytes([0xC1, 0x4C, 1, content, 1]) + struct.pack(">I", len(payload)) + zlib.compress(payload, 9)


def _read(codec: Codec[Any], stored: bytes) -> Any:
    return Envelope(codec, None, MOST_DECODED_BYTES).decode(stored)


def _refused(codec: Codec[Any], stored: bytes) -> tuple[str, int]:
    """Decode an invalid value. Returns the message of the error, and the peak memory during the decoding in bytes."""
    tracemalloc.start()
    try:
        with pytest.raises(DecodingError) as error:
            _read(codec, stored)
        return str(error.value), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_default_decode_limits_match_the_specification() -> None:
    assert (MOST_DECODED_BYTES, MAX_ELEMENTS, MAX_DEPTH) == (8_388_608, 1_000_000, 512)


def test_decompressed_size_is_limited() -> None:
    assert len(_read(BytesCodec(), _compressed(1, bytes(LARGEST)))) == LARGEST
    for size in (LARGEST + 1, LARGEST * 10):
        said, allocated = _refused(BytesCodec(), _compressed(1, bytes(size)))
        assert f"{size:,} bytes" in said and "8,388,608" in said and allocated < 1 << 20


def _packed(item: bytes, elements: int) -> bytes:
    return b"\xdd" + struct.pack(">I", elements - 1) + item * (elements - 1)


@pytest.mark.parametrize("item", [b"\x90", b"\x80", b"\x01"])
def test_message_pack_elements_are_limited(item: bytes) -> None:
    assert len(_read(MessagePackCodec(), _compressed(4, _packed(item, MAX_ELEMENTS)))) == MAX_ELEMENTS - 1
    for elements in (MAX_ELEMENTS + 1, LARGEST - 5):
        said, allocated = _refused(MessagePackCodec(), _compressed(4, _packed(item, elements)))
        assert said == "the value has more than 1,000,000 elements (max_elements)"
        # Memory is needed only for the payload, and for copies of it while its buffer grows.
        assert allocated < 3 * LARGEST
    ten_times = MessagePackCodec(max_elements=MAX_ELEMENTS * 10)
    with pytest.raises(DecodingError, match="max_elements"):
        MessagePackCodec().decode(_packed(item, MAX_ELEMENTS * 10))
    assert len(ten_times.decode(_packed(b"\x01", MAX_ELEMENTS * 10))) == MAX_ELEMENTS * 10 - 1


def test_nested_message_pack_elements_count_toward_one_limit() -> None:
    # The payload has 1,001 arrays of 1,000 numbers each, so no single array exceeds the limit.
    payload = b"\xdc\x03\xe9" + (b"\xdc\x03\xe8" + b"\x01" * 1_000) * 1_001
    with pytest.raises(DecodingError, match="max_elements"):
        MessagePackCodec().decode(payload)


def _json(item: bytes, elements: int) -> bytes:
    return b"[" + (item + b",") * (elements - 2) + item + b"]"


@pytest.mark.parametrize("item", [b"{}", b'""', b'",[:"'])
def test_json_elements_are_limited(item: bytes) -> None:
    assert len(_read(JsonCodec(), _compressed(3, _json(item, MAX_ELEMENTS)))) == MAX_ELEMENTS - 1
    for elements in (MAX_ELEMENTS + 1, min(MAX_ELEMENTS * 10, LARGEST // (len(item) + 1))):
        said, allocated = _refused(JsonCodec(), _compressed(3, _json(item, elements)))
        assert said == "the value has more than 1,000,000 elements (max_elements)"
        # Memory is needed only for the payload, for copies of it while its buffer grows, and for copies of the payload
        # in which the strings are removed.
        assert allocated < 6 * LARGEST
    with pytest.raises(DecodingError, match="max_elements"):
        JsonCodec().decode(_json(item, MAX_ELEMENTS * 10))


@pytest.mark.parametrize("opening, closing", [(b"[", b"]"), (b'{"a":', b"}"), (b'[{"[":', b"}]")])
def test_json_depth_is_limited(opening: bytes, closing: bytes) -> None:
    levels = opening.count(b"{") + (opening[:1] == b"[")
    codec = JsonCodec(max_depth=100)
    assert codec.decode(opening * (100 // levels) + b"1" + closing * (100 // levels)) is not None
    for times in (100 // levels + 1, 1_000 // levels, 100_000):
        with pytest.raises(DecodingError, match="more than 100 levels deep"):
            codec.decode(opening * times + b"1" + closing * times)


def test_json_with_millions_of_levels_is_rejected_before_parsing() -> None:
    half = LARGEST // 2
    said, allocated = _refused(JsonCodec(), _compressed(3, b"[" * half + b"]" * half))
    assert "max_elements" in said and allocated < 6 * LARGEST
    for payload in (b"[" * LARGEST, b"]" * half + b"[" * 900_000):
        with pytest.raises(DecodingError):
            _read(JsonCodec(), _compressed(3, payload))


def test_message_pack_depth_is_limited() -> None:
    assert MessagePackCodec().decode(b"\x91" * 512 + b"\xc0") is not None
    for payload in (
        b"\x91" * 513 + b"\xc0",
        b"\x81\xa0" * 513 + b"\xc0",
        b"\x91" * 512 + b"\x90",
        b"\x91" * 5_120 + b"\xc0",
    ):
        with pytest.raises(DecodingError, match="more than 512 levels deep"):
            MessagePackCodec().decode(payload)
    # Only nested arrays count as levels, so a long array of short arrays is accepted.
    assert len(MessagePackCodec().decode(b"\xdc\x27\x10" + b"\x91\x90" * 10_000)) == 10_000


@pytest.mark.parametrize(
    "payload",
    [
        b'"' + b'\\"' * (LARGEST // 2 - 1),
        b'"a' * (LARGEST // 2),
        b"\\" * LARGEST,
        b'"' + b"\\" * (LARGEST - 1),
        b'"' * LARGEST,
    ],
    ids=["escaped quotes", "texts", "backslashes", "escapes", "quotes"],
)
def test_limit_check_of_hostile_json_runs_in_linear_time(payload: bytes) -> None:
    # A check that takes quadratic time would need hours for these payloads.
    with pytest.raises(DecodingError):
        JsonCodec(max_elements=1, max_depth=1).decode(payload + b",")


def test_overlong_json_integers_are_rejected_at_any_python_digit_limit() -> None:
    before = sys.get_int_max_str_digits()
    try:
        for limit in (0, 4_300, 100_000):
            sys.set_int_max_str_digits(limit)
            assert JsonCodec().decode(b"9" * 4_300) == 10**4_300 - 1
            for digits in (4_301, 43_000, 5_000_000):
                with pytest.raises(DecodingError):
                    JsonCodec().decode(b"[" + b"9" * digits + b"]")
    finally:
        sys.set_int_max_str_digits(before)
    # Floating-point numbers may have more digits, because Python does not convert them digit by digit. The results are
    # infinity and 0.
    assert JsonCodec().decode(b"[1" + b"0" * 4_000_000 + b".0, 1e-" + b"9" * 1_000_000 + b"]") == [float("inf"), 0.0]


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(alphabet='[]{},:"\\ a\n'),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(alphabet='[]{},:"\\'), inner, max_size=4),
    max_leaves=30,
)


def _counted(value: Any) -> tuple[int, int]:
    """Return the number of elements and the depth of a value."""
    if not isinstance(value, (list, dict)):
        return 1, 0
    items: list[Any] = [*value, *value.values()] if isinstance(value, dict) else value  # pyright: ignore
    counts = [_counted(each) for each in items]
    return 1 + sum(elements for elements, _ in counts), 1 + max((depth for _, depth in counts), default=0)


@given(JSON_VALUES, st.sampled_from([None, 1]), st.booleans())
def test_elements_and_depth_are_counted_exactly(value: Any, indent: int | None, ascii_only: bool) -> None:
    elements, depth = _counted(value)
    payload = json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode()
    packed = MessagePackCodec().encode(value) if abs(_largest(value)) < 2**63 else None
    check_json(payload, Limits(elements, max(depth, 1)))
    if packed is not None:
        MessagePackCodec(max_elements=elements, max_depth=max(depth, 1)).decode(packed)
    for less in ([Limits(elements - 1, 1_024)] if elements > 1 else []) + (
        [Limits(elements, depth - 1)] if depth > 1 else []
    ):
        with pytest.raises(DecodingError, match="max_"):
            check_json(payload, less)
        if packed is not None:
            with pytest.raises(DecodingError, match="max_"):
                MessagePackCodec(max_elements=less.max_elements, max_depth=less.max_depth).decode(packed)


def _largest(value: Any) -> int:
    if isinstance(value, dict):
        value = list(value.values())  # pyright: ignore
    if isinstance(value, list):
        return max((abs(_largest(each)) for each in value), default=0)  # pyright: ignore
    return value if isinstance(value, int) else 0


@pytest.mark.parametrize("wrong", [0, -1, 2**31, 1.5, "1", True, None])
def test_invalid_decode_limits_are_rejected(wrong: Any) -> None:
    for made in (JsonCodec, MessagePackCodec):
        for name in ("max_elements", "max_depth"):
            with pytest.raises((TypeError, ValueError)):
                made(**{name: wrong})
    with pytest.raises(ValueError):
        JsonCodec(max_depth=1_025)


def test_largest_values_of_earlier_clients_are_decoded() -> None:
    # These are the largest items that the server accepts.
    texts = ["value"] * 600_000
    for content, codec in ((3, JsonCodec()), (4, MessagePackCodec())):
        assert _read(codec, bytes([0xC1, 0x4C, 1, content, 0]) + codec.encode(texts)) == texts
    assert len(_read(TextCodec(), b"\xc1\x4c\x01\x02\x00" + b"x" * 5_000_186)) == 5_000_186
    deepest: Any = 1
    for _ in range(510):
        deepest = [deepest]
    assert MessagePackCodec().decode(MessagePackCodec().encode(deepest)) == deepest
    assert parse_json(b" [1, 2] ") == [1, 2]


CHILD = """
import resource, struct, sys, zlib
from larder_cache.codecs import DecodingError, JsonCodec, MessagePackCodec
from larder_cache._internal.codecs.envelope import MOST_DECODED_BYTES, Envelope
codec = MessagePackCodec() if sys.argv[1] == "4" else JsonCodec()
stored = sys.stdin.buffer.read()
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (200 << 20),) * 2)
try:
    Envelope(codec, None, MOST_DECODED_BYTES).decode(stored)
except DecodingError as error:
    print("refused:", error)
"""


@pytest.mark.parametrize(
    "content, payload",
    [
        (4, _packed(b"\x90", (64 << 20) - 8)),
        (4, _packed(b"\x80", (64 << 20) - 8)),
        (4, _packed(b"\x80", LARGEST - 5)),
        (4, _packed(b"\x90", LARGEST - 5)),
        (3, _json(b"[]", LARGEST // 3)),
        (3, _json(b"{}", LARGEST // 3)),
        (3, b"[" * (32 << 20) + b"]" * (32 << 20)),
    ],
    ids=["64 MiB of arrays", "64 MiB of maps", "maps", "arrays", "JSON arrays", "JSON maps", "JSON levels"],
)
def test_hostile_value_is_rejected_within_200_MiB(content: int, payload: bytes) -> None:
    child = [sys.executable, "-c", CHILD, str(content)]
    done = subprocess.run(child, input=_compressed(content, payload), capture_output=True, check=False, cwd=PACKAGE)
    assert done.returncode == 0 and done.stdout.startswith(
        (b"refused: the value has ", b"refused: the decoded value has ")
    ), done.stderr[-500:]
