"""Raw HTTP/2 for attacks: frames, literal headers, two kinds of protobuf fields, and a connection."""

from __future__ import annotations

import random
import socket
import struct
import threading

DATA, HEADERS, RESET, SETTINGS, PING, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 6, 8, 9
END_STREAM, ACK, END_HEADERS = 1, 1, 4
MOST_WINDOW = (1 << 31) - 1
GET, SET, KEYS_EXIST = (f"/cache_client.Scs/{rpc}" for rpc in ("Get", "Set", "KeysExist"))
CREATE_CACHE, PIPELINE = "/control_client.ScsControl/CreateCache", "/larder.v1.Pipeline/Run"


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    return struct.pack(">I", len(payload))[1:] + bytes((kind, flags)) + struct.pack(">I", stream) + payload


def in_data(stream: int, body: bytes, flags: int = END_STREAM) -> bytes:
    """Return DATA frames of at most 16 KB. Only the last frame has the given flags."""
    cuts = range(0, len(body), 16_384)
    return b"".join(frame(DATA, flags if at + 16_384 >= len(body) else 0, stream, body[at : at + 16_384]) for at in cuts)


def settings(*entries: tuple[int, int]) -> bytes:
    return frame(SETTINGS, 0, 0, b"".join(struct.pack(">HI", *entry) for entry in entries))


def window(stream: int, more: int) -> bytes:
    return frame(WINDOW_UPDATE, 0, stream, struct.pack(">I", more))


def reset(stream: int) -> bytes:
    return frame(RESET, 0, stream, struct.pack(">I", 8))


def number(prefix_bits: int, value: int) -> bytes:
    most = (1 << prefix_bits) - 1
    return bytes([value]) if value < most else bytes([most]) + varint(value - most)


def header(name: str, value: str, kind: int = 0) -> bytes:
    """Return a literal header. With the kind 0x40, the peer adds the header to its dynamic table."""
    return bytes([kind]) + number(7, len(name)) + name.encode() + number(7, len(value)) + value.encode()


def call(path: str, *more: tuple[str, str]) -> bytes:
    names = [(":method", "POST"), (":scheme", "http"), (":path", path), (":authority", "localhost")]
    names += [("content-type", "application/grpc"), ("te", "trailers"), ("cache", "cache"), *more]
    return b"".join(header(*each) for each in names)


def grpc(message: bytes, flag: int = 0) -> bytes:
    return bytes([flag]) + struct.pack(">I", len(message)) + message


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


def field(place: int, content: bytes | int) -> bytes:
    if isinstance(content, int):
        return varint(place << 3) + varint(content)
    return varint(place << 3 | 2) + varint(len(content)) + content


class Link:
    """An HTTP/2 connection.

    If `reads` is true, a thread reads and discards the data that the server sends. The thread replies to pings, and
    tracks the send window of the connection.
    """

    def __init__(self, port: int, *entries: tuple[int, int], opens: bool = True, reads: bool = True) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), 10)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.credit = 65_535
        self.gone = False
        self._more = threading.Condition()
        if opens:
            self.send(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + settings(*entries))
        if reads:
            threading.Thread(target=self._read, daemon=True).start()

    def send(self, data: bytes) -> None:
        if self.gone:
            raise OSError("the server closed the connection")
        self.socket.sendall(data)

    def upload(self, stream: int, body: bytes, flags: int = END_STREAM) -> None:
        """Send DATA as fast as the connection's window allows."""
        for at in range(0, len(body), 16_384):
            part = body[at : at + 16_384]
            with self._more:
                if not self._more.wait_for(lambda: self.credit >= len(part) or self.gone, 10):
                    raise OSError("no flow-control credit within 10 s")
                self.credit -= len(part)
            self.send(frame(DATA, flags if at + 16_384 >= len(body) else 0, stream, part))

    def close(self) -> None:
        self.gone = True
        self.socket.close()

    def _read(self) -> None:
        buffer = b""
        try:
            while True:
                data = self.socket.recv(1 << 18)
                if not data:
                    break
                buffer += data
                while len(buffer) >= 9 and len(buffer) >= (end := 9 + int.from_bytes(buffer[:3], "big")):
                    kind, flags, stream = buffer[3], buffer[4], int.from_bytes(buffer[5:9], "big")
                    if kind == PING and not flags & ACK:
                        self.socket.sendall(frame(PING, ACK, 0, buffer[9:end]))
                    elif kind == WINDOW_UPDATE and stream == 0:
                        with self._more:
                            self.credit += int.from_bytes(buffer[9:end], "big")
                            self._more.notify_all()
                    buffer = buffer[end:]
        except OSError:
            pass
        with self._more:
            self.gone = True
            self._more.notify_all()


def noise(length: int) -> bytes:
    return random.randbytes(length)
