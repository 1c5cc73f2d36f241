"""The versions of the keys that a process writes in a `near` run. Has no I/O."""

from __future__ import annotations

from array import array

_FREE, _BUSY = 0, -1


class NearWrites:
    """Reserves the next version of a key for one caller at a time.

    After a write with an unknown outcome, which the server may still execute, the key is not written until that write
    was read or can no longer happen. Therefore versions reach the server in order.
    """

    def __init__(self, keys: int, settle_ns: int) -> None:
        # By key: the last version whose write has started.
        self.issued = array("i", bytes(4 * keys))
        # By key: free, busy, or the time in ns at which the last write ended with an unknown outcome.
        self._states = array("q", bytes(8 * keys))
        self._settle_ns = settle_ns

    def try_begin(self, key: int, now_ns: int) -> int:
        """Reserve and return the next version to write.

        Returns 0 if another caller writes the key or the outcome of its last write is unknown.
        """
        state = self._states[key]
        if state == _BUSY or (state != _FREE and now_ns - state <= self._settle_ns):
            return 0
        self._states[key] = _BUSY
        self.issued[key] += 1
        return self.issued[key]

    def finished(self, key: int) -> None:
        """Record that the write has succeeded."""
        self._states[key] = _FREE

    def unknown(self, key: int, now_ns: int) -> None:
        """Record that the write ended with an error.

        The server may have executed the write, may still execute it, or may never execute it.
        """
        self._states[key] = max(1, now_ns)

    def seen(self, key: int, version: int) -> None:
        """Record that a read returned this version. If the outcome of the last write was unknown, it is known now."""
        if self._states[key] > _FREE and version == self.issued[key]:
            self._states[key] = _FREE

    def unsettled(self) -> int:
        """Return the number of keys whose last write has an unknown outcome."""
        return sum(state > _FREE for state in self._states)
