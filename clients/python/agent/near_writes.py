"""The versions of the keys that a process writes in a `near` run. Pure."""

from __future__ import annotations

from array import array

_FREE, _BUSY = 0, -1


class NearWrites:
    """A key is written by one caller at a time.

    After a write whose end is unknown, which the server may still make, it is not written at all until that write was
    seen or can come no more. So versions reach the server in order.
    """

    def __init__(self, keys: int, settle_ns: int) -> None:
        # By key: the last version that was begun.
        self.issued = array("i", bytes(4 * keys))
        # Free, busy, or when the last write ended unknown, in ns.
        self._states = array("q", bytes(8 * keys))
        self._settle_ns = settle_ns

    def try_begin(self, key: int, now_ns: int) -> int:
        """Return the next version to write, the caller's until it has ended; 0: it is another's, or not settled."""
        state = self._states[key]
        if state == _BUSY or (state != _FREE and now_ns - state <= self._settle_ns):
            return 0
        self._states[key] = _BUSY
        self.issued[key] += 1
        return self.issued[key]

    def finished(self, key: int) -> None:
        """Take note that the write has ended with success."""
        self._states[key] = _FREE

    def unknown(self, key: int, now_ns: int) -> None:
        """Take note that it has ended with an error: it was made, is yet to be made, or is not."""
        self._states[key] = max(1, now_ns)

    def seen(self, key: int, version: int) -> None:
        """Take note that a read found this version: if the last write's end was unknown, it was made, only once."""
        if self._states[key] > _FREE and version == self.issued[key]:
            self._states[key] = _FREE

    def unsettled(self) -> int:
        """Return how many keys wait to be settled."""
        return sum(state > _FREE for state in self._states)
