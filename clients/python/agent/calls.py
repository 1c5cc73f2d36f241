# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
"""The operations of conformance/AGENT.md that are one call of the client each."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable
from typing import Any

from agent.fields import data, shown, timeout, ttl
from larder_cache import CacheClient
from larder_cache import responses as r


def calls(c: CacheClient) -> dict[str, Callable[[str, dict[str, Any]], Awaitable[Any]]]:
    """Return op → what runs it, given the cache and the request."""
    return {
        "get": lambda cache, q: c.get(cache, data(q, "key"), timeout_s=timeout(q)),
        "set": lambda cache, q: c.set(cache, data(q, "key"), data(q, "value"), ttl=ttl(q), timeout_s=timeout(q)),
        "delete": lambda cache, q: c.delete(cache, data(q, "key"), timeout_s=timeout(q)),
        "increment": lambda cache, q: c.increment(
            cache, data(q, "key"), int(q["amount"]), ttl=ttl(q), keep_ttl=bool(q.get("keepTtl")), timeout_s=timeout(q)
        ),
        "itemGetTtl": lambda cache, q: c.item_get_ttl(cache, data(q, "key"), timeout_s=timeout(q)),
        "itemGetType": lambda cache, q: c.item_get_type(cache, data(q, "key"), timeout_s=timeout(q)),
        "getWithHash": lambda cache, q: c.get_with_hash(cache, data(q, "key"), timeout_s=timeout(q)),
        "updateTtl": lambda cache, q: c.update_ttl(cache, data(q, "key"), ttl(q) or 0, timeout_s=timeout(q)),
        "increaseTtl": lambda cache, q: c.increase_ttl(cache, data(q, "key"), ttl(q) or 0, timeout_s=timeout(q)),
        "decreaseTtl": lambda cache, q: c.decrease_ttl(cache, data(q, "key"), ttl(q) or 0, timeout_s=timeout(q)),
        "setIfAbsent": lambda cache, q: c.set_if_absent(
            cache, data(q, "key"), data(q, "value"), ttl=ttl(q), timeout_s=timeout(q)
        ),
        "setIfPresent": lambda cache, q: c.set_if_present(
            cache, data(q, "key"), data(q, "value"), ttl=ttl(q), timeout_s=timeout(q)
        ),
        "setIfEqual": lambda cache, q: c.set_if_equal(
            cache, data(q, "key"), data(q, "value"), data(q, "equal"), ttl=ttl(q), timeout_s=timeout(q)
        ),
        "setIfNotEqual": lambda cache, q: c.set_if_not_equal(
            cache, data(q, "key"), data(q, "value"), data(q, "equal"), ttl=ttl(q), timeout_s=timeout(q)
        ),
        "setIfPresentAndNotEqual": lambda cache, q: c.set_if_present_and_not_equal(
            cache, data(q, "key"), data(q, "value"), data(q, "equal"), ttl=ttl(q), timeout_s=timeout(q)
        ),
        "setIfAbsentOrEqual": lambda cache, q: c.set_if_absent_or_equal(
            cache, data(q, "key"), data(q, "value"), data(q, "equal"), ttl=ttl(q), timeout_s=timeout(q)
        ),
        "setIfPresentAndHashEqual": lambda cache, q: c.set_if_present_and_hash_equal(
            cache, data(q, "key"), data(q, "value"), data(q, "hash"), ttl=ttl(q), timeout_s=timeout(q)
        ),
        "setIfPresentAndNotHashEqual": lambda cache, q: c.set_if_present_and_not_hash_equal(
            cache, data(q, "key"), data(q, "value"), data(q, "hash"), ttl=ttl(q), timeout_s=timeout(q)
        ),
        "setIfAbsentOrHashEqual": lambda cache, q: c.set_if_absent_or_hash_equal(
            cache, data(q, "key"), data(q, "value"), data(q, "hash"), ttl=ttl(q), timeout_s=timeout(q)
        ),
        "setIfAbsentOrNotHashEqual": lambda cache, q: c.set_if_absent_or_not_hash_equal(
            cache, data(q, "key"), data(q, "value"), data(q, "hash"), ttl=ttl(q), timeout_s=timeout(q)
        ),
        "setWithHash": lambda cache, q: c.set_with_hash(
            cache, data(q, "key"), data(q, "value"), ttl=ttl(q), timeout_s=timeout(q)
        ),
        "createCache": lambda cache, q: c.create_cache(cache, timeout_s=timeout(q)),
        "deleteCache": lambda cache, q: c.delete_cache(cache, timeout_s=timeout(q)),
        "flushCache": lambda cache, q: c.flush_cache(cache, timeout_s=timeout(q)),
        "ping": lambda cache, q: c.ping(timeout_s=timeout(q)),
    }


def answer_of(response: Any) -> dict[str, Any] | None:
    """Return an answer's line; None for one that is not of these operations alone."""
    match response:
        case r.Incremented(value):
            return {"result": "success", "number": str(value)}
        case r.RemainingTtl(remaining_ttl_ms):
            return {"result": "found", "remainingTtlMs": remaining_ttl_ms}
        case r.FoundType(type):
            return {"result": "found", "type": type.value}
        case r.FoundWithHash(value, hash):
            return {"result": "found", **shown("value", value), "hashBase64": base64.b64encode(hash).decode()}
        case r.TtlSet():
            return {"result": "set"}
        case r.TtlNotSet():
            return {"result": "notSet"}
        case r.StoredWithHash(hash):
            return {"result": "stored", "hashBase64": base64.b64encode(hash).decode()}
        case _:
            return None
