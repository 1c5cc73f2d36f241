"""The copies that a client keeps and returns: cases common to all clients (NEAR-20 to NEAR-28), and a random test."""

from __future__ import annotations

import json
import random
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from larder_cache._internal.near.near_get import NearGet
from larder_cache._internal.near.near_state import NearState

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[4] / "protocol/vectors/clients/near-cache.json").read_text("utf-8")
)


def _name(key: str) -> tuple[str, bytes]:
    cache, _, rest = key.rpartition("/")
    return cache or "c", rest.encode()


class Run:
    """Runs a case's steps. Times are in milliseconds."""

    def __init__(self, options: dict[str, int]) -> None:
        self.state = NearState(options.get("maxBytes", 1_048_576), options.get("maxAgeMs", 60_000), 10_000)
        self._gets: dict[int, NearGet] = {}
        self._now = 0

    def take(self, step: dict[str, Any]) -> None:
        state = self.state
        match step:
            case {"at": now}:
                self._now = now
            case {"opened": {"stream": stream, "sentAt": sent_at, "leaseMs": lease}}:
                state.opened(stream, sent_at, lease)
            case {"lost": stream}:
                state.lost(stream)
            case {"renewed": {"stream": stream, "sentAt": sent_at}}:
                state.renewed(stream, sent_at)
            case {"find": key, "then": then}:
                copy = state.find(*_name(key), self._now)
                assert (None if copy is None else copy.value.decode()) == then, step
            case {"begin": {"get": get, "key": key, "stream": stream}}:
                self._gets[get] = state.begin(*_name(key), stream, self._now)
            case {"answered": {"get": get, "ticket": ticket, "ttlLeftMs": left, **what}}:
                value = bytes(what["bytes"]) if "bytes" in what else what["value"] and what["value"].encode()
                value = b"" if what.get("value") == "" else value
                state.answered(self._gets[get], value, ticket, left, self._now)
            case {"failed": get}:
                state.failed(self._gets[get])
            case {"ended": key}:
                state.ended(*_name(key))
            case {"flushed": cache}:
                state.flushed(cache)
            case {"invalidated": {"stream": stream, "tickets": tickets}}:
                state.invalidated(stream, tickets)
            case {"invalidated": {"stream": stream, "from": first, "count": count}}:
                state.invalidated(stream, list(range(first, first + count)))
            case {"cleared": stream}:
                state.cleared(stream)
            case _:
                raise AssertionError(f"no such step: {step}")

    def check(self, step: dict[str, Any]) -> None:
        state = self.state
        state.assert_valid()
        if "keys" in step:
            held = [("" if each.cache == "c" else f"{each.cache}/") + each.key.decode() for each in state.copies]
            assert sorted(held) == step["keys"], step
        figures = {"evictions": state.copies.evictions, "copies": len(state.copies), "bytes": state.copies.size}
        for name, count in step.get("counts", {}).items():
            assert (figures[name] if name in figures else getattr(state, name)) == count, (name, step)


@pytest.mark.parametrize("case", CASES, ids=[f"{case['rule']}: {case['case']}" for case in CASES])
def test_near_state_matches_shared_test_vectors(case: dict[str, Any]) -> None:
    run = Run(case.get("options", {}))
    for step in case["steps"]:
        run.take(step)
        run.check(step)


LEASE = 40
KEYS: tuple[bytes, ...] = (b"a", b"b", b"c")


