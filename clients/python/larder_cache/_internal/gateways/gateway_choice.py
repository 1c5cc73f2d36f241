"""Which gateway an attempt goes to: functions of the draws and of the gateways' calls in flight (GATEWAY-6, GATEWAY-7)."""

from __future__ import annotations


def draw(count: int, first: float, second: float) -> tuple[int, int]:
    """Return two different numbers below `count`; the same twice where it is 1. The draws are from 0 to below 1."""
    one = int(first * count)
    if count == 1:
        return one, one
    other = int(second * (count - 1))
    return one, other if other < one else other + 1


def choose(in_flight: list[int], first: float, second: float) -> int:
    """Return the number of the gateway with fewer calls in flight of two drawn, the first of two alike."""
    one, other = draw(len(in_flight), first, second)
    return other if in_flight[other] < in_flight[one] else one
