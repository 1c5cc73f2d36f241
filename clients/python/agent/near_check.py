"""Checks that no read of a client returns an older version than an earlier read or write. Performs no I/O."""

from __future__ import annotations

from array import array

_TOLD = 5


class NearCheck:
    """Checks the versions of keys.

    The versions of a key count up from 1. Version 0 is the state before the first write.

    Overlapping reads may complete in either order. Therefore a read is compared with its floor, the greatest version
    that a read or write had completed when the read started. A miss has no version. It is treated as a read that
    returned the oldest delete that is not older than the floor. A later read that returns a version older than that
    delete is therefore a violation.
    """

    def __init__(self, keys: int, delete_every: int) -> None:
        """Create a check. Every version divisible by `delete_every` is a delete. If it is 0, there are no deletes."""
        # By key: the minimum version for a read that starts now.
        self.floors = array("i", bytes(4 * keys))
        self._delete_every = delete_every
        self.violations = 0
        # Descriptions of the first violations.
        self.told: list[str] = []
        # Whether misses are no longer violations, because the cache was flushed or its server restarted.
        self.is_lost = False

    def is_delete(self, version: int) -> bool:
        """Return whether a version is a delete."""
        return self._delete_every > 0 and version % self._delete_every == 0

    def finished(self, key: int, version: int) -> None:
        """Record that a read or write of this client has completed with this version."""
        if version > self.floors[key]:
            self.floors[key] = version

    def found(self, key: int, floor: int, version: int) -> None:
        """Check a read that returned this version. `floor` is the key's floor when the read started."""
        if version < floor:
            self.violated(f"key {key}: a read returned version {version} after version {floor} was acknowledged")
        self.finished(key, version)

    def missed(self, key: int, floor: int, issued: int | None) -> int:
        """Check a read that returned nothing.

        Returns the version of the delete that explains the miss, or -1 if the miss cannot be checked.

        Args:
            floor: The key's floor when the read started.
            issued: The last version whose write has started, or None if this process does not write the key.
        """
        if self.is_lost:
            return -1
        every = self._delete_every
        if floor > 0 and every == 0:
            self.violated(f"key {key}: a read returned a miss after version {floor} was acknowledged")
            return -1
        version = -(-floor // every) * every if floor else 0
        if issued is not None and version > issued:
            self.violated(
                f"key {key}: a read returned a miss after version {floor} was acknowledged, although no delete followed"
            )
        self.finished(key, version)
        return version

    def violated(self, what: str) -> None:
        """Count a violation."""
        self.violations += 1
        if len(self.told) < _TOLD:
            self.told.append(what)