class World:
    """A server, one client with a near stream, and other clients. A key's values are its increasing version numbers.

    A write first becomes visible, then sends its invalidations, and then gets its response. The near stream preserves
    order in each direction. Each step takes one unit of time.
    """

    def __init__(self, drawn: random.Random) -> None:
        self.drawn = drawn
        self.state = NearState(1_024, 200, 1_000)
        self.now = 0
        self.stream = 0
        # The most recently sent gets.
        self.gets: deque[NearGet] = deque(maxlen=4)
        # The server's state: each key's newest version, the acknowledged versions with their times, the writes that
        # have not sent invalidations yet, and the tickets to send on the stream.
        self.newest = dict.fromkeys(KEYS, 0)
        self.finished = {key: [(0, -10_000)] for key in KEYS}
        self.untold: list[tuple[bytes, int, Callable[[bytes, int], None]]] = []
        self.noted: set[int] = set()
        self.up: deque[tuple[Any, ...]] = deque()
        self.answers: list[tuple[Any, ...]] = []
        # The messages of the current stream from the server. Each new stream has a new queue, because messages of a
        # lost stream do not arrive.
        self.down: deque[tuple[Any, ...]] = deque()
        # Responses on another connection of the client that have not arrived yet: keys and versions.
        self.plain: list[tuple[bytes, int]] = []
        # The newest version of each key that a caller of this client has read or written.
        self.seen = dict.fromkeys(KEYS, 0)
        self._open()

    def _open(self) -> None:
        self.stream += 1
        self.up.clear()
        self.answers.clear()
        self.down = deque()
        self.noted.clear()
        self.state.opened(self.stream, self.now, LEASE)

    def _ticket(self, key: bytes) -> int:
        # Two of the three keys share a ticket.
        return 1 if key == b"a" else 2

    def write(self, key: bytes, answer: Callable[[bytes, int], None] = lambda key, version: None) -> None:
        """Make a write visible. When its invalidations were sent, `tell` calls `answer` with the key and version."""
        self.newest[key] += 1
        self.untold.append((key, self.newest[key], answer))

    def tell(self, which: int) -> None:
        """Send the invalidations and the response of one of the writes in progress."""
        key, version, answer = self.untold.pop(which)
        if (ticket := self._ticket(key)) in self.noted:
            self.noted.discard(ticket)
            self.down.append(("tickets", [ticket]))
        self.finished[key].append((version, self.now))
        answer(key, version)

    def flush(self) -> None:
        for key in KEYS:
            self.newest[key] += 1
            self.finished[key].append((self.newest[key], self.now))
        self.down.append(("clear",))

    def at_server(self, key: bytes, when: int) -> int:
        return max(version for version, at in self.finished[key] if at <= when)

    def serve(self) -> None:
        """Let the server read the next message of the client."""
        if not self.up:
            return
        what, *rest = self.up.popleft()
        if what == "renew":
            while self.untold:
                self.tell(0)
            self.down.append(("renewed", *rest))
        elif what == "get":
            (key, get) = rest
            self.noted.add(self._ticket(key))
            self.answers.append(("answer", key, get, self.newest[key]))
        else:
            (key,) = rest
            down = self.down
            self.write(key, lambda key, version: down.append(("written", key, version)))

    def answer(self) -> None:
        """Let the server send one of its responses, in any order (PIPE-3)."""
        if self.answers:
            self.down.append(self.answers.pop(self.drawn.randrange(len(self.answers))))

    def hear(self) -> None:
        """Let the client read the next message of the server."""
        if not self.down:
            return
        what, *rest = self.down.popleft()
        state = self.state
        if what == "tickets":
            state.invalidated(self.stream, rest[0])
        elif what == "clear":
            state.cleared(self.stream)
        elif what == "renewed":
            state.renewed(self.stream, rest[0])
        elif what == "answer":
            key, get, version = rest
            is_waited_for = get.in_flight
            ticket = self._ticket(key) + 1 if self.drawn.random() < 0.9 else 0
            state.answered(get, b"%d" % version, ticket, 200, self.now)
            if is_waited_for:
                self.seen[key] = max(self.seen[key], version)
        else:
            key, version = rest
            state.ended("c", key)
            self.seen[key] = max(self.seen[key], version)

    def find(self, key: bytes) -> None:
        copy = self.state.find("c", key, self.now)
        if copy is not None:
            version = int(copy.value)
            assert version >= self.seen[key], "it went back, or its own write is not seen"
            assert version >= self.at_server(key, self.now - LEASE), "another's write is not seen after the lease"
            self.seen[key] = version

    def step(self, what: str, key: bytes) -> None:
        self.now += 1
        if what == "get":
            get = self.state.begin("c", key, self.stream, self.now)
            self.gets.append(get)
            self.up.append(("get", key, get))
        elif what == "fail" and self.gets:
            # The caller of the get gives up. Record the end of the call.
            get = self.gets.popleft()
            if get.in_flight:
                self.state.failed(get)
                self.state.ended("c", get.flight.key)
        elif what == "own write":
            self.up.append(("write", key))
        elif what == "own write elsewhere":
            self.write(key, lambda key, version: self.plain.append((key, version)))
        elif what == "plain read":
            self.plain.append((key, self.newest[key]))
        elif what == "plain end" and self.plain:
            key, version = self.plain.pop(0)
            self.state.ended("c", key)
            self.seen[key] = max(self.seen[key], version)
        elif what == "write":
            self.write(key)
        elif what == "tell" and self.untold:
            self.tell(self.drawn.randrange(len(self.untold)))
        elif what == "flush":
            self.flush()
        elif what == "renew":
            self.up.append(("renew", self.now))
        elif what == "serve":
            self.serve()
        elif what == "answer":
            self.answer()
        elif what == "hear":
            self.hear()
        elif what == "lose":
            self.state.lost(self.stream)
            self._open()
        elif what == "wait":
            self.now += 60
        self.state.assert_valid()
        for each in KEYS:
            self.find(each)


