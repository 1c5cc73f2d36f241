"""Configurations as conformance/AGENT.md defines them: names as in Node, milliseconds, and "off" for None."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from agent.target import AgentError
from larder_cache import Configuration, Configurations, NearCache, Transport

_CONFIGURATIONS = {
    "laptop": Configurations.Laptop,
    "inRegion.default": Configurations.InRegion.Default,
    "inRegion.lowLatency": Configurations.InRegion.LowLatency,
    "lambda": Configurations.Lambda,
}
_NAMES = {
    "requestTimeoutMs": "request_timeout_s",
    "maxInFlightUnary": "max_in_flight_unary",
    "maxInFlightPipeline": "max_in_flight_pipeline",
    "adaptiveTargetMs": "adaptive_target_s",
    "queueLimit": "queue_limit",
    "channels": "channels",
    "maxRetries": "max_retries",
    "retryBudget": "retry_budget",
    "initialBackOffMs": "initial_back_off_s",
    "maxBackOffMs": "max_back_off_s",
    "transport": "transport",
    "eagerConnect": "eager_connect",
    "connectTimeoutMs": "connect_timeout_s",
    "keepaliveIntervalMs": "keepalive_interval_s",
    "keepaliveTimeoutMs": "keepalive_timeout_s",
    "headers": "headers",
    "nearCache": "near_cache",
}
_NEAR_NAMES = {"maxBytes": "max_bytes", "maxAgeMs": "max_age_s", "caches": "caches", "keyPrefixes": "key_prefixes"}
_TRANSPORTS = {each.value: each for each in Transport}


def configuration_of(request: dict[str, Any], settings: Mapping[str, Any]) -> Configuration:
    """Return the configuration that a request names, with the request's changes.

    An invalid setting raises the exception of the client.
    """
    name, _, version = str(request.get("configuration", "laptop")).partition(".v")
    if name not in _CONFIGURATIONS or version not in ("", "1"):
        raise AgentError(f"unknown configuration {request['configuration']}")
    made = _CONFIGURATIONS[name].v1() if version else _CONFIGURATIONS[name].latest()
    changes: dict[str, Any] = {_NAMES.get(each, each): _read(each, value) for each, value in settings.items()}
    return made.with_settings(**changes)


def told(configuration: Configuration) -> dict[str, Any]:
    """Return every setting of a configuration."""
    return {name: _written(name, getattr(configuration, setting)) for name, setting in _NAMES.items()}


def described(request: dict[str, Any]) -> dict[str, Any]:
    """Return the response to "configuration"."""
    try:
        return {"result": "success", "settings": told(configuration_of(request, request.get("settings") or {}))}
    except (TypeError, ValueError) as refused:
        error = {"code": "InvalidArgument", "message": str(refused), "cause": None}
        return {"result": "error", "error": error}


def _read(name: str, value: Any) -> Any:
    """Convert a value to the type that the client takes.

    An unknown value is returned unchanged, so that the client rejects it.
    """
    if value == "off":
        return None
    if name == "nearCache" and isinstance(value, dict):
        return _near_cache(cast(dict[str, Any], value))
    value = _seconds(name, value)
    return _TRANSPORTS.get(value, value) if name == "transport" and isinstance(value, str) else value


def _seconds(name: str, value: Any) -> Any:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value / 1_000 if name.endswith("Ms") and is_number else value


def _near_cache(parts: dict[str, Any]) -> NearCache:
    try:
        return NearCache(**{_NEAR_NAMES.get(part, part): _seconds(part, each) for part, each in parts.items()})
    except TypeError as unknown:
        # Python's message for an unknown argument names the class, so add the name of the setting.
        raise TypeError(f"near_cache: {unknown}") from None


def _written(name: str, value: Any) -> Any:
    if value is None:
        return "off"
    if name.endswith("Ms"):
        ms = round(value * 1_000, 3)
        return int(ms) if ms == int(ms) else ms
    if isinstance(value, NearCache):
        told = {part: _written(part, getattr(value, own)) for part, own in _NEAR_NAMES.items()}
        return {part: each for part, each in told.items() if each != "off"}
    if name in ("caches", "keyPrefixes"):
        return [each.decode() if isinstance(each, bytes) else each for each in value]
    return dict(value) if name == "headers" else value.value if isinstance(value, Transport) else value
