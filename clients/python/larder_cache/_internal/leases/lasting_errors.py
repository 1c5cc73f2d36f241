"""Logs errors that a retry would not fix.

Without the log `get_or_set` would hide these errors, because it treats a failed call as a miss.
"""

from __future__ import annotations

from larder_cache import responses as r
from larder_cache._internal.common import log
from larder_cache.errors import ErrorCode

_LASTING = (
    ErrorCode.NOT_FOUND,
    ErrorCode.PERMISSION_DENIED,
    ErrorCode.UNAUTHENTICATED,
    ErrorCode.FAILED_PRECONDITION,
    # The server rejects the value because of its time to live or size.
    ErrorCode.INVALID_ARGUMENT,
    ErrorCode.LIMIT_EXCEEDED,
)
_MOST = 1_000


class PermanentErrorLog:
    """Logs the lasting errors of one client. Thread-safe."""

    def __init__(self) -> None:
        self._told: set[tuple[str, ErrorCode]] = set()

    def tell(self, cache: str, error: r.Error) -> None:
        """Log an error. A lasting error is logged once for each cache and code.

        For other errors, log that a value was loaded without the cache.
        """
        if error.code in _LASTING and (cache, error.code) not in self._told and len(self._told) < _MOST:
            self._told.add((cache, error.code))
            log.cache_unusable(cache, error.code, error.message)
        else:
            log.made_without_cache(cache, error.code)
