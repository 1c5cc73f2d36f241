"""What every call of a client shares: its runner, its defaults, the shapes of simple requests."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar

from larder_cache import forks
from larder_cache import operations as op
from larder_cache import pipeline_codec as codec
from larder_cache import responses as r
from larder_cache.arguments import Key, Refusal, to_headers, to_key, to_name, to_ttl_ms
from larder_cache.call_runner import CallRunner
from larder_cache.configuration import Configuration
from larder_cache.configurations import Configurations
from larder_cache.credential_provider import CredentialProvider
from larder_cache.errors import ErrorCode
from larder_cache.single_flight import SingleFlight
from larder_cache.telemetry import Metrics
from larder_cache.ttl import Ttl, ttl_to_ms

# Names come from the application; a thousand of them are 255 bytes each at most.
_MOST_NAMES = 1_000
# Calls that a list's are made of at once: as many as the default cap lets through.
_AT_ONCE = 1_000

F = TypeVar("F", bound=Callable[..., Any])
R = TypeVar("R")


class ClientCalls:
    """The ground that the operations of `CacheClient` stand on. Not for use by itself."""

    def __init__(
        self,
        credentials: CredentialProvider | None = None,
        *,
        default_ttl: Ttl,
        configuration: Configuration | None = None,
        headers: Mapping[str, str] | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        """Settings only; nothing connects before the client is entered or first used.

        `credentials`: a local server where left out. `default_ttl`: for sets that give none; seconds or a timedelta,
        above 0 and at most 365 days (a server takes 24 hours unless its --max-ttl says otherwise), else
        ValueError. `configuration`: `Configurations.Laptop` where left out.
        `headers`: metadata sent beside each unary call. `metrics`: where each call's durations and outcome go
        (`OpenTelemetryMetrics`, or your own `Metrics`); none are kept where left out.
        """
        self._credentials = credentials or CredentialProvider.local()
        self._configuration = configuration or Configurations.Laptop.latest()
        self._default_ttl = ttl_to_ms(default_ttl)
        self._default_ttl_field = codec.encode_ttl(self._default_ttl)
        self._headers = to_headers(headers)
        self._metrics = metrics
        # One for each event loop, since connections belong to one.
        self._runners: dict[asyncio.AbstractEventLoop, CallRunner] = {}
        # Runs a call: a runner's own method once there is a runner. One of another loop comes back to `_run_first`.
        self._run: Callable[..., Coroutine[Any, Any, Any]] = self._run_first
        self._closed = False
        # Names of caches that were found right: text → the same, as `str` itself. Bounded.
        self._names: dict[Any, str] = {}
        # Loads under way by `get_or_set`, by cache and key: all handles of this client share them.
        self.flights: SingleFlight[tuple[str, bytes], bytes] = SingleFlight()
        # Caches and errors that `get_or_set` has told of.
        self.said: set[tuple[str, ErrorCode]] = set()
        forks.tell(self)

    def _started(self) -> CallRunner:
        """The runner of the event loop that runs now, made by its first call. Raises RuntimeError where none runs."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            why = "no event loop runs here; after a fork within one, the child starts its own (asyncio.run)"
            raise RuntimeError(why) from None
        runner = self._runners.get(loop)
        if runner is None:
            for ended in [each for each in self._runners if each.is_closed()]:
                del self._runners[ended]
            self.flights.forget_closed_loops()
            configuration = self._configuration
            runner = CallRunner(
                self._credentials, configuration, loop, self._headers, self._metrics, elsewhere=self._run_first
            )
            self._runners[loop] = runner
        self._run = runner.run
        return runner

    async def _run_first(
        self,
        operation: op.Operation[Any],
        cache: str,
        payload: bytes,
        timeout_s: float | None = None,
        attempts: int = 0,
    ) -> Any:
        if self._closed:
            return r.Error(ErrorCode.CANCELLED, f"{operation.name}: the client is closed")
        return await self._started().run(operation, cache, payload, timeout_s, attempts)

    async def run(
        self, operation: op.Operation[Any], cache: str, payload: bytes, timeout_s: float | None = None
    ) -> Any:
        """Run a call for a blocking client, whose arguments were checked."""
        return await self._run(operation, cache, payload, timeout_s)

    async def run_each(
        self, operation: op.Operation[Any], cache: str, payloads: list[bytes], timeout_s: float | None = None
    ) -> list[Any]:
        """Run a call for each payload, all at once: one round trip, as far as the cap lets them."""
        answers: list[Any] = []
        for first in range(0, len(payloads), _AT_ONCE):
            part = payloads[first : first + _AT_ONCE]
            answers += await asyncio.gather(*(self._run(operation, cache, each, timeout_s) for each in part))
        return answers

    async def resume(self, *arguments: Any) -> Any:
        """As CallRunner.resume, for a blocking client."""
        return await self._started().resume(*arguments)

    def after_fork(self) -> None:
        """Begin anew, in a forked child (forks.Forked)."""
        forks.keep(self._runners)
        self._runners = {}
        self._run = self._run_first
        self.flights.forget()

    def _name(self, cache: str) -> str:
        """Return a cache's name, remembered once checked. Raises TypeError or Refusal."""
        name = to_name(cache)
        if len(self._names) >= _MOST_NAMES:
            self._names.clear()
        self._names[name] = name
        return name

    def _ttl(self, ttl: Ttl | None) -> int:
        return self._default_ttl if ttl is None else to_ttl_ms(ttl)

    async def _by_key(self, operation: op.Operation[Any], cache: str, key: Key, timeout_s: float | None) -> Any:
        try:
            name = self._names.get(cache) or self._name(cache)
            payload = codec.encode_key(to_key(key))
        except Refusal as refusal:
            return refusal.error
        return await self._run(operation, name, payload, timeout_s)

    async def _control(self, operation: op.Operation[Any], cache: str, timeout_s: float | None) -> Any:
        """Send a request whose one field is the cache's name."""
        try:
            name = self._names.get(cache) or self._name(cache)
        except Refusal as refusal:
            return refusal.error
        return await self._run(operation, "", codec.encode_key(name.encode()), timeout_s)

    async def _send(
        self, operation: op.Operation[Any], cache: str, make: Callable[[], bytes], timeout_s: float | None
    ) -> Any:
        """Send the request that `make` makes. A Refusal within it is the answer."""
        try:
            name = self._names.get(cache) or self._name(cache)
            payload = make()
        except Refusal as refusal:
            return refusal.error
        return await self._run(operation, name, payload, timeout_s)


async def answered(response: R) -> R:
    """A call that is answered without being sent."""
    return response


def is_coroutine_function(function: F) -> F:
    """Mark a function that returns a coroutine as what `async def` makes, for mocks and frameworks that ask."""
    mark = getattr(inspect, "markcoroutinefunction", None)
    if mark is not None:
        mark(function)
    else:
        # Python 3.11 has only the mark of asyncio's own `iscoroutinefunction`, which unittest.mock asks.
        setattr(function, "_is_coroutine", getattr(asyncio.coroutines, "_is_coroutine", None))
    return function
