"""`@cached(cache, ttl=…)`: a coroutine function whose results live in the cache."""

from __future__ import annotations

import functools
import json
from collections.abc import Awaitable, Callable
from typing import Any, Generic, ParamSpec, TypeVar, Union, cast

from larder_cache.bound_cache import BoundCache
from larder_cache.ttl import Ttl

P = ParamSpec("P")
V = TypeVar("V")


class CachedFunction(Generic[P, V]):
    """Call it as the function; `.invalidate(…)` forgets the result for the same arguments.

    Results travel as JSON and nothing is ever unpickled: a hostile value can at worst be a wrong value or a
    ValueError. A result that JSON cannot say raises TypeError at the first call.
    """

    def __init__(
        self,
        cache: BoundCache,
        function: Callable[P, Awaitable[V]],
        ttl: Ttl | None,
        key: Callable[..., Union[str, bytes]] | None,
    ) -> None:
        functools.update_wrapper(self, function)
        self._cache = cache
        self._function = function
        self._ttl = ttl
        self._key = key or self._key_of_arguments

    async def __call__(self, *args: P.args, **kwargs: P.kwargs) -> V:
        async def make() -> bytes:
            return json.dumps(await self._function(*args, **kwargs)).encode()

        return cast(V, json.loads(await self._cache.get_or_set(self._key(*args, **kwargs), make, ttl=self._ttl)))

    async def invalidate(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Forget the result for these arguments."""
        await self._cache.delete(self._key(*args, **kwargs))

    def _key_of_arguments(self, *args: Any, **kwargs: Any) -> str:
        """The function's name and its arguments as JSON. Raises TypeError where JSON cannot say them: give `key`."""
        said = json.dumps([args, kwargs], sort_keys=True, separators=(",", ":"))
        return f"{self._function.__module__}.{self._function.__qualname__}:{said}"


def cached(
    cache: BoundCache, *, ttl: Ttl | None = None, key: Callable[..., Union[str, bytes]] | None = None
) -> Callable[[Callable[P, Awaitable[V]]], CachedFunction[P, V]]:
    """Keep a coroutine function's results in `cache` for `ttl`; one call per arguments at a time per process.

    `key`: makes the key from the arguments, where their JSON would not do.
    """

    def decorate(function: Callable[P, Awaitable[V]]) -> CachedFunction[P, V]:
        return CachedFunction(cache, function, ttl, key)

    return decorate
