"""Validation of cache names (CTRL-7)."""

from __future__ import annotations

# The maximum length of a name. Validated names are cached, so the maximum also limits the memory of the cache.
_LONGEST = 255


def fault_of(name: str) -> str | None:
    """Return the reason why a cache name is invalid, or None if it is valid."""
    if not name or name.isspace():
        return "the cache name must not be empty or blank"
    if len(name) > _LONGEST:
        return f"the cache name must have at most {_LONGEST} characters, not {len(name):,}"
    try:
        name.encode()
    except UnicodeEncodeError as error:
        return f"the cache name cannot be encoded as UTF-8: {error}"
    return None
