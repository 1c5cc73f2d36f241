"""The settings of a near cache. A near cache keeps local copies, which the server invalidates (spec NEAR-1 to 42)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, cast

from larder_cache._internal.common.cache_name import fault_of

_LEAST_BYTES, _MOST_BYTES = 1_024, 64 * 1_024**3
# The maximum number of names or prefixes. They are limited, because each cacheable get searches them.
_MOST_NAMES = 1_000
_LEAST_AGE_S, _MOST_AGE_S = 0.001, 365 * 86_400


@dataclass(frozen=True, slots=True, kw_only=True)
class NearCache:
    """Settings of a near cache: `configuration.with_settings(near_cache=NearCache(max_bytes=64 * 1024**2))`.

    Raises:
        ValueError: A value is out of range. The message contains the name of the setting.
        TypeError: A value has the wrong type. The message contains the name of the setting.
    """

    # The maximum size of all copies in bytes, 1 KiB to 64 GiB. The size of a copy is the size of its key, its cache's
    # name and its value, plus 128 bytes. Python's objects take about 200 bytes more per copy, which do not count
    # (tests/near/test_near_copies.py).
    max_bytes: int
    # The maximum age of a copy in seconds, 0.001 to 365 days. A copy also expires when the value itself expires.
    max_age_s: float = 60
    # The names of the caches whose values are copied, 1 to 1,000 names. None: all caches.
    caches: Collection[str] | None = None
    # The prefixes of the keys whose values are copied, 1 to 1,000 prefixes, each as text (sent as UTF-8) or bytes.
    # None: all keys.
    key_prefixes: Collection[str | bytes] | None = None

    def __post_init__(self) -> None:
        _number("max_bytes", self.max_bytes, _LEAST_BYTES, _MOST_BYTES, whole=True)
        _number("max_age_s", self.max_age_s, _LEAST_AGE_S, _MOST_AGE_S)
        if self.caches is not None:
            names = _each("caches", self.caches, str)
            if (fault := next(filter(None, map(fault_of, names)), None)) is not None:
                raise ValueError(f"near_cache: caches: {fault}")
            object.__setattr__(self, "caches", tuple(names))
        if self.key_prefixes is not None:
            prefixes = _each("key_prefixes", self.key_prefixes, str, bytes)
            object.__setattr__(self, "key_prefixes", tuple(_encoded(prefix) for prefix in prefixes))

    def covers(self, cache: str, key: bytes) -> bool:
        """Return whether a copy of this key may be kept."""
        prefixes = cast("tuple[bytes, ...] | None", self.key_prefixes)
        return (self.caches is None or cache in self.caches) and (prefixes is None or key.startswith(prefixes))


def _number(name: str, value: Any, least: float, most: float, *, whole: bool = False) -> None:
    # Reject a bool. It is an int in Python but not a valid number here.
    if not isinstance(value, int if whole else (int, float)) or isinstance(value, bool):
        kind = "an integer" if whole else "a number"
        raise TypeError(f"near_cache: {name} must be {kind}, not {type(value).__name__}")
    # This also rejects NaN, for which every comparison is false.
    if not least <= value <= most:
        raise ValueError(f"near_cache: {name} must be from {least:,} to {most:,}, not {value!r:.40}")


def _each(name: str, values: Any, *kinds: type[Any]) -> list[Any]:
    """Return a collection as a list. Rejects a single string, because its characters would be used as names."""
    said = " or ".join(kind.__name__ for kind in kinds)
    if isinstance(values, (str, bytes)) or not isinstance(values, Collection):
        raise TypeError(f"near_cache: {name} must be a collection of {said}, or None")
    given = list(cast("Collection[Any]", values))
    if not 1 <= len(given) <= _MOST_NAMES:
        raise ValueError(
            f"near_cache: {name} must have 1 to {_MOST_NAMES:,} items, not {len(given):,}; use None for all"
        )
    for each in given:
        if not isinstance(each, kinds):
            raise TypeError(f"near_cache: {name} must be {said}, not {type(each).__name__}")
    return given


def _encoded(prefix: str | bytes) -> bytes:
    if not prefix:
        raise ValueError("near_cache: key_prefixes: a prefix must not be empty")
    try:
        return prefix if isinstance(prefix, bytes) else prefix.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"near_cache: key_prefixes: {error}") from None
