"""Calls that no program should make: arguments of every type, and factories and hooks that raise."""

from __future__ import annotations

import asyncio
import math
import random
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from larder_cache import CacheClient, CacheError, cached
from larder_cache import responses as r
from larder_cache import sync

# By name of the call: the number of arguments after the cache's name.
_CALLS = {
    **{"get": 1, "set": 2, "delete": 1, "increment": 2, "key_exists": 1, "keys_exist": 1, "item_get_ttl": 1},
    **{"item_get_type": 1, "update_ttl": 2, "increase_ttl": 2, "decrease_ttl": 2, "get_batch": 1, "set_batch": 1},
    **{"set_if_absent": 2, "set_if_present": 2, "set_if_equal": 3, "set_if_not_equal": 3, "get_with_hash": 1},
    **{"set_with_hash": 2, "set_if_present_and_hash_equal": 3, "set_if_absent_or_hash_equal": 3, "delete_each": 1},
    **{"update_ttl_if_prefix": 3},
}


class RaisingHooks:
    """Metrics that raise at random."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def record(self, name: str, seconds: float, attributes: Mapping[str, str]) -> None:
        if self._chance.random() < 0.2:
            raise LookupError("a hook that throws")

    def add(self, name: str, count: int, attributes: Mapping[str, str]) -> None:
        self.record(name, 0, attributes)

    def watch(self, name: str, read: Callable[[], int | None]) -> None:
        raise LookupError("a hook that throws")


class OddString(str):
    """A string whose methods raise."""

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> bytes:
        raise ArithmeticError("encode")


def _raising() -> Any:
    yield "k"
    raise ArithmeticError("an iterable that throws")


class HostileCaller:
    """Makes random calls and counts their outcomes. `chance` is the random generator."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self.outcomes: Counter[str] = Counter()

    def junk(self) -> Any:
        """Return a random object."""
        chance = self._chance
        return chance.choice(
            [
                *(
                    None,
                    True,
                    0,
                    -1,
                    7,
                    2**63,
                    2**64,
                    10**400,
                    1.5,
                    math.nan,
                    math.inf,
                    -math.inf,
                    1e-9,
                    "",
                    " ",
                    "k",
                ),
                *("\ud800", "\0", "ключ", b"", b"k", b"\xff", bytearray(b"k"), memoryview(b"k"), [], {}, (), object()),
                *(timedelta(0), timedelta(days=400), timedelta.max, [("k", "v", -1)], {"k": object()}, ["k", ""]),
                *(
                    OddString("k"),
                    lambda: 1,
                    type,
                    NotImplemented,
                    "x" * chance.randrange(100_000),
                    bytes(chance.randrange(9)),
                ),
                *(_raising(), {"k": "v"}, [("k", "v")], ["a", "b"], {b"k": bytes(70_000)}, iter(["k"]), frozenset("k")),
            ]
        )

    def _argument(self, usual: Any) -> Any:
        return usual if self._chance.random() < 0.85 else self.junk()

    def arguments(self) -> tuple[str, list[Any], dict[str, Any]]:
        """Return a random call: its name, its arguments and its options."""
        chance = self._chance
        name, count = chance.choice(list(_CALLS.items()))
        usual: list[Any] = [f"key-{chance.randrange(50)}", "value", b"other"]
        if name in ("keys_exist", "get_batch", "delete_each"):
            usual = [[f"key-{i}" for i in range(chance.randrange(40))]]
        elif name == "set_batch":
            usual = [{f"key-{i}": "value" for i in range(chance.randrange(40))}]
        elif "ttl" in name or name == "increment":
            usual[1] = chance.randrange(1, 100)
        options: dict[str, Any] = {}
        if chance.random() < 0.4:
            options["timeout_s"] = self._argument(chance.choice([0.001, 0.01, 0.05, 1, 5]))
        if name.startswith("set") and chance.random() < 0.3:
            options["ttl"] = self._argument(chance.randrange(1, 100))
        if chance.random() < 0.01:
            options["misspelt"] = 1
        return name, [self._argument("cache"), *(self._argument(each) for each in usual[:count])], options

    def note(self, answer: Any) -> None:
        """Count an outcome."""
        self.outcomes[answer.code.value if isinstance(answer, (r.Error, CacheError)) else type(answer).__name__] += 1

    def _thrown(self, error: BaseException) -> None:
        # A TypeError reports a mistake of the caller. An ArithmeticError comes from one of the caller's own iterables,
        # factories or strings, and the client must pass it on unchanged.
        if type(error) in (TypeError, ArithmeticError, asyncio.CancelledError, CacheError):
            self.note(error)
        else:
            raise error

    def _chosen(self, client: CacheClient | sync.CacheClient) -> tuple[Any, list[Any], dict[str, Any]]:
        """Return a method of a cache handle or of its `results`, with arguments and options for a call."""
        name, (cache, *rest), options = self.arguments()
        handle = client.cache(cache)
        if "timeout_s" in options:
            handle = handle.with_timeout(options.pop("timeout_s"))
        return getattr(handle if self._chance.random() < 0.3 else handle.results, name), rest, options

    async def call(self, client: CacheClient) -> None:
        """Make one call of an asyncio client. Counts an exception that is allowed, and raises any other exception."""
        try:
            if self._chance.random() < 0.1:
                self.note(await self._load(client))
                return
            call, arguments, options = self._chosen(client)
            self.note(await call(*arguments, **options))
        except BaseException as error:
            self._thrown(error)

    async def _load(self, client: CacheClient) -> Any:
        chance, cache = self._chance, client.cache("cache")
        kind = chance.randrange(4)

        async def make() -> Any:
            if kind == 0:
                raise ArithmeticError("a factory that throws")
            if kind == 1:
                await asyncio.sleep(chance.random() / 20)
            if kind == 2:
                return await cache.get_or_set(f"load-{chance.randrange(5)}", make_plain)
            return self._argument("made")

        async def make_plain() -> str:
            return "plain"

        if chance.random() < 0.2:
            load: Any = cached(cache, ttl=1, key=lambda *junk: self._argument("key"))(make)
            return await (load() if chance.random() < 0.5 else load(self.junk()))
        return await cache.get_or_set(f"load-{chance.randrange(5)}", make)

    def call_blocking(self, client: sync.CacheClient) -> None:
        """Make one call of the blocking client."""
        try:
            if self._chance.random() < 0.1:
                kind = self._chance.randrange(3)
                cache = client.cache("cache")

                def make() -> Any:
                    if kind == 0:
                        raise ArithmeticError("a factory that throws")
                    if kind == 1:
                        return cache.get_or_set(f"load-{self._chance.randrange(5)}", lambda: "plain")
                    return self._argument("made")

                self.note(cache.get_or_set(f"load-{self._chance.randrange(5)}", make))
                return
            call, arguments, options = self._chosen(client)
            self.note(call(*arguments, **options))
        except BaseException as error:
            self._thrown(error)
