"""Validation of cache names (CTRL-7)."""

from __future__ import annotations

# Validated names are kept, so this also bounds the memory that they take.
_LONGEST = 255


def fault_of(name: str) -> str | None:
    """Return why a string is not a valid cache name; None: it is valid."""
    if not name or name.isspace():
        return "the cache name must not be empty or blank"
    if len(name) > _LONGEST:
        return f"the cache name must have at most {_LONGEST} characters, not {len(name):,}"
    try:
        name.encode()
    except UnicodeEncodeError as error:
        return f"the cache name cannot be encoded as UTF-8: {error}"
    return None