# The actions and their relative frequencies.
OFTEN = {
    **{"get": 8, "serve": 16, "answer": 16, "hear": 16, "renew": 4, "write": 3, "tell": 4, "own write": 1},
    **{"own write elsewhere": 1, "plain read": 1, "plain end": 6, "fail": 0.3, "flush": 0.8},
    **{"lose": 0.2, "wait": 0.4},
}


@pytest.mark.parametrize("seed", range(40))
def test_near_state_never_serves_invalid_values_after_random_operations(seed: int) -> None:
    drawn = random.Random(seed)
    world = World(drawn)
    for what in drawn.choices(list(OFTEN), list(OFTEN.values()), k=4_000):
        world.step(what, drawn.choice(KEYS))
    state = world.state
    figures = state.hits, state.kept, state.invalidations, state.clears, state.poisoned
    assert min(figures) > 0, f"all of it happens: {figures}"


def test_first_of_equal_concurrent_reads_is_stored_as_near_copy() -> None:
    state = NearState(1_000, 60.0)
    state.opened(1, 0.0, 3.0)
    first, *others, last = [state.begin("c", b"k", 1, 0.0) for _ in range(10)]
    state.answered(first, b"v1", 1, 60.0, 0.0)
    for each in others:
        state.answered(each, b"v1", 1, 60.0, 0.0)
        state.assert_valid()
    assert state.find("c", b"k", 0.0) is not None and (state.kept, state.poisoned) == (1, 8)
    state.answered(last, b"v2", 1, 60.0, 0.0)
    assert state.find("c", b"k", 0.0) is None, "another value is newer, or older: who knows"


def test_near_state_restart_drops_copies_and_pending_gets() -> None:
    state = NearState(1_000, 60.0)
    state.opened(1, 0.0, 3.0)
    first, second = state.begin("c", b"k", 1, 0.0), state.begin("c", b"m", 1, 0.0)
    state.answered(first, b"v", 1, 60.0, 0.0)
    assert state.find("c", b"k", 0.0) is not None
    state.restart()
    state.assert_valid()
    assert state.find("c", b"k", 0.0) is None
    state.answered(second, b"v", 1, 60.0, 0.0)
    assert len(state.copies) == 0, "what was in flight is not kept"
    third = state.begin("c", b"k", 1, 0.0)
    state.failed(second)
    state.answered(third, b"v", 1, 60.0, 0.0)
    state.assert_valid()
    assert state.find("c", b"k", 0.0) is not None, "and what comes after is"
