"""A program that uses the fleet: it sets and gets values through all gateways, and counts its calls."""

from __future__ import annotations

import asyncio
import random
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "clients" / "python"))

from larder_cache import CacheClient, CredentialProvider  # noqa: E402

# The number of callers. Each has keys of its own, so that it knows which value it must read.
CALLERS = 8
KEYS = 500
# The pause of a caller after each pair of calls. It keeps the load so low that the machine can also restart processes.
PAUSE_S = 0.002
TTL_S = 600


@dataclass
class Counts:
    """The calls of one step. A call is lost if it reads another value than the last one that was acknowledged."""

    calls: int = 0
    failed: int = 0
    lost: int = 0
    longest_s: float = 0.0
    errors: list[str] = field(default_factory=lambda: list[str]())

    def add(self, seconds: float, error: str | None) -> None:
        self.calls += 1
        self.longest_s = max(self.longest_s, seconds)
        if error is not None:
            self.failed += 1
            self.errors.append(error)


class Load:
    """Calls until it is closed, in a thread of its own.

    All calls are safe to retry, so the client retries them at another gateway.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._counts = Counts()
        self._is_closed = False
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)

    def __enter__(self) -> Load:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._is_closed = True
        self._thread.join()

    @property
    def is_running(self) -> bool:
        return self._thread.is_alive()

    @property
    def calls(self) -> int:
        """Return the number of calls since the last call of `take`."""
        return self._counts.calls

    def take(self) -> Counts:
        """Return the counts since the last call, and start again at 0."""
        counts, self._counts = self._counts, Counts()
        return counts

    async def _run(self) -> None:
        async with CacheClient(CredentialProvider.from_string(self._url), default_ttl=TTL_S) as client:
            await asyncio.gather(*(self._call(client, caller) for caller in range(CALLERS)))

    async def _call(self, client: CacheClient, caller: int) -> None:
        cache = client.cache("cache").results
        known: dict[str, bytes | None] = {}
        number = 0
        while not self._is_closed:
            number += 1
            key, value = f"caller-{caller}-key-{number % KEYS}", f"{number}".encode()
            start = time.monotonic()
            error = _error(await cache.set(key, value))
            self._counts.add(time.monotonic() - start, error)
            # After a failed set, the key may have either value.
            known[key] = value if error is None else None
            # Read an older key too, so that values that were set before a restart are read after it.
            key = f"caller-{caller}-key-{(number - random.randrange(min(number, KEYS))) % KEYS}"
            start = time.monotonic()
            answer = await cache.get(key)
            self._counts.add(time.monotonic() - start, _error(answer))
            expected = known.get(key)
            if expected is not None and _error(answer) is None and getattr(answer, "value", None) != expected:
                self._counts.lost += 1
            await asyncio.sleep(PAUSE_S)


def _error(answer: object) -> str | None:
    return repr(answer) if type(answer).__name__ == "Error" else None
