"""What no retry will mend, and would be a miss for ever where values are made without the cache."""

from __future__ import annotations

from larder_cache import responses as r
from larder_cache._internal.common import log
from larder_cache.errors import ErrorCode

_LASTING = (
    ErrorCode.NOT_FOUND,
    ErrorCode.PERMISSION_DENIED,
    ErrorCode.UNAUTHENTICATED,
    ErrorCode.FAILED_PRECONDITION,
    # What a server refuses to store: its time to live, its size.
    ErrorCode.INVALID_ARGUMENT,
    ErrorCode.LIMIT_EXCEEDED,
)
_MOST = 1_000


class LastingErrors:
    """One client's. Safe for threads."""

    def __init__(self) -> None:
        self._told: set[tuple[str, ErrorCode]] = set()

    def tell(self, cache: str, error: r.Error) -> None:
        """Log one where it lasts, once for each cache and code; another as what it costs, a value made without."""
        if error.code in _LASTING and (cache, error.code) not in self._told and len(self._told) < _MOST:
            self._told.add((cache, error.code))
            log.cache_unusable(cache, error.code, error.message)
        else:
            log.made_without_cache(cache, error.code)
