"""The failures that a test has requested."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from larder_cache._internal.operations._generated import operations
from larder_cache._internal.operations.operation import Operation
from larder_cache.errors import ErrorCode

# The maximum number of pending failures.
MOST_FAULTS = 1_000
# The maximum value of `times`. A failure with None applies to an unlimited number of calls.
MOST_TIMES = 1_000_000
NAMES = frozenset(each.name for each in vars(operations).values() if isinstance(each, Operation)) | {"subscribe"}


@dataclass(slots=True)
class Fault:
    """A failure: the next `times` calls fail with this error.

    `operation` limits the failure to one operation. None applies it to all operations.
    """

    code: ErrorCode
    operation: str | None
    times: int | None
    cause: str | None
    ran: bool


class Faults:
    """The pending failures in the order in which they were added."""

    def __init__(self) -> None:
        self._ordered: list[Fault] = []

    def order(self, code: Any, operation: Any, times: Any, cause: Any, ran: Any) -> None:
        """Add a failure.

        Raises:
            TypeError: An argument has a wrong type.
            ValueError: The value of an argument is invalid, or too many failures are pending.
        """
        if not isinstance(code, ErrorCode):
            raise TypeError(f"code must be an ErrorCode, not {type(code).__name__}")
        if operation is not None and not isinstance(operation, str):
            raise TypeError(f"operation must be str, not {type(operation).__name__}")
        if operation is not None and operation not in NAMES:
            raise ValueError(f"unknown operation {operation!r:.80}; known operations: {', '.join(sorted(NAMES))}")
        if times is not None and (not isinstance(times, int) or isinstance(times, bool)):
            raise TypeError(f"times must be an integer, not {type(times).__name__}")
        if times is not None and not 1 <= times <= MOST_TIMES:
            raise ValueError(f"times must be from 1 to {MOST_TIMES:,}, not {times!r:.40}")
        if cause is not None and not isinstance(cause, str):
            raise TypeError(f"cause must be str, not {type(cause).__name__}")
        if not isinstance(ran, bool):
            raise TypeError(f"ran must be True or False, not {type(ran).__name__}")
        if len(self._ordered) >= MOST_FAULTS:
            raise ValueError(
                f"the fake server already has {MOST_FAULTS:,} injected errors; make calls to use some of them first"
            )
        self._ordered.append(Fault(code, operation, times, cause, ran))

    def take(self, operation: str) -> Fault | None:
        """Return the failure for a call, or None if the call does not fail. Removes a failure after its last use."""
        for fault in self._ordered:
            if fault.operation in (None, operation):
                if fault.times is not None:
                    fault.times -= 1
                    if not fault.times:
                        self._ordered.remove(fault)
                return fault
        return None

    def clear(self) -> None:
        """Remove all pending failures."""
        self._ordered.clear()
