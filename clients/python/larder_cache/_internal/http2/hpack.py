"""Encodes and decodes header blocks of HTTP/2 (RFC 7541).

The encoder does not compress. The decoder reads every form that a server may send.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

# RFC 7541, appendix B: the code length in bits of each symbol. The symbols are 0 to 255 and the end of the string. The
# code is canonical: codes are assigned in ascending order of length and symbol.
_CODE_LENGTHS = bytes.fromhex(
    "0d171c1c1c1c1c1c1c181e1c1c1e1c1c1c1c1c1c1c1c1e1c1c1c1c1c1c1c1c1c060a0a0c0d06080b0a0a080b08060606"
    "0505050606060606060607080f060c0a0d06070707070707070707070707070707070707070707070807080d130d0e06"
    "0f05060506050606060507070606060506070605050607070707070f0b0e0d1c14161414161616171617171717171817"
    "181816171817171717151617161717181615141616171715171616181516171715151615171617171416161617161617"
    "1a1a1413161716191a1a1a1b1b1a181913151a1b1b1a1b1815151a1a1c1b1b1b14181415161515171616191918181a17"
    "1a1b1a1a1b1b1b1b1b1c1b1b1b1b1b1a1e"
)

# RFC 7541, appendix A. Values are omitted in entries that no response or trailer can use.
_STATIC = (
    *((b":authority", b""), (b":method", b"GET"), (b":method", b"POST"), (b":path", b"/"), (b":path", b"/index.html")),
    *((b":scheme", b"http"), (b":scheme", b"https"), (b":status", b"200"), (b":status", b"204"), (b":status", b"206")),
    *((b":status", b"304"), (b":status", b"400"), (b":status", b"404"), (b":status", b"500")),
    *((b"accept-charset", b""), (b"accept-encoding", b"gzip, deflate")),
    *((name, b"") for name in b"accept-language accept-ranges accept access-control-allow-origin age allow".split()),
    *((name, b"") for name in b"authorization cache-control content-disposition content-encoding".split()),
    *((name, b"") for name in b"content-language content-length content-location content-range content-type".split()),
    *((name, b"") for name in b"cookie date etag expect expires from host if-match if-modified-since".split()),
    *((name, b"") for name in b"if-none-match if-range if-unmodified-since last-modified link location".split()),
    *((name, b"") for name in b"max-forwards proxy-authenticate proxy-authorization range referer refresh".split()),
    *((name, b"") for name in b"retry-after server set-cookie strict-transport-security transfer-encoding".split()),
    *((name, b"") for name in b"user-agent vary via www-authenticate".split()),
)
assert len(_STATIC) == 61

# RFC 7540, section 6.5.2: the default maximum size of the table. This client does not change it.
_TABLE_BYTES = 4096


class MalformedHeaders(Exception):
    """The header block violates RFC 7541. The connection cannot be used any more."""


def _codes() -> dict[tuple[int, int], int]:
    """Return a map from (length, code) to symbol."""
    codes: dict[tuple[int, int], int] = {}
    code = last = 0
    for length, symbol in sorted((length, symbol) for symbol, length in enumerate(_CODE_LENGTHS)):
        code <<= length - last
        codes[length, code] = symbol
        code, last = code + 1, length
    return codes


_CODES = _codes()


def _huffman(data: bytes) -> bytes:
    out = bytearray()
    code = length = 0
    for byte in data:
        for shift in range(7, -1, -1):
            code = code << 1 | byte >> shift & 1
            length += 1
            symbol = _CODES.get((length, code))
            if symbol is not None:
                if symbol == 256:
                    raise MalformedHeaders("a string contains the end-of-string code")
                out.append(symbol)
                code = length = 0
            elif length > 30:
                raise MalformedHeaders("unknown Huffman code")
    if length > 7 or code != (1 << length) - 1:
        raise MalformedHeaders("invalid padding of a string")
    return bytes(out)


def encode(headers: Iterable[tuple[str, str]]) -> bytes:
    """Return a header block of literals that are never indexed.

    The block's size hardly matters, because it is sent once per stream.
    """
    out = bytearray()
    for name, value in headers:
        out.append(0x10)
        for text in (name.encode("ascii"), value.encode("ascii")):
            _write_integer(out, len(text))
            out += text
    return bytes(out)


def _write_integer(out: bytearray, number: int) -> None:
    if number < 0x7F:
        out.append(number)
        return
    out.append(0x7F)
    number -= 0x7F
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)


class Decoder:
    """Decodes the header blocks of one connection in order. The blocks share a table of at most 4,096 bytes."""

    __slots__ = ("_table", "_bytes", "_most", "changes")

    def __init__(self) -> None:
        self._table: deque[tuple[bytes, bytes]] = deque()
        self._bytes = 0
        self._most = _TABLE_BYTES
        # The number of changes of the table.
        self.changes = 0

    def decode(self, block: bytes) -> dict[str, str]:
        """Return the headers. A repeated name gets its last value.

        Raises:
            MalformedHeaders: The block is invalid.
        """
        headers: dict[str, str] = {}
        at = 0
        try:
            while at < len(block):
                field, at = self._field(block, at)
                if field is not None:
                    name, value = field[0].decode("latin-1"), field[1].decode("latin-1")
                    if name == "content-length" and headers.get(name, value) != value:
                        # Two different lengths are invalid (RFC 9110, section 8.6). The empty value makes `length_of`
                        # report an invalid length.
                        value = ""
                    headers[name] = value
        except IndexError:
            raise MalformedHeaders("the header block is truncated") from None
        return headers

    def _field(self, block: bytes, at: int) -> tuple[tuple[bytes, bytes] | None, int]:
        first = block[at]
        if first & 0x80:
            index, at = _integer(block, at, 7)
            return self._entry(index), at
        if first & 0x40:
            field, at = self._literal(block, at, 6)
            self._add(field)
            return field, at
        if first & 0x20:
            self._resize(_integer(block, at, 5)[0])
            return None, _integer(block, at, 5)[1]
        return self._literal(block, at, 4)

    def _literal(self, block: bytes, at: int, bits: int) -> tuple[tuple[bytes, bytes], int]:
        index, at = _integer(block, at, bits)
        if index:
            name = self._entry(index)[0]
        else:
            name, at = _string(block, at)
        value, at = _string(block, at)
        return (name, value), at

    def _entry(self, index: int) -> tuple[bytes, bytes]:
        if 0 < index <= len(_STATIC):
            return _STATIC[index - 1]
        if 0 < index <= len(_STATIC) + len(self._table):
            return self._table[index - len(_STATIC) - 1]
        raise MalformedHeaders(f"unknown index {index} of the header table")

    def _add(self, field: tuple[bytes, bytes]) -> None:
        self.changes += 1
        self._table.appendleft(field)
        self._bytes += _size(field)
        self._evict()

    def _resize(self, most: int) -> None:
        if most > _TABLE_BYTES:
            raise MalformedHeaders("a size update of the header table exceeds the limit")
        self.changes += 1
        self._most = most
        self._evict()

    def _evict(self) -> None:
        while self._bytes > self._most:
            self._bytes -= _size(self._table.pop())


def _size(field: tuple[bytes, bytes]) -> int:
    # RFC 7541, section 4.1: an entry costs 32 bytes in addition to its text.
    return len(field[0]) + len(field[1]) + 32


def _integer(block: bytes, at: int, bits: int) -> tuple[int, int]:
    mask = (1 << bits) - 1
    number = block[at] & mask
    at += 1
    if number < mask:
        return number, at
    shift = 0
    while True:
        byte = block[at]
        at += 1
        number += (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return number, at
        if shift > 28:
            raise MalformedHeaders("an integer has more than five bytes")


def _string(block: bytes, at: int) -> tuple[bytes, int]:
    coded = block[at] & 0x80
    length, at = _integer(block, at, 7)
    if at + length > len(block):
        raise MalformedHeaders("a string extends past the end of its header block")
    text = bytes(block[at : at + length])
    return (_huffman(text) if coded else text), at + length
