"""Decides how long a reachable gateway that rejects calls is removed from rotation (GATEWAY-9)."""

from __future__ import annotations

_FIRST_WAIT_S = 0.020
# If a gateway rejects no call for this time after its return to rotation, the next removal is short again.
_MEMORY_S = 10.0


class GatewayHealth:
    """The health of a gateway. It depends only on the gateway's rejections and on a monotonic clock, in seconds."""

    __slots__ = ("_longest_s", "_refusals", "aside_until")

    def __init__(self, longest_s: float) -> None:
        """Start with a healthy gateway.

        Args:
            longest_s: The maximum time out of rotation, in seconds.
        """
        self._longest_s = longest_s
        self._refusals = 0
        # Before this time no attempt uses the gateway if another gateway is available.
        self.aside_until = 0.0

    def refused(self, now: float, random: float) -> None:
        """Record a rejection.

        Args:
            now: The current time.
            random: A random number from 0 to 1.
        """
        if now < self.aside_until:
            return
        self._refusals = self._refusals + 1 if now - self.aside_until < _MEMORY_S else 1
        ceiling = min(self._longest_s, _FIRST_WAIT_S * 2 ** min(self._refusals - 1, 16))
        self.aside_until = now + ceiling * (0.5 + 0.5 * random)
