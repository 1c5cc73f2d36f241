"""Header blocks: the examples of RFC 7541, and invalid bytes."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies

from larder_cache._internal.http2 import hpack

# RFC 7541, appendix C.5 (plain) and C.6 (Huffman) contain the same sequence of responses on one connection.
PLAIN = [
    "4803333032580770726976617465611d4d6f6e2c203231204f637420323031332032303a31333a323120474d546e17687474"
    "70733a2f2f7777772e6578616d706c652e636f6d",
    "4803333037c1c0bf",
]
CODED = [
    "488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad171863c78f0b97c8e9ae82ae43d3",
    "4883640effc1c0bf",
]


@pytest.mark.parametrize("blocks", [PLAIN, CODED], ids=["plain", "coded"])
def test_hpack_decodes_the_rfc_7541_examples(blocks: list[str]) -> None:
    decoder = hpack.Decoder()
    first, second = (decoder.decode(bytes.fromhex(block)) for block in blocks)
    assert first == {
        ":status": "302",
        "cache-control": "private",
        "date": "Mon, 21 Oct 2013 20:13:21 GMT",
        "location": "https://www.example.com",
    }
    assert second == first | {":status": "307"}


@given(strategies.dictionaries(strategies.from_regex(r"\A[a-z-]{1,20}\Z"), strategies.from_regex(r"\A[ -~]{0,300}\Z")))
def test_hpack_round_trips_any_headers(headers: dict[str, str]) -> None:
    assert hpack.Decoder().decode(hpack.encode(headers.items())) == headers


def test_hpack_table_evicts_oldest_entries_over_4096_bytes() -> None:
    decoder = hpack.Decoder()
    for i in range(100):
        decoder.decode(b"\x40\x01" + b"a" + b"\x64" + b"%0100d" % i)
    with pytest.raises(hpack.MalformedHeaders):
        decoder.decode(b"\xff\x10")
    assert decoder.decode(b"\xbe") == {"a": "%0100d" % 99}


@given(strategies.binary(max_size=60))
def test_hpack_decodes_or_rejects_arbitrary_bytes(block: bytes) -> None:
    try:
        hpack.Decoder().decode(block)
    except hpack.MalformedHeaders:
        pass  # Rejected, as expected.
