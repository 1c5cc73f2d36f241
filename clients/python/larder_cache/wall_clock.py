"""The system's wall clock, also if the program has replaced `time.time`, as tests do with freezegun."""

from __future__ import annotations

import time

_read = getattr(time, "clock_gettime", None)


def system_time() -> float:
    """Return the seconds since 1970."""
    # Windows has no clock_gettime.
    return time.time() if _read is None else _read(time.CLOCK_REALTIME)


class Remaining(float):
    """The seconds until a deadline, for grpcio, which adds them to `time.time()`.

    A frozen clock would make each deadline one in the past, or years ahead. So the sum with any number is the moment by
    the system's clock.
    """

    __slots__ = ()

    def __radd__(self, _: float) -> float:
        return system_time() + float(self)

    __add__ = __radd__
