"""What a factory makes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from larder_cache.arguments import Refusal, to_bytes

Factory = Callable[[], Awaitable[Any]]


async def made_by_factory(factory: Factory) -> bytes:
    """Raises what the factory raises, TypeError for what is no value, CacheError for text that is no UTF-8."""
    try:
        return to_bytes(await factory())
    except Refusal as refusal:
        raise refusal.error.to_exception() from None
