"""Options of `get_or_set`.

Without options, `get_or_set` only ensures that concurrent callers of one client load a value once (spec GOC).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, cast

from larder_cache._internal.leases.expiry_policy import ExpiryPolicy
from larder_cache._internal.operations.arguments import Key, Refusal
from larder_cache._internal.operations.requests import tag_fields
from larder_cache.ttl import MAX_TTL_MS, Ttl, ttl_to_ms

# The maximum duration of a lease. Source: LEASE-3.
MOST_LEASE_MS = 600_000


@dataclass(frozen=True, slots=True, kw_only=True)
class GetOrSetOptions:
    """The options of a `get_or_set` call: `get_or_set(…, options=GetOrSetOptions(fail_safe_for=3_600))`.

    Times are seconds or a timedelta.

    Raises:
        ValueError: A value is out of range. The message contains the name of the option.
        TypeError: A value has the wrong type. The message contains the name of the option.
    """

    # The time for which one process has the exclusive right to load a missing value, above 0 and at most 10 minutes.
    # Other processes wait for the value or use a stale value. If the loading process dies, another process takes over
    # after this time. The time must exceed the duration of a load.
    lease: Ttl = 30
    # A value is refreshed this long before it expires. At most half the time to live. 0: off. The value is still
    # returned, while only one caller among all processes reloads it in the background, as with `revalidate_for`. A
    # value that is in use therefore never expires. A value is stored with a time to live that is shorter by this time,
    # so use the same setting for all callers of a key.
    refresh_ahead_for: Ttl = 0
    # The time after its expiry for which a value is still returned, while only one caller among all processes reloads
    # it in the background, 0 to 365 days. 0: off. The reload runs on the caller's event loop, or in a thread for
    # blocking clients. At most 32 reloads run concurrently.
    revalidate_for: Ttl = 0
    # The time after its expiry for which a value is returned if the factory raises, 0 to 365 days. 0: the caller gets
    # the exception. The logger "larder_cache" gets a warning.
    fail_safe_for: Ttl = 0
    # If a load, the caller's own or that of another caller or process, takes longer than this time and `fail_safe_for`
    # allows a stale value, the caller gets the stale value. The factory continues, and its result is stored. It counts
    # as one of the 32 reloads of `revalidate_for`: while 32 run, it is cancelled instead. Above 0 and at most 10
    # minutes. None: off. In a blocking client, the factory runs in a daemon thread with a copy of the caller's context
    # variables, and counts from its start: while 32 reloads run, the stale value is returned at once. The program's
    # exit does not wait for these threads. A value that is not stored by then is lost.
    soft_timeout: Ttl | None = None
    # A factory that takes longer than this time is cancelled, as if it had raised TimeoutError. Above 0 and at most 10
    # minutes. None: unlimited. In a blocking client, the factory runs in a daemon thread, as with `soft_timeout`. A
    # thread cannot be stopped: the caller gets TimeoutError, the lease is released, and the factory continues until it
    # returns, but its result is discarded. While 32 factories continue after this time, no other factory with a
    # `hard_timeout` is started: its caller gets TimeoutError at once.
    hard_timeout: Ttl | None = None
    # The maximum fraction of the time to live that is subtracted at random, 0 to 1. This prevents values that were
    # loaded together from expiring together.
    jitter: float = 0
    # A function that receives the factory's result and returns its time to live, above 0 and at most 365 days, or None
    # to use the time to live of the call. For example, an empty result can be kept for a shorter time. If the function
    # raises or returns an invalid time (CacheError), the caller gets the error and nothing is stored.
    ttl_of: Callable[[Any], Ttl | None] | None = None
    # Tags of the stored value for `remove_by_tag`: at most 128, each of 1 to 1,024 bytes.
    tags: Iterable[Key] = ()

    def __post_init__(self) -> None:
        _check_short_ttl("lease", self.lease)
        for name, timeout in (("soft_timeout", self.soft_timeout), ("hard_timeout", self.hard_timeout)):
            if timeout is not None:
                _check_short_ttl(name, timeout)
        _stale_ms("refresh_ahead_for", self.refresh_ahead_for)
        _stale_ms("revalidate_for", self.revalidate_for)
        _stale_ms("fail_safe_for", self.fail_safe_for)
        jitter: Any = self.jitter
        if not isinstance(jitter, (int, float)) or isinstance(jitter, bool):
            raise TypeError(f"get_or_set: jitter must be a number, not {type(jitter).__name__}")
        # This also rejects NaN, for which every comparison is false.
        if not 0 <= jitter <= 1:
            raise ValueError(f"get_or_set: jitter must be from 0 to 1, not {jitter!r:.40}")
        if self.ttl_of is not None and not callable(self.ttl_of):
            raise TypeError(f"get_or_set: ttl_of must be a function, not {type(self.ttl_of).__name__}")
        if isinstance(cast(Any, self.tags), (str, bytes, bytearray, memoryview)):
            raise TypeError("get_or_set: tags must be an iterable of str or bytes, not one str or bytes")
        tags = tuple(self.tags)
        try:
            tag_fields(1, tags, least=0)
        except Refusal as refusal:
            raise ValueError(f"get_or_set: {refusal}") from None
        object.__setattr__(self, "tags", tags)

    @property
    def lease_ms(self) -> int:
        return ttl_to_ms(self.lease)

    @property
    def soft_timeout_s(self) -> float | None:
        return None if self.soft_timeout is None else ttl_to_ms(self.soft_timeout) / 1_000

    @property
    def hard_timeout_s(self) -> float | None:
        return None if self.hard_timeout is None else ttl_to_ms(self.hard_timeout) / 1_000

    def times(self, ttl_ms: int) -> ExpiryPolicy:
        """Return the expiry times for a call with this time to live."""
        return ExpiryPolicy(
            ttl_ms=ttl_ms,
            refresh_ahead_ms=_stale_ms("refresh_ahead_for", self.refresh_ahead_for),
            revalidate_ms=_stale_ms("revalidate_for", self.revalidate_for),
            fail_safe_ms=_stale_ms("fail_safe_for", self.fail_safe_for),
            jitter=self.jitter,
        )


def _check_short_ttl(name: str, time: Ttl) -> int:
    ms = _ms(name, time)
    if ms > MOST_LEASE_MS:
        raise ValueError(f"get_or_set: {name} must be above 0 and at most 10 minutes, not {time!r:.40}")
    return ms


def _stale_ms(name: str, time: Ttl) -> int:
    # Reject a bool. It is an int in Python but not a valid time.
    return 0 if time.__class__ is not bool and time in (0, timedelta()) else _ms(name, time)


def _ms(name: str, time: Ttl) -> int:
    try:
        return ttl_to_ms(time)
    except TypeError:
        raise TypeError(
            f"get_or_set: {name} must be a number of seconds or a timedelta, not {type(time).__name__}"
        ) from None
    except ValueError:
        most = f"{MAX_TTL_MS // 86_400_000} days"
        raise ValueError(f"get_or_set: {name} must be above 0 and at most {most}, not {time!r:.40}") from None
