"""What one client has finished, and whether a read that ends now gives less. Pure."""

from __future__ import annotations

from array import array

_TOLD = 5


class NearCheck:
    """Versions of a key count up from 1; 0 is what was there before the first.

    Two reads that overlap may give either order: a read is compared with what had finished when it began, which is its
    floor. A miss names no version: it counts as the oldest delete that is none older than the floor, so that what comes
    after a miss that should have been a hit is found older.
    """

    def __init__(self, keys: int, delete_every: int) -> None:
        """`delete_every`: each version that this divides is a delete; 0: none is."""
        # By key: the version below which a read that begins now must not fall.
        self.floors = array("i", bytes(4 * keys))
        self._delete_every = delete_every
        self.violations = 0
        # The first few of them in words.
        self.told: list[str] = []
        # Whether misses say nothing any more: the cache was flushed, or its server began anew.
        self.is_lost = False

    def is_delete(self, version: int) -> bool:
        """Whether a version is a delete."""
        return self._delete_every > 0 and version % self._delete_every == 0

    def finished(self, key: int, version: int) -> None:
        """Take note that a read or write of this client has finished with this version."""
        if version > self.floors[key]:
            self.floors[key] = version

    def found(self, key: int, floor: int, version: int) -> None:
        """Judge a read that began at a floor and found this version."""
        if version < floor:
            self.violated(f"key {key}: a read gave version {version} after {floor} was finished")
        self.finished(key, version)

    def missed(self, key: int, floor: int, issued: int | None) -> int:
        """Judge a read that began at a floor and found nothing.

        Return the version that this stands for; -1 where a miss says nothing. `issued`: the last version that was begun
        to be written, where this process writes the key.
        """
        if self.is_lost:
            return -1
        every = self._delete_every
        if floor > 0 and every == 0:
            self.violated(f"key {key}: a read gave nothing after version {floor} was finished")
            return -1
        version = -(-floor // every) * every if floor else 0
        if issued is not None and version > issued:
            self.violated(f"key {key}: a read gave nothing after version {floor} was finished, and no delete since")
        self.finished(key, version)
        return version

    def violated(self, what: str) -> None:
        """Count what is wrong."""
        self.violations += 1
        if len(self.told) < _TOLD:
            self.told.append(what)
