"""Creates backends as Django creates them from the settings of a site."""

from __future__ import annotations

import os
from typing import Any


def backend_of(options: dict[str, Any] | None = None, *, server: str = "", **settings: Any) -> Any:
    """Return a backend with the given settings that uses the tests' server."""
    from larder_cache.django import LarderCache

    return LarderCache(server or os.environ["LARDER_URL"], {"OPTIONS": options or {}} | settings)
