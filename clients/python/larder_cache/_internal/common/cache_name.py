"""What may be a cache's name (CTRL-7)."""

from __future__ import annotations

# Names are remembered by who checked them: a bound on each is a bound on all.
_LONGEST = 255


def fault_of(name: str) -> str | None:
    """Say why a text is no cache's name; None: it is one."""
    if not name or name.isspace():
        return "a cache name is not empty or blank"
    if len(name) > _LONGEST:
        return f"a cache name has at most {_LONGEST} characters, not {len(name):,}"
    try:
        name.encode()
    except UnicodeEncodeError as error:
        return f"a cache name cannot be sent: {error}"
    return None
