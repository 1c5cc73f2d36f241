"""The choice of a gateway for an attempt. Pure functions of random draws and calls in flight (GATEWAY-6, GATEWAY-7)."""

from __future__ import annotations


def draw(count: int, first: float, second: float) -> tuple[int, int]:
    """Return two different numbers below `count`; equal ones if it is 1. The draws are in [0, 1)."""
    one = int(first * count)
    if count == 1:
        return one, one
    other = int(second * (count - 1))
    return one, other if other < one else other + 1


def choose(in_flight: list[int], first: float, second: float) -> int:
    """Draw two gateways and return the number of the one with fewer calls in flight, or of the first if equal."""
    one, other = draw(len(in_flight), first, second)
    return other if in_flight[other] < in_flight[one] else one
