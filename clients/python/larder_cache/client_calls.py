"""What every call of a client shares: its runner, its defaults, the shapes of simple requests."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar

from larder_cache import operations as op
from larder_cache import pipeline_codec as codec
from larder_cache import responses as r
from larder_cache.arguments import Key, refused, to_bytes, to_ttl_ms
from larder_cache.call_runner import CallRunner
from larder_cache.configuration import Configuration
from larder_cache.configurations import Configurations
from larder_cache.credential_provider import CredentialProvider
from larder_cache.single_flight import SingleFlight
from larder_cache.telemetry import Metrics
from larder_cache.ttl import Ttl, ttl_to_ms

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
        above 0 and at most 24 hours, else ValueError. `configuration`: `Configurations.Laptop` where left out.
        `headers`: metadata sent beside each unary call. `metrics`: where each call's durations and outcome go
        (`OpenTelemetryMetrics`, or your own `Metrics`); none are kept where left out.
        """
        self._credentials = credentials or CredentialProvider.local()
        self._configuration = configuration or Configurations.Laptop.latest()
        self._default_ttl = ttl_to_ms(default_ttl)
        self._default_ttl_field = codec.encode_ttl(self._default_ttl)
        self._headers = dict(headers or {})
        self._metrics = metrics
        self._runner: CallRunner | None = None
        # Runs a call: the runner's own method once there is a runner.
        self._run: Callable[..., Coroutine[Any, Any, Any]] = self._run_first
        self._closed = False
        # Loads under way by `get_or_set`, by cache and key: all handles of this client share them.
        self.flights: SingleFlight[tuple[str, bytes], bytes] = SingleFlight()

    def _started(self) -> CallRunner:
        """The runner, made on the first call: it belongs to the event loop that runs then."""
        runner = self._runner
        if runner is None:
            if self._closed:
                raise RuntimeError("the client is closed")
            loop = asyncio.get_running_loop()
            runner = self._runner = CallRunner(
                self._credentials, self._configuration, loop, self._headers, self._metrics
            )
            self._run = runner.run
        return runner

    async def _run_first(
        self, operation: op.Operation[Any], cache: str, payload: bytes, timeout_s: float | None = None
    ) -> Any:
        return await self._started().run(operation, cache, payload, timeout_s)

    def _ttl(self, ttl: Ttl | None) -> int | r.Error:
        return self._default_ttl if ttl is None else to_ttl_ms(ttl)

    async def _by_key(self, operation: op.Operation[Any], cache: str, key: Key, timeout_s: float | None) -> Any:
        if not (key_bytes := to_bytes(key)) or not cache or cache.isspace():
            return refused(cache)
        return await self._run(operation, cache, codec.encode_key(key_bytes), timeout_s)

    async def _send(
        self, operation: op.Operation[Any], cache: str, request: Any, key_given: object, timeout_s: float | None
    ) -> Any:
        if not key_given or not cache.strip():
            return refused(cache)
        return await self._run(operation, cache, request.SerializeToString(), timeout_s)


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
