"""Abbreviates values in the text of responses, because logs should not contain whole values."""

from __future__ import annotations

# The maximum number of bytes or characters to show.
_SHOWN = 32


def shown(value: bytes | str) -> str:
    """Return text with a value's length and its beginning."""
    unit = "character" if isinstance(value, str) else "byte"
    more = "…" if len(value) > _SHOWN else ""
    return f"{len(value):,} {unit}{'' if len(value) == 1 else 's'}: {value[:_SHOWN]!r}{more}"
