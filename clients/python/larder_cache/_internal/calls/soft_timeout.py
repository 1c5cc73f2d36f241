"""The soft timeout of one caller, and the stale value that the caller may get after it (GOC-10)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic


@dataclass(slots=True)
class Offer:
    """A stale value that callers may get while the load of a new value takes long.

    Attributes:
        value: The value.
        expired_ms: How long ago the value's stored time to live had ended when the server returned the value.
        put_off: Called if the load is cancelled, because too many loads are running in the background.
        at_s: The time at which the server returned the value.
        is_loading: Whether the factory may be running. If not, another process loads the value.
        is_in_background: Whether no caller waits for the load any more.
    """

    value: bytes
    expired_ms: int
    put_off: Callable[[], None]
    at_s: float = field(default_factory=monotonic)
    is_loading: bool = False
    is_in_background: bool = False


@dataclass(frozen=True, slots=True)
class SoftTimeout:
    """The soft timeout of one caller.

    Attributes:
        soft_timeout_s: The timeout in seconds.
        allows: Returns whether the caller may get a stale value. Its arguments are the value and the time in
            milliseconds since the value expired.
        exceeded: Called when the caller gets the stale value.
    """

    soft_timeout_s: float
    allows: Callable[[bytes, int], bool]
    exceeded: Callable[[], None]

    def choose(self, offer: Offer | None, joined_s: float) -> bytes | None:
        """Return the stale value for a caller that has waited since `joined_s`, or None if it must wait longer."""
        if offer is None:
            return None
        expired_ms = offer.expired_ms + max(0, int((joined_s - offer.at_s) * 1_000))
        if not self.allows(offer.value, expired_ms):
            return None
        self.exceeded()
        return offer.value
