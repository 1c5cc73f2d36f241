"""The fake server that tests create."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from larder_cache import responses as r
from larder_cache import sync
from larder_cache._internal.calls.observers import Observers
from larder_cache._internal.client.calls import Calls
from larder_cache._internal.common import forks
from larder_cache._internal.operations._generated import operations as op
from larder_cache._internal.operations._generated.messages import control, pubsub
from larder_cache._internal.operations.arguments import MOST_BYTES
from larder_cache._internal.operations.operation import Operation
from larder_cache._internal.testing.caches import Caches
from larder_cache._internal.testing.clock import Clock
from larder_cache._internal.testing.fake_calls import FakeCalls
from larder_cache._internal.testing.faults import Fault, Faults
from larder_cache._internal.testing.refused import Refused, too_large
from larder_cache._internal.testing.rpcs import Rpcs
from larder_cache._internal.testing.rules import TtlRule
from larder_cache._internal.testing.topics import Topics
from larder_cache._internal.topics.topic_buffer import TopicBuffer
from larder_cache._internal.topics.topic_messages import Wanted
from larder_cache.client import CacheClient
from larder_cache.configuration import Configuration
from larder_cache.credential_provider import CredentialProvider
from larder_cache.errors import ErrorCode
from larder_cache.ttl import Ttl, ttl_to_ms


class FakeServer:
    """An in-memory server for tests. `fake.client()` and `fake.sync_client()` return real clients of this server.

    The clients run their real code. The fake replaces the network and the server. It follows protocol/spec and passes
    the vectors of the specification. All clients of a fake share its items, on any threads and event loops. The time of
    a fake only changes when `advance` is called. A fake does not need to be closed.
    """

    def __init__(
        self,
        *,
        caches: Iterable[str] = ("cache",),
        max_ttl: Ttl = timedelta(hours=24),
        max_topics: int = 10_000,
        max_topic_subscribers: int = 10_000,
    ) -> None:
        """Create a fake server.

        Args:
            caches: The names of the initial caches.
            max_ttl: The maximum time to live. See the server option `--max-ttl`.
            max_topics: The maximum number of topics of a cache. See the server option `--max-topics`.
            max_topic_subscribers: The maximum number of subscribers of a topic. See the server option
                `--max-topic-subscribers`.

        Raises:
            TypeError: An argument has a wrong type.
            ValueError: The value of an argument is invalid.
        """
        self._lock = threading.RLock()
        self._clock = Clock()
        self._faults = Faults()
        self._received: Counter[str] = Counter()
        self._caches = Caches(self._clock, TtlRule(ttl_to_ms(max_ttl)))
        self._rpcs = Rpcs(self._caches)
        limits = _limit("max_topics", max_topics), _limit("max_topic_subscribers", max_topic_subscribers)
        self._topics = Topics(self._clock, self._lock, *limits)
        if isinstance(caches, str):
            raise TypeError("caches must be an iterable of names, not a single str")
        for name in caches:
            if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise TypeError(f"a cache name must be str, not {type(name).__name__}")
            try:
                self._caches.create(control.CreateCacheRequest(name=name))
            except Refused as refused:
                raise ValueError(refused.message) from None
        forks.tell(self)

    def client(self, *, default_ttl: Ttl = 60, configuration: Configuration | None = None) -> CacheClient:
        """Return an asyncio client.

        Settings that concern sending have no effect, and there is no near cache.
        """
        return CacheClient(default_ttl=default_ttl, configuration=configuration, calls=self.calls)

    def sync_client(self, *, default_ttl: Ttl = 60, configuration: Configuration | None = None) -> sync.CacheClient:
        """Return a blocking client. See `client`."""
        return sync.CacheClient(default_ttl=default_ttl, configuration=configuration, calls=self.blocking_calls)

    def calls(self, credentials: CredentialProvider, configuration: Configuration, _: Observers | None) -> Calls:
        """Create the calls of a client.

        Pass this method to a client that the test creates itself: `CacheClient(…, calls=fake.calls)`.
        """
        return FakeCalls(self, credentials, configuration, blocks=False)

    def blocking_calls(
        self, credentials: CredentialProvider, configuration: Configuration, _: Observers | None
    ) -> Calls:
        """Create the calls of a blocking client. Pass this method to a larder_cache.sync.CacheClient. See `calls`."""
        return FakeCalls(self, credentials, configuration, blocks=True)

    def advance(self, seconds: float | timedelta) -> None:
        """Advance the time of the fake.

        Items expire if their time to live has passed. A subscription without a message for a second gets a heartbeat.

        Raises:
            TypeError: The argument is neither a number of seconds nor a timedelta.
            ValueError: The argument is not between 0 and a hundred years.
        """
        with self._lock:
            self._clock.advance(seconds)
            self._topics.advanced()

    def fail(
        self,
        code: ErrorCode,
        operation: str | None = None,
        *,
        times: int | None = 1,
        cause: str | None = None,
        ran: bool = False,
    ) -> None:
        """Make the next call fail with this code. By default the call is not executed.

        Args:
            code: The code of the error.
            operation: Limits the failure to one operation: "get", "set_if" (all conditional sets), "get_batch",
                "subscribe", … An unknown name raises ValueError. Its message lists all names.
            times: The number of calls that fail. With None all calls fail until `clear_faults` is called.
            cause: The cause of the error.
            ran: Whether to execute the call and then return the error, as if the response was lost.
        """
        with self._lock:
            self._faults.order(code, operation, times, cause, ran)

    def clear_faults(self) -> None:
        """Remove all failures that were added with `fail`."""
        with self._lock:
            self._faults.clear()

    @property
    def received(self) -> Counter[str]:
        """The number of received calls for each operation, including failed calls. Each access returns a copy."""
        with self._lock:
            return Counter(self._received)

    # The following methods implement fake_calls.Answering for the clients' calls.

    def answer(self, operation: Operation[Any], cache: str, payload: bytes) -> Any:
        """Run a call. Returns its response or an Error."""
        with self._lock:
            fault = self._came(operation.name)
            if fault is not None and not fault.ran:
                return _injected(fault, operation.name, cache)
            try:
                answer = self._run(operation, cache, payload)
            except Refused as refused:
                return _error(refused, operation.name, cache)
            return operation.read(payload, answer) if fault is None else _injected(fault, operation.name, cache)

    def follow(self, wanted: Wanted, buffer: TopicBuffer, loop: asyncio.AbstractEventLoop) -> r.Error | None:
        """Start a subscription. Returns an Error if it fails."""
        subject = f"subscribe to {wanted.topic!r:.80}"
        with self._lock:
            fault = self._came("subscribe")
            if fault is not None:
                return _injected(fault, subject, wanted.cache)
            try:
                self._caches.of(wanted.cache)
                self._topics.follow(wanted, buffer, loop)
            except Refused as refused:
                return _error(refused, subject, wanted.cache)
            return None

    def end(self, buffers: set[TopicBuffer]) -> None:
        """End the subscriptions with these buffers. The consumers get no error."""
        with self._lock:
            self._topics.end(lambda _, buffer: buffer in buffers, None)

    def after_fork(self) -> None:
        """Reset the locks in a forked child process (forks.Forked). The child has a copy of the data.

        A thread of the parent may have held a lock during the fork.
        """
        self._lock = threading.RLock()
        self._topics.after_fork(self._lock)

    def _came(self, name: str) -> Fault | None:
        self._received[name] += 1
        return self._faults.take(name)

    def _run(self, operation: Operation[Any], cache: str, payload: bytes) -> bytes:
        if len(payload) > MOST_BYTES:
            raise too_large(f"the request has {len(payload)} bytes; at most {MOST_BYTES} are allowed")
        if operation is op.PUBLISH:
            request = pubsub.PublishRequest.FromString(payload)
            self._caches.of(request.cache_name)
            return self._topics.publish(request).SerializeToString()
        answer = self._rpcs.answer(operation.path, cache, payload)
        if operation is op.DELETE_CACHE:
            self._topics.forget(control.DeleteCacheRequest.FromString(payload).name)
        return answer


def _limit(name: str, given: Any) -> int:
    if not isinstance(given, int) or isinstance(given, bool):
        raise TypeError(f"{name} must be an integer, not {type(given).__name__}")
    if not 1 <= given <= 1_000_000:
        raise ValueError(f"{name} must be from 1 to 1,000,000, not {given!r:.40}")
    return given


def _error(refused: Refused, operation: str, cache: str) -> r.Error:
    return r.Error(refused.code, f"{_subject(operation, cache)}: {refused.message}", refused.cause)


def _injected(fault: Fault, operation: str, cache: str) -> r.Error:
    message = f"{_subject(operation, cache)}: the test injected {fault.code.value} into the fake server"
    error = r.Error(fault.code, message, fault.cause)
    # Servers normally return this code for a call that they do not support.
    error.is_unsupported = fault.code is ErrorCode.UNKNOWN
    return error


def _subject(operation: str, cache: str) -> str:
    """Return the beginning of an error message, as in error_texts.error_of."""
    return f"{operation} in cache {cache!r}" if cache else operation
