"""The log events of a client, on the logger "larder_cache", with machine-readable fields (`extra`).

`larder_event` is the event's name; the other fields repeat what the message contains. No event contains a key, value or
token.
"""

from __future__ import annotations

import logging
from typing import Any

from larder_cache.errors import ErrorCode

_log = logging.getLogger("larder_cache")


def _say(level: int, event: str, text: str, *given: Any, raised: BaseException | None = None, **fields: Any) -> None:
    if _log.isEnabledFor(level):
        extra = {f"larder_{name}": value for name, value in fields.items()} | {"larder_event": event}
        _log.log(level, text, *given, extra=extra, exc_info=raised)


# Connections.


def connection_opened(endpoint: str) -> None:
    _say(logging.DEBUG, "connection_opened", "Connected to %s.", endpoint, endpoint=endpoint)


def connection_lost(endpoint: str, code: ErrorCode, why: str) -> None:
    text = "The connection to %s was lost: %s"
    _say(logging.INFO, "connection_lost", text, endpoint, why, endpoint=endpoint, error_code=code.value)


def connection_failed(endpoint: str, why: str) -> None:
    """Log once until there is a connection again."""
    _say(logging.INFO, "connection_failed", "%s cannot be connected: %s", endpoint, why, endpoint=endpoint)


def pipeline_unsupported(endpoint: str) -> None:
    text = "%s has no pipeline: calls are unary from now on."
    _say(logging.INFO, "pipeline_unsupported", text, endpoint, endpoint=endpoint)


def gateway_left_out(endpoint: str, why: str) -> None:
    text = "%s is left out, as it cannot be connected: %s"
    _say(logging.WARNING, "gateway_left_out", text, endpoint, why, endpoint=endpoint)


def gateway_set_aside(endpoint: str) -> None:
    _say(logging.DEBUG, "gateway_set_aside", "%s refuses calls, and is set aside.", endpoint, endpoint=endpoint)


def gateway_up(endpoint: str) -> None:
    _say(logging.INFO, "gateway_up", "%s is up again", endpoint, endpoint=endpoint)


def gateways_changed(endpoints: list[str]) -> None:
    named = ", ".join(endpoints)
    _say(logging.INFO, "gateways_changed", "there are %d gateways now: %s", len(endpoints), named, endpoints=endpoints)


def name_unresolved(host: str, error: Exception) -> None:
    text = "the name %s could not be resolved: %s"
    _say(logging.DEBUG, "name_unresolved", text, host, error, endpoint=host)


# Calls.


def retried(operation: str, cache: str, code: ErrorCode, attempts: int, wait_s: float) -> None:
    text, wait_ms = "%s in cache %r is sent again in %.0f ms, after attempt %d: %s", wait_s * 1_000
    told: Any = {"operation": operation, "cache_name": cache, "attempts": attempts, "wait_ms": wait_ms}
    _say(logging.DEBUG, "retry", text, operation, cache, wait_ms, attempts, code.value, error_code=code.value, **told)


def cap_changed(before: int, limit: int) -> None:
    text = "The cap on requests in flight goes from %d to %d."
    _say(logging.DEBUG, "cap_changed", text, before, limit, limit=limit)


def target_out_of_reach(target_ms: float, limit: int) -> None:
    text = "p99.9 within %g ms is out of reach: fewer requests in flight do not help. The cap is %d."
    _say(logging.WARNING, "target_out_of_reach", text, target_ms, limit, limit=limit)


def target_in_reach(target_ms: float, limit: int) -> None:
    _say(logging.INFO, "target_in_reach", "p99.9 within %g ms is in reach again.", target_ms, limit=limit)


# Loads.


def stale_answered(cache: str, error: Exception | None) -> None:
    """`error`: what the factory raised; None: it exceeded its soft timeout."""
    if error is None:
        text = "Cache %r: what is stale is answered, as its factory takes longer than the soft timeout"
        _say(logging.INFO, "stale_answered", text, cache, cache_name=cache)
    else:
        text, name = "Cache %r: what is stale is answered, as its factory raised %s", type(error).__name__
        told: Any = {"cache_name": cache, "exception": name}
        _say(logging.WARNING, "stale_answered", text, cache, name, raised=error, **told)


def not_made_anew(error: BaseException) -> None:
    name = type(error).__name__
    _say(logging.WARNING, "not_made_anew", "A value was not made anew: %s", name, raised=error, exception=name)


def refresh_put_off(cache: str) -> None:
    text = "Cache %r: a value is not made anew now, as the client makes its most already"
    _say(logging.DEBUG, "refresh_put_off", text, cache, cache_name=cache)


def made_without_cache(cache: str, code: ErrorCode) -> None:
    text = "Cache %r: %s: a value is made without it"
    _say(logging.DEBUG, "made_without_cache", text, cache, code.value, cache_name=cache, error_code=code.value)


def cache_unusable(cache: str, code: ErrorCode, message: str) -> None:
    text = "Cache %r: %s: %s. Values are made without it from now on; this is said once."
    told: Any = {"cache_name": cache, "error_code": code.value}
    _say(logging.ERROR, "cache_unusable", text, cache, code.value, message, **told)


def lock_not_given_back(lease_s: float, code: ErrorCode, message: str) -> None:
    text = "A lock was not given back, and ends within %g s: %s"
    _say(logging.WARNING, "lock_not_given_back", text, lease_s, message, error_code=code.value)


# Near caches, topics, frameworks, and errors of the application or of this client.


def near_refused(why: str) -> None:
    text = "No near cache by this server's stream (%s): reads go without. This is said once."
    _say(logging.WARNING, "near_refused", text, why)


def subscription_lost(cache: str, code: ErrorCode, wait_s: float) -> None:
    text, wait_ms = "A subscription in cache %r was lost, and is asked for again in %.0f ms: %s", wait_s * 1_000
    told: Any = {"cache_name": cache, "error_code": code.value, "wait_ms": wait_ms}
    _say(logging.DEBUG, "subscription_lost", text, cache, wait_ms, code.value, **told)


def subscription_unreadable(cache: str, subject: str, why: str) -> None:
    text = "%s: %s; it is asked for again, and this is said once"
    _say(logging.WARNING, "subscription_unreadable", text, subject, why, cache_name=cache)


def server_down(code: ErrorCode, message: str) -> None:
    text = "Larder's server is out of reach, and reads are misses until it answers: %s"
    _say(logging.WARNING, "server_down", text, message, error_code=code.value)


def server_up() -> None:
    _say(logging.WARNING, "server_up", "Larder's server answers again.")


def values_unreadable(count: int, error: BaseException) -> None:
    """`count`: the number since the last log message."""
    text = "%d stored values could not be read and are misses; the last: %s: %s"
    kind = type(error).__name__
    _say(logging.WARNING, "values_unreadable", text, count, kind, error, count=count, exception=kind)


def close_failed(error: BaseException) -> None:
    _say(logging.WARNING, "close_failed", "Closing a client failed: %s", error, exception=type(error).__name__)


def observer_raised(what: str, error: BaseException) -> None:
    """`what`: the observer and the failure, for example "metrics given to the client raise; they go"."""
    text = f"The {what} on being called, and this is said once."
    _say(logging.ERROR, "observer_raised", text, raised=error, exception=type(error).__name__)


def client_fault(what: str, error: BaseException) -> None:
    text = "the client failed in %s: a fault of its own"
    _say(logging.ERROR, "client_fault", text, what, raised=error, exception=type(error).__name__)
