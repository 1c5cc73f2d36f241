"""How long a gateway that is there and refuses calls is set aside (GATEWAY-9)."""

from __future__ import annotations

_FIRST_WAIT_S = 0.020
# A refusal so long after the last is one of another trouble.
_MEMORY_S = 10.0


class GatewayHealth:
    """A function of the refusals, and of a clock that only grows, in seconds."""

    __slots__ = ("_longest_s", "_refusals", "aside_until")

    def __init__(self, longest_s: float) -> None:
        """`longest_s`: the longest wait."""
        self._longest_s = longest_s
        self._refusals = 0
        # No attempt is drawn from it before then, where another is up.
        self.aside_until = 0.0

    def refused(self, now: float, random: float) -> None:
        """Note a refusal. `random` is from 0 to 1."""
        if now < self.aside_until:
            return
        self._refusals = self._refusals + 1 if now - self.aside_until < _MEMORY_S else 1
        ceiling = min(self._longest_s, _FIRST_WAIT_S * 2 ** min(self._refusals - 1, 16))
        self.aside_until = now + ceiling * (0.5 + 0.5 * random)
