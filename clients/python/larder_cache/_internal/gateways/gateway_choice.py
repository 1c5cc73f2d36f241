"""The choice of a gateway for an attempt (GATEWAY-6, GATEWAY-7).

The functions are pure: their results depend only on random numbers and on the calls in flight.
"""

from __future__ import annotations


def draw(count: int, first: float, second: float) -> tuple[int, int]:
    """Return two different numbers below `count`, or equal numbers if `count` is 1.

    `first` and `second` are random numbers in [0, 1).
    """
    one = int(first * count)
    if count == 1:
        return one, one
    other = int(second * (count - 1))
    return one, other if other < one else other + 1


def choose(in_flight: list[int], first: float, second: float) -> int:
    """Draw two gateways and return the index of the one with fewer calls in flight.

    Returns the first of them if the numbers of calls are equal.
    """
    one, other = draw(len(in_flight), first, second)
    return other if in_flight[other] < in_flight[one] else one
