"""Records the writes and reads of one process in a `near` run in a file.

Another program checks the files of all processes together.
"""

from __future__ import annotations

from types import TracebackType
from typing import Self

_KEPT_LINES = 1_000


class NearRecords:
    """Writes the file. Each line has one of these forms:

    - `w,key,version,finished`: a completed write
    - `u,key,version,ended`: a write with an unknown outcome
    - `r,key,version,first end,last begin`: the reads that returned a version, with the time when the first of them
      ended and the time when the last of them started
    - `m,key,version`: a read that returned nothing, because of this delete or a later delete

    Times are in ns of the monotonic clock, which all processes of a machine share.
    """

    def __init__(self, path: str | None) -> None:
        """Create the records. If `path` is None, nothing is recorded."""
        self._file = open(path, "w", encoding="ascii") if path else None
        self._lines: list[str] = []
        # By key: the last version read, when the first read of this version ended, and when the last one started.
        self._readings: dict[int, list[int]] = {}
        self._missed: dict[int, int] = {}

    def wrote(self, key: int, version: int, finished_ns: int) -> None:
        """Record a completed write."""
        self._add(f"w,{key},{version},{finished_ns}\n")

    def unknown(self, key: int, version: int, ended_ns: int) -> None:
        """Record a write that ended with an error."""
        self._add(f"u,{key},{version},{ended_ns}\n")

    def read(self, key: int, version: int, began_ns: int, ended_ns: int) -> None:
        """Record a read of this version."""
        if self._file is None:
            return
        reading = self._readings.get(key)
        if reading is None:
            self._readings[key] = [version, ended_ns, began_ns]
        elif reading[0] == version:
            # Reads are recorded in the order in which they end, not in the order in which they start.
            if began_ns > reading[2]:
                reading[2] = began_ns
        else:
            self._tell(key, reading)
            reading[:] = [version, ended_ns, began_ns]

    def missed(self, key: int, version: int) -> None:
        """Record a read that returned nothing. This delete is the earliest that explains it."""
        if self._missed.get(key) != version:
            self._missed[key] = version
            self._add(f"m,{key},{version}\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._file is None:
            return
        for key, reading in self._readings.items():
            self._tell(key, reading)
        self._file.writelines(self._lines)
        self._file.close()

    def _tell(self, key: int, reading: list[int]) -> None:
        version, first_end, last_begin = reading
        self._add(f"r,{key},{version},{first_end},{last_begin}\n")

    def _add(self, line: str) -> None:
        if self._file is None:
            return
        self._lines.append(line)
        if len(self._lines) >= _KEPT_LINES:
            self._file.writelines(self._lines)
            self._lines.clear()
