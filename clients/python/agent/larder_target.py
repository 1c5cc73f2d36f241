"""Larder's client as a target of the agent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

from agent import lists
from agent.calls import CONTROL, DATA, answer_of
from agent.fields import data, shown, timeout, ttl
from agent.get_or_set import GetOrSet
from agent.near_operations import NearOperations
from agent.scans import scan_items, scan_keys, scanned
from agent.settings import configuration_of, told
from agent.target import DONE, HIT, MISS, AgentError, Unsupported
from agent.topics import Topics
from larder_cache import CacheClient, CacheError, CacheResults, CredentialProvider
from larder_cache import responses as r
from larder_cache._internal.calls.loop_calls import LoopCalls
from larder_cache._internal.client.calls import CallsMaker
from larder_cache._internal.telemetry.telemetry import WIRE_DURATION

# Fields of `open` that change the configuration. `eagerConnect` is handled by the agent.
_SETTINGS = ("transport", "requestTimeoutMs", "adaptiveTargetMs", "queueLimit", "channels", "maxRetries", "headers")
_SIMPLE: dict[type[Any], dict[str, Any]] = {
    r.Miss: {"result": "miss"},
    r.Success: {"result": "success"},
    r.Stored: {"result": "stored"},
    r.NotStored: {"result": "notStored"},
    r.Missing: {"result": "missing"},
}


class WireMetrics:
    """Reports the time from the permit to the end of each call, in seconds, to the running load."""

    def __init__(self) -> None:
        self.observer: Callable[[float], None] | None = None

    def record(self, name: str, seconds: float, attributes: Mapping[str, str]) -> None:
        if name == WIRE_DURATION and self.observer is not None:
            self.observer(seconds)

    def add(self, name: str, count: int, attributes: Mapping[str, str]) -> None:
        pass

    def watch(self, name: str, read: Callable[[], int | None]) -> None:
        pass


class LarderTarget:
    """A `CacheClient`, and the cache for operations that do not name a cache."""

    def __init__(self, request: dict[str, Any], calls: CallsMaker = LoopCalls) -> None:
        settings = {name: request[name] for name in _SETTINGS if request.get(name) is not None}
        if "maxInFlight" in request:
            settings |= {"maxInFlightUnary": request["maxInFlight"], "maxInFlightPipeline": request["maxInFlight"]}
        if request.get("nearCacheBytes"):
            settings["nearCache"] = {"maxBytes": request["nearCacheBytes"]}
        self._configuration = configuration_of(request, settings)
        ca = request.get("caFile")
        endpoint: str = request["endpoint"]
        if "," in endpoint:
            credentials = CredentialProvider.from_string(
                ",".join(f"http://{gateway}" for gateway in endpoint.split(","))
            )
        else:
            credentials = CredentialProvider(
                endpoint=endpoint,
                token=request.get("token") or "",
                tls=bool(request.get("tls")),
                root_certificates=Path(ca).read_bytes() if ca else None,
            )
        # By default, the client has no metrics.
        self._wire = WireMetrics() if request.get("wire") else None
        self._cache: str = request.get("cache", "cache")
        self.client = CacheClient(
            credentials,
            default_ttl=timedelta(milliseconds=request.get("defaultTtlMs", 60_000)),
            configuration=self._configuration,
            metrics=self._wire,
            calls=calls,
        )
        self._near = NearOperations(self.client, has_near_cache=self._configuration.near_cache is not None)
        self._results = self.client.cache(self._cache).results
        self._data = DATA | _by_hand()
        self._control: dict[str, Callable[[CacheClient, str, dict[str, Any]], Awaitable[Any]]] = {
            **CONTROL,
            "listCaches": lambda client, _, q: client.list_caches(timeout_s=timeout(q)),
            "near": lambda _, name, q: self._near.run(name, q),
            "nearAct": lambda _, name, q: self._near.act(name, q),
            "nearHits": lambda _, name, q: self._near.hits(name, q),
        }

    async def connect(self) -> dict[str, Any] | None:
        if not await self.client.connect(timeout_s=10):
            error = {"code": "Unavailable", "message": "no connection within 10 s", "cause": None}
            return {"result": "error", "error": error}
        return None

    def described(self) -> dict[str, Any]:
        now, target = self.client.statistics(), told(self._configuration)["adaptiveTargetMs"]
        limit = now.in_flight_limit
        return {
            "version": "0.1.0",
            "transport": "pipeline" if now.pipelined else "unary",
            "maxInFlight": "off" if limit is None else limit,
            "adaptiveTargetMs": None if target == "off" else target,
            "channels": self._configuration.channels,
        }

    def statistics(self) -> dict[str, Any]:
        now = self.client.statistics()
        limit = "off" if now.in_flight_limit is None else now.in_flight_limit
        return {
            "inFlight": now.in_flight,
            "inFlightLimit": limit,
            "queued": now.queued,
            "targetOutOfReach": now.target_out_of_reach,
            "connections": now.connections,
            "near": self._near.figures(),
        }

    async def operate(self, request: dict[str, Any]) -> dict[str, Any]:
        name = request.get("cache", self._cache)
        if (control := self._control.get(request["op"])) is not None:
            try:
                return _answer(await control(self.client, name, request) or r.SUCCESS)
            except CacheError as error:
                return _answer(r.Error(error.code, error.message, error.cause))
        operation = self._data.get(request["op"])
        if operation is None:
            raise AgentError(f"unknown operation {request['op']}")
        cache = self.client.cache(name).results.with_timeout(timeout(request))
        return _answer(await operation(cache, request))

    def get(self, key: bytes) -> Awaitable[Any]:
        return self._results.get(key)

    def set(self, key: bytes, value: bytes, ttl_ms: int) -> Awaitable[Any]:
        seconds, rest = divmod(ttl_ms, 1_000)
        return self._results.set(key, value, ttl=seconds if rest == 0 else ttl_ms / 1_000)

    def observe(self, observer: Callable[[float], None] | None) -> None:
        if self._wire is not None:
            self._wire.observer = observer

    def outcome(self, response: Any) -> str:
        kind = response.__class__
        if kind is r.Hit:
            return HIT
        if kind is r.Success:
            return DONE
        return MISS if kind is r.Miss else response.code.value

    def value(self, response: Any) -> bytes:
        return response.value

    async def aclose(self) -> None:
        await self.client.aclose()


def _by_hand() -> dict[str, Callable[[CacheResults, dict[str, Any]], Awaitable[Any]]]:
    """Return op → implementation, for the operations that are not generated."""

    def keys(q: dict[str, Any]) -> list[bytes]:
        return [data(each, "key") for each in q["keys"]]

    topics, get_or_set = Topics(), GetOrSet()

    async def set_batch(c: CacheResults, q: dict[str, Any]) -> Any:
        items = [(data(each, "key"), data(each, "value"), ttl(each)) for each in q["items"]]
        answer = await c.set_batch(items, ttl=ttl(q))
        return answer if isinstance(answer, r.Error) else [answer] * len(items)

    return {
        "keyExists": lambda c, q: c.key_exists(data(q, "key")),
        "keysExist": lambda c, q: c.keys_exist(keys(q)),
        "getBatch": lambda c, q: c.get_batch(keys(q)),
        "setBatch": set_batch,
        "setWithLease": lambda c, q: c.set_with_tags(
            data(q, "key"), data(q, "value"), lists.elements(q, "tags"), ttl=ttl(q)
        ),
        "removeByTag": lambda c, q: c.remove_by_tag(lists.elements(q, "tags")),
        "getOrSet": get_or_set.run,
        "made": get_or_set.made,
        "scanKeys": scan_keys,
        "scanItems": scan_items,
        "publish": topics.publish,
        "subscribe": topics.subscribe,
        "next": lambda _, q: topics.next(q),
        "unsubscribe": lambda _, q: topics.unsubscribe(q),
    }


def _answer(response: Any) -> dict[str, Any]:
    answered: type[Any] = response.__class__
    if answered is dict:
        return response
    if answered is list:
        return {"result": "success", "responses": [_answer(each) for each in cast(list[Any], response)]}
    simple = _SIMPLE.get(answered)
    if simple is not None:
        return simple
    match response:
        case r.Hit(value):
            return {"result": "hit"} | shown("value", value)
        case r.Error(code, message, cause):
            return {"result": "error", "error": {"code": code.value, "message": message, "cause": cause}}
        case r.Exists(exists) | r.ExistsEach(exists):
            return {"result": "success", "exists": exists}
        case r.KeyPage():
            return scanned(response)
        case r.Caches(names):
            return {"result": "success", "caches": names}
        case r.GetBatchSuccess(responses):
            return {"result": "success", "responses": [_answer(each) for each in responses]}
        case _:
            told = answer_of(response)
            if told is None:
                raise Unsupported(f"the agent cannot encode the response {response!r}")
            return told
