"""`CacheClient`: every operation, by cache name and key."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, Union, cast

from larder_cache import operations as op
from larder_cache import pipeline_codec as codec
from larder_cache import responses as r
from larder_cache._proto import cache_pb2 as pb
from larder_cache._proto import control_pb2
from larder_cache.call_runner import CallRunner
from larder_cache.configuration import Configuration
from larder_cache.configurations import Configurations
from larder_cache.credential_provider import CredentialProvider
from larder_cache.errors import CacheError, ErrorCode
from larder_cache.statistics import ClientStatistics
from larder_cache.ttl import Ttl, ttl_to_ms

if TYPE_CHECKING:
    from larder_cache.bound_cache import BoundCache

# Text is sent as UTF-8.
Key = Union[str, bytes]
Value = Union[str, bytes]

# A key, its value, and its own time to live where it has one.
BatchItem = Union[tuple[Key, Value], tuple[Key, Value, Union[Ttl, None]]]

_EMPTY = pb.Empty()


class CacheClient:
    """A client of one server, for one event loop. Use it as `async with`, or call `aclose()`.

    Keys and values are bytes, or text that is sent as UTF-8. Calls answer responses made for `match`, and never raise
    for what a server, a network or an argument's value does; TypeError where an argument is no key or value at all.
    Each takes `timeout_s`: its own deadline in place of the configuration's.
    """

    def __init__(
        self,
        credentials: CredentialProvider | None = None,
        *,
        default_ttl: Ttl,
        configuration: Configuration | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Settings only; nothing connects before the client is entered or first used.

        `credentials`: a local server where left out. `default_ttl`: for sets that give none; seconds or a timedelta,
        above 0 and at most 24 hours, else ValueError. `configuration`: `Configurations.Laptop` where left out.
        `headers`: metadata sent beside each unary call.
        """
        self._credentials = credentials or CredentialProvider.local()
        self._configuration = configuration or Configurations.Laptop.latest()
        self._default_ttl = ttl_to_ms(default_ttl)
        self._default_ttl_field = codec.encode_ttl(self._default_ttl)
        self._headers = dict(headers or {})
        self._runner: CallRunner | None = None
        self._closed = False

    # The client itself.

    async def __aenter__(self) -> Self:
        timeout_s = self._configuration.eager_connect_timeout_s
        if timeout_s is not None and not await self.connect(timeout_s=timeout_s):
            await self.aclose()
            endpoint = self._credentials.endpoint
            raise CacheError(ErrorCode.UNAVAILABLE, f"no connection to {endpoint} within {timeout_s:g} s")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def connect(self, *, timeout_s: float = 10.0) -> bool:
        """Connect before the first call. False: not within the time; calls will go on trying."""
        return await self._started().connect(timeout_s)

    async def aclose(self) -> None:
        """End the calls in flight with CANCELLED and close the connections. Calling it again does nothing."""
        if not self._closed:
            self._closed = True
            if self._runner is not None:
                await self._runner.aclose()

    @property
    def configuration(self) -> Configuration:
        """The settings in effect."""
        return self._configuration

    def cache(self, name: str) -> BoundCache:
        """Return a handle on one cache, with the ecosystem's short names; its calls return plain values."""
        from larder_cache.bound_cache import BoundCache

        return BoundCache(self, name)

    def statistics(self) -> ClientStatistics:
        """What the client holds now."""
        runner = self._started()
        limiter = runner.limiter if runner.pipelined else runner.unary_limiter
        return ClientStatistics(
            in_flight=runner.limiter.in_flight + runner.unary_limiter.in_flight,
            in_flight_limit=limiter.limit,
            queued=runner.limiter.queued + runner.unary_limiter.queued,
            connections=runner.connections,
            pipelined=runner.pipelined,
        )

    # Scalars.

    async def get(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.GetResponse:
        """Get a value: Hit, or Miss."""
        if (key_bytes := _bytes(key)) and cache and not cache.isspace():
            return await self._started().run(op.GET, cache, codec.encode_key(key_bytes), timeout_s)
        return _refused(cache)

    async def set(
        self, cache: str, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetResponse:
        """Store a value for `ttl` (the default time to live where left out)."""
        value_bytes = _bytes(value)
        if not (key_bytes := _bytes(key)) or not cache or cache.isspace():
            return _refused(cache)
        if ttl is None:
            ttl_field = self._default_ttl_field
        elif isinstance(ttl_ms := _ttl_ms(ttl), int):
            ttl_field = codec.encode_ttl(ttl_ms)
        else:
            return ttl_ms
        return await self._started().run(op.SET, cache, codec.encode_set(key_bytes, value_bytes, ttl_field), timeout_s)

    async def delete(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.DeleteResponse:
        """Remove an item; the same answer whether or not it was there."""
        return await self._by_key(op.DELETE, cache, key, timeout_s)

    async def increment(
        self, cache: str, key: Key, amount: int = 1, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.IncrementResponse:
        """Add to a counter (a signed 64-bit integer, kept as base-10 text), created as 0 where missing."""
        if not -(2**63) <= amount < 2**63:
            return _invalid(f"an amount is a signed 64-bit integer, not {amount}")
        if isinstance(ttl_ms := self._ttl(ttl), r.Error):
            return ttl_ms
        request = pb.IncrementRequest(key=_bytes(key), amount=amount, ttl_ms=ttl_ms)
        return await self._send(op.INCREMENT, cache, request, request.key, timeout_s)

    # Existence, type and time to live.

    async def key_exists(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.KeyExistsResponse:
        """Whether a key is there."""
        answer = await self.keys_exist(cache, [key], timeout_s=timeout_s)
        return answer if isinstance(answer, r.Error) else r.Exists(answer.exists[0])

    async def keys_exist(
        self, cache: str, keys: Iterable[Key], *, timeout_s: float | None = None
    ) -> r.KeysExistResponse:
        """Whether each of the keys is there, in their order."""
        key_bytes = [_bytes(key) for key in keys]
        return await self._send(
            op.KEYS_EXIST, cache, pb.KeysExistRequest(keys=key_bytes), b"" not in key_bytes, timeout_s
        )

    async def item_get_ttl(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.ItemGetTtlResponse:
        """The time an item has left."""
        return await self._by_key(op.ITEM_GET_TTL, cache, key, timeout_s)

    async def item_get_type(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.ItemGetTypeResponse:
        """The type of an item."""
        return await self._by_key(op.ITEM_GET_TYPE, cache, key, timeout_s)

    async def update_ttl(
        self, cache: str, key: Key, ttl: Ttl, *, timeout_s: float | None = None
    ) -> r.UpdateTtlResponse:
        """Give an item another time to live, whatever it has left."""
        return await self._update_ttl(cache, key, "overwrite_to_ms", ttl, timeout_s)

    async def increase_ttl(
        self, cache: str, key: Key, ttl: Ttl, *, timeout_s: float | None = None
    ) -> r.UpdateTtlResponse:
        """Give an item a longer time to live; TtlNotSet where it has as much left."""
        return await self._update_ttl(cache, key, "increase_to_ms", ttl, timeout_s)

    async def decrease_ttl(
        self, cache: str, key: Key, ttl: Ttl, *, timeout_s: float | None = None
    ) -> r.UpdateTtlResponse:
        """Give an item a shorter time to live; TtlNotSet where it has less left."""
        return await self._update_ttl(cache, key, "decrease_to_ms", ttl, timeout_s)

    # Batches.

    async def get_batch(self, cache: str, keys: Iterable[Key], *, timeout_s: float | None = None) -> r.GetBatchResponse:
        """Get many values in one call, in the keys' order."""
        key_bytes = [_bytes(key) for key in keys]
        if b"" in key_bytes or not cache.strip():
            return _refused(cache)
        payload = codec.encode_items([codec.encode_key(key) for key in key_bytes])
        return await self._started().run(op.GET_BATCH, cache, payload, timeout_s)

    async def set_batch(
        self,
        cache: str,
        items: Mapping[str, Value] | Mapping[bytes, Value] | Iterable[BatchItem],
        *,
        ttl: Ttl | None = None,
        timeout_s: float | None = None,
    ) -> r.SetBatchResponse:
        """Set many values in one call: a mapping, or (key, value) or (key, value, ttl) tuples."""
        requests: list[bytes] = []
        for item in _items(items):
            key, value = item[0], item[1]
            own = item[2] if len(item) == 3 else None
            ttl_ms = self._ttl(ttl if own is None else own)
            if isinstance(ttl_ms, r.Error):
                return ttl_ms
            if not (key_bytes := _bytes(key)):
                return _refused(cache)
            requests.append(codec.encode_set(key_bytes, _bytes(value), codec.encode_ttl(ttl_ms)))
        if not cache.strip():
            return _refused(cache)
        return await self._started().run(op.SET_BATCH, cache, codec.encode_items(requests), timeout_s)

    # Conditional sets.

    async def set_if_absent(
        self, cache: str, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfResponse:
        """Set where the key is missing."""
        return await self._set_if(cache, key, value, ttl, timeout_s, absent=_EMPTY)

    async def set_if_present(
        self, cache: str, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfResponse:
        """Set where the key is there."""
        return await self._set_if(cache, key, value, ttl, timeout_s, present=_EMPTY)

    async def set_if_equal(
        self,
        cache: str,
        key: Key,
        value: Value,
        equal: Value,
        *,
        ttl: Ttl | None = None,
        timeout_s: float | None = None,
    ) -> r.SetIfResponse:
        """Set where the key holds exactly `equal`."""
        return await self._set_if(cache, key, value, ttl, timeout_s, equal=_comparand(equal))

    async def set_if_not_equal(
        self,
        cache: str,
        key: Key,
        value: Value,
        equal: Value,
        *,
        ttl: Ttl | None = None,
        timeout_s: float | None = None,
    ) -> r.SetIfResponse:
        """Set where the key is missing, or holds something else than `equal`."""
        return await self._set_if(cache, key, value, ttl, timeout_s, not_equal=_comparand(equal))

    async def set_if_present_and_not_equal(
        self,
        cache: str,
        key: Key,
        value: Value,
        equal: Value,
        *,
        ttl: Ttl | None = None,
        timeout_s: float | None = None,
    ) -> r.SetIfResponse:
        """Set where the key is there and holds something else than `equal`."""
        return await self._set_if(cache, key, value, ttl, timeout_s, present_and_not_equal=_comparand(equal))

    async def set_if_absent_or_equal(
        self,
        cache: str,
        key: Key,
        value: Value,
        equal: Value,
        *,
        ttl: Ttl | None = None,
        timeout_s: float | None = None,
    ) -> r.SetIfResponse:
        """Set where the key is missing, or holds exactly `equal`."""
        return await self._set_if(cache, key, value, ttl, timeout_s, absent_or_equal=_comparand(equal))

    # Sets by hash.

    async def get_with_hash(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.GetWithHashResponse:
        """Get a value and its hash, an opaque token for the sets below."""
        return await self._by_key(op.GET_WITH_HASH, cache, key, timeout_s)

    async def set_with_hash(
        self, cache: str, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Set whatever is there, and answer the new value's hash."""
        return await self._set_if_hash(cache, key, value, ttl, timeout_s, unconditional=_EMPTY)

    async def set_if_present_and_hash_equal(
        self, cache: str, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Set where the key's value has the hash."""
        condition = pb.HashComparand(hash=hash)
        return await self._set_if_hash(cache, key, value, ttl, timeout_s, present_and_hash_equal=condition)

    async def set_if_present_and_not_hash_equal(
        self, cache: str, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Set where the key is there and its value has another hash."""
        condition = pb.HashComparand(hash=hash)
        return await self._set_if_hash(cache, key, value, ttl, timeout_s, present_and_not_hash_equal=condition)

    async def set_if_absent_or_hash_equal(
        self, cache: str, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Set where the key is missing or its value has the hash."""
        condition = pb.HashComparand(hash=hash)
        return await self._set_if_hash(cache, key, value, ttl, timeout_s, absent_or_hash_equal=condition)

    async def set_if_absent_or_not_hash_equal(
        self, cache: str, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Set where the key is missing or its value has another hash."""
        condition = pb.HashComparand(hash=hash)
        return await self._set_if_hash(cache, key, value, ttl, timeout_s, absent_or_not_hash_equal=condition)

    # Control.

    async def ping(self, *, timeout_s: float | None = None) -> r.ControlResponse:
        """Ask the server to answer."""
        return await self._started().run(op.PING, "", b"", timeout_s)

    async def create_cache(self, cache: str, *, timeout_s: float | None = None) -> r.ControlResponse:
        """Make a cache; ALREADY_EXISTS where it is there."""
        return await self._control(op.CREATE_CACHE, cache, timeout_s)

    async def delete_cache(self, cache: str, *, timeout_s: float | None = None) -> r.ControlResponse:
        """Drop a cache with its items; NOT_FOUND where there is none."""
        return await self._control(op.DELETE_CACHE, cache, timeout_s)

    async def flush_cache(self, cache: str, *, timeout_s: float | None = None) -> r.ControlResponse:
        """Empty a cache; NOT_FOUND where there is none."""
        return await self._control(op.FLUSH_CACHE, cache, timeout_s)

    async def list_caches(self, *, timeout_s: float | None = None) -> r.ListCachesResponse:
        """The names of the caches."""
        return await self._started().run(op.LIST_CACHES, "", b"", timeout_s)

    # What the calls share.

    def _started(self) -> CallRunner:
        """The runner, made on the first call: it belongs to the event loop that runs then."""
        runner = self._runner
        if runner is None:
            if self._closed:
                raise RuntimeError("the client is closed")
            loop = asyncio.get_running_loop()
            runner = self._runner = CallRunner(self._credentials, self._configuration, loop, self._headers)
        return runner

    def _ttl(self, ttl: Ttl | None) -> int | r.Error:
        return self._default_ttl if ttl is None else _ttl_ms(ttl)

    async def _by_key(self, operation: op.Operation[Any], cache: str, key: Key, timeout_s: float | None) -> Any:
        if not (key_bytes := _bytes(key)) or not cache or cache.isspace():
            return _refused(cache)
        return await self._started().run(operation, cache, codec.encode_key(key_bytes), timeout_s)

    async def _send(
        self, operation: op.Operation[Any], cache: str, request: Any, key_given: object, timeout_s: float | None
    ) -> Any:
        if not key_given or not cache.strip():
            return _refused(cache)
        return await self._started().run(operation, cache, request.SerializeToString(), timeout_s)

    async def _update_ttl(self, cache: str, key: Key, change: str, ttl: Ttl, timeout_s: float | None) -> Any:
        if isinstance(ttl_ms := _ttl_ms(ttl), r.Error):
            return ttl_ms
        request = pb.UpdateTtlRequest(key=_bytes(key), **{change: ttl_ms})
        return await self._send(op.UPDATE_TTL, cache, request, request.key, timeout_s)

    async def _set_if(
        self, cache: str, key: Key, value: Value, ttl: Ttl | None, timeout_s: float | None, **condition: Any
    ) -> Any:
        if isinstance(ttl_ms := self._ttl(ttl), r.Error):
            return ttl_ms
        request = pb.SetIfRequest(key=_bytes(key), value=_bytes(value), ttl_ms=ttl_ms, **condition)
        return await self._send(op.SET_IF, cache, request, request.key, timeout_s)

    async def _set_if_hash(
        self, cache: str, key: Key, value: Value, ttl: Ttl | None, timeout_s: float | None, **condition: Any
    ) -> Any:
        if isinstance(ttl_ms := self._ttl(ttl), r.Error):
            return ttl_ms
        request = pb.SetIfHashRequest(key=_bytes(key), value=_bytes(value), ttl_ms=ttl_ms, **condition)
        return await self._send(op.SET_IF_HASH, cache, request, request.key, timeout_s)

    async def _control(self, operation: op.Operation[r.Success], cache: str, timeout_s: float | None) -> Any:
        if not cache.strip():
            return _refused(cache)
        # The three requests have the same shape: field 1, the name.
        request = control_pb2.CreateCacheRequest(name=cache)
        return await self._started().run(operation, "", request.SerializeToString(), timeout_s)


def _items(items: Mapping[str, Value] | Mapping[bytes, Value] | Iterable[BatchItem]) -> Iterable[BatchItem]:
    return cast(Iterable[BatchItem], items.items()) if isinstance(items, Mapping) else items


def _bytes(data: Any) -> bytes:
    if data.__class__ is bytes:
        return data
    if isinstance(data, str):
        return data.encode()
    if isinstance(data, (bytes, bytearray, memoryview)):
        return bytes(cast(bytes, data))
    raise TypeError(f"keys and values are text or bytes, not {type(data).__name__}")


def _ttl_ms(ttl: Ttl) -> int | r.Error:
    try:
        return ttl_to_ms(ttl)
    except ValueError as error:
        return _invalid(str(error))


def _comparand(value: Value) -> pb.Comparand:
    return pb.Comparand(value=_bytes(value))


def _invalid(message: str) -> r.Error:
    return r.Error(ErrorCode.INVALID_ARGUMENT, message)


def _refused(cache: str) -> r.Error:
    return _invalid("a key has at least one byte" if cache.strip() else "a cache name is not empty or blank")
