"""The log events of a client, on the logger "larder_cache", with machine-readable fields (`extra`).

The field `larder_event` is the name of the event. The other fields repeat values of the message. No event contains a
key, value or token.
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


def connection_opened(endpoint: str) -> None:
    _say(logging.DEBUG, "connection_opened", "Connected to %s.", endpoint, endpoint=endpoint)


def connection_lost(endpoint: str, code: ErrorCode, why: str) -> None:
    text = "The connection to %s was lost: %s"
    _say(logging.INFO, "connection_lost", text, endpoint, why, endpoint=endpoint, error_code=code.value)


def connection_failed(endpoint: str, why: str) -> None:
    """Log a failed attempt to connect. The caller logs only the first failure of an outage."""
    _say(logging.INFO, "connection_failed", "Cannot connect to %s: %s", endpoint, why, endpoint=endpoint)


def pipeline_unsupported(endpoint: str) -> None:
    text = "%s does not support the pipeline. Calls use unary requests from now on."
    _say(logging.INFO, "pipeline_unsupported", text, endpoint, endpoint=endpoint)


def gateway_left_out(endpoint: str, why: str) -> None:
    text = "%s was removed from rotation, because it cannot be reached: %s"
    _say(logging.WARNING, "gateway_left_out", text, endpoint, why, endpoint=endpoint)


def gateway_set_aside(endpoint: str) -> None:
    text = "%s was temporarily removed from rotation, because it rejects calls."
    _say(logging.DEBUG, "gateway_set_aside", text, endpoint, endpoint=endpoint)


def gateway_up(endpoint: str) -> None:
    _say(logging.INFO, "gateway_up", "%s is available again.", endpoint, endpoint=endpoint)


def gateways_changed(endpoints: list[str]) -> None:
    named = ", ".join(endpoints)
    _say(
        logging.INFO,
        "gateways_changed",
        "The list of gateways changed. Current gateways (%d): %s",
        len(endpoints),
        named,
        endpoints=endpoints,
    )


def name_unresolved(host: str, error: Exception) -> None:
    text = "The host name %s could not be resolved: %s"
    _say(logging.DEBUG, "name_unresolved", text, host, error, endpoint=host)


def retried(operation: str, cache: str, code: ErrorCode, attempts: int, wait_s: float) -> None:
    text, wait_ms = "Retrying %s in cache %r in %.0f ms, because attempt %d failed: %s", wait_s * 1_000
    told: Any = {"operation": operation, "cache_name": cache, "attempts": attempts, "wait_ms": wait_ms}
    _say(logging.DEBUG, "retry", text, operation, cache, wait_ms, attempts, code.value, error_code=code.value, **told)


def cap_changed(before: int, limit: int) -> None:
    text = "The concurrency limit changed from %d to %d."
    _say(logging.DEBUG, "cap_changed", text, before, limit, limit=limit)


def target_out_of_reach(target_ms: float, limit: int) -> None:
    text = (
        "The latency target (p99.9 of %g ms) cannot be met, even with fewer requests in flight. "
        "The concurrency limit is %d."
    )
    _say(logging.WARNING, "target_out_of_reach", text, target_ms, limit, limit=limit)


def target_in_reach(target_ms: float, limit: int) -> None:
    text = "The latency target (p99.9 of %g ms) can be met again."
    _say(logging.INFO, "target_in_reach", text, target_ms, limit=limit)


def stale_answered(cache: str, error: Exception | None) -> None:
    """Log that a stale value was returned.

    `error` is the factory's exception, or None if it exceeded its soft timeout.
    """
    if error is None:
        text = "Cache %r: a stale value was returned, because the factory exceeded its soft timeout."
        _say(logging.INFO, "stale_answered", text, cache, cache_name=cache)
    else:
        text, name = "Cache %r: a stale value was returned, because the factory raised %s.", type(error).__name__
        told: Any = {"cache_name": cache, "exception": name}
        _say(logging.WARNING, "stale_answered", text, cache, name, raised=error, **told)


def not_made_anew(error: BaseException) -> None:
    name = type(error).__name__
    _say(
        logging.WARNING,
        "not_made_anew",
        "A stale value could not be refreshed, because its factory raised %s.",
        name,
        raised=error,
        exception=name,
    )


def refresh_put_off(cache: str) -> None:
    text = "Cache %r: the refresh of a stale value was postponed, because too many refreshes are running."
    _say(logging.DEBUG, "refresh_put_off", text, cache, cache_name=cache)


def made_without_cache(cache: str, code: ErrorCode) -> None:
    text = "Cache %r is not usable (%s). The value is loaded but not stored."
    _say(logging.DEBUG, "made_without_cache", text, cache, code.value, cache_name=cache, error_code=code.value)


def cache_unusable(cache: str, code: ErrorCode, message: str) -> None:
    text = "Cache %r is not usable (%s: %s). Values are loaded but not stored. This is logged once."
    told: Any = {"cache_name": cache, "error_code": code.value}
    _say(logging.ERROR, "cache_unusable", text, cache, code.value, message, **told)


def lock_not_given_back(lease_s: float, code: ErrorCode, message: str) -> None:
    text = "A lock could not be released, so it remains locked for up to %g s. The error was: %s"
    _say(logging.WARNING, "lock_not_given_back", text, lease_s, message, error_code=code.value)


def near_refused(why: str) -> None:
    text = "The server rejected the near cache (%s). Reads go to the server. This is logged once."
    _say(logging.WARNING, "near_refused", text, why)


def subscription_lost(cache: str, code: ErrorCode, wait_s: float) -> None:
    text, wait_ms = "A subscription in cache %r was lost; reconnecting in %.0f ms. Error code: %s", wait_s * 1_000
    told: Any = {"cache_name": cache, "error_code": code.value, "wait_ms": wait_ms}
    _say(logging.DEBUG, "subscription_lost", text, cache, wait_ms, code.value, **told)


def subscription_unreadable(cache: str, subject: str, why: str) -> None:
    text = "A subscription failed (%s): %s. The client subscribes again. This is logged once."
    _say(logging.WARNING, "subscription_unreadable", text, subject, why, cache_name=cache)


def server_down(code: ErrorCode, message: str) -> None:
    text = "Reads are misses until the Larder server responds, because it is unreachable: %s"
    _say(logging.WARNING, "server_down", text, message, error_code=code.value)


def server_up() -> None:
    _say(logging.WARNING, "server_up", "The Larder server responds again.")


def values_unreadable(count: int, error: BaseException) -> None:
    """Log unreadable values. `count` is the number of unreadable values since the last log message."""
    text = "%d stored values could not be decoded and were treated as misses. The last error was %s: %s"
    kind = type(error).__name__
    _say(logging.WARNING, "values_unreadable", text, count, kind, error, count=count, exception=kind)


def close_failed(error: BaseException) -> None:
    _say(logging.WARNING, "close_failed", "Closing the client failed: %s", error, exception=type(error).__name__)


def observer_raised(what: str, error: BaseException) -> None:
    """Log the exception of an observer. `what` names the observer, for example "metrics"."""
    text = f"The {what} object passed to the client raised an exception. The client still uses it. This is logged once."
    _say(logging.ERROR, "observer_raised", text, raised=error, exception=type(error).__name__)


def client_fault(what: str, error: BaseException) -> None:
    text = "Internal client error while %s."
    _say(logging.ERROR, "client_fault", text, what, raised=error, exception=type(error).__name__)
