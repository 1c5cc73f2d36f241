"""`@cached(cache, ttl=…)`: a decorator that stores the results of a function in the cache."""

from __future__ import annotations

import functools
import inspect
import json
import sys
import uuid
import weakref
from collections.abc import Awaitable, Callable, Mapping
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, Protocol, Self, TypeVar, Union, cast, overload

from larder_cache._internal.codecs.limits import dump_json, parse_json
from larder_cache._internal.leases.cache_aside import get_or_make, without_context
from larder_cache.cache import Cache
from larder_cache.get_or_set_options import GetOrSetOptions
from larder_cache.ttl import Ttl

if TYPE_CHECKING:
    from larder_cache import sync

P = ParamSpec("P")
V = TypeVar("V")
KeyMaker = Callable[..., Union[str, bytes]]

# Random names that identify the instances of cached methods in keys, by the `id` of the instance. An entry is removed
# when its instance is collected.
_words: dict[int, tuple[weakref.ref[Any], str]] = {}
# The code of each function that is defined inside another function. The size of the program limits the number of
# entries.
_local_code: dict[str, CodeType] = {}


class _Json:
    """The storage format of results, which is JSON. Implements made_value.Form."""

    def encode(self, value: Any) -> bytes:
        return dump_json(value)

    def decode(self, value: bytes) -> Any:
        return parse_json(value)

    def is_usable(self, value: bytes) -> bool:
        try:
            parse_json(value)
        except ValueError:
            return False
        return True


_JSON = _Json()


class _Keyed(Generic[P, V]):
    """The base of both kinds of cached functions. Results are stored as JSON. Nothing is ever unpickled.

    A stored value that is not JSON is a miss and is replaced. A result that JSON cannot represent raises TypeError. So
    does a result with more than 1,000,000 elements or 512 nesting levels (CODEC-10).
    """

    def __init__(
        self,
        cache: Cache,
        function: Callable[P, Any],
        ttl: Ttl | None,
        key: KeyMaker | None,
        options: GetOrSetOptions | None,
    ) -> None:
        functools.update_wrapper(cast(Callable[P, Any], self), function)
        self._cache = cache
        self._function = function
        self._ttl = ttl
        self._options = options
        self._key = key
        if key is None:
            _check_name(function)
        self._signature = inspect.signature(function)
        # The instance on which a method is called. It precedes the other arguments.
        self._bound: tuple[Any, ...] = ()

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Self:
        ...

    @overload
    def __get__(self, instance: object, owner: type | None = None) -> Any:
        ...

    def __get__(self, instance: object | None, owner: type | None = None) -> Any:
        if instance is None:
            return self
        bound = object.__new__(type(self))
        bound.__dict__.update(self.__dict__)
        bound._bound = (instance,)
        return bound

    def __reduce__(self) -> Any:
        """Pickle a function as its qualified name, and a bound method as its instance and its name."""
        name = cast(Any, self).__qualname__
        return (getattr, (self._bound[0], cast(Any, self).__name__)) if self._bound else name

    async def _value(self, key: Union[str, bytes], make: Callable[[], Awaitable[Any]]) -> bytes:
        return await get_or_make(self._cache.results, key, without_context(make), self._ttl, self._options, _JSON)

    def _key_of(self, *args: Any, **kwargs: Any) -> Union[str, bytes]:
        """Return the key of a call.

        If the decorator has a `key`, returns its result. Otherwise the key consists of the function's name and its
        normalized arguments as JSON.

        If JSON cannot represent the instance of a method, the key contains a random name of that instance, so that
        instances do not share results. Raises TypeError for other arguments that JSON cannot represent.
        """
        args = (*self._bound, *args)
        if self._key is not None:
            return self._key(*args, **kwargs)
        said = self._signature.bind(*args, **kwargs)
        said.apply_defaults()
        arguments = dict(said.arguments)
        if args and (self._bound or next(iter(arguments)) in ("self", "cls")):
            first = next(iter(arguments))
            arguments[first] = _word_of(arguments[first])
        name = f"{self._function.__module__}.{self._function.__qualname__}"
        _check(name, arguments)
        try:
            return f"{name}:{json.dumps(arguments, sort_keys=True, separators=(',', ':'))}"
        except (TypeError, ValueError) as error:
            raise TypeError(f"{name}: cannot create a key from the arguments ({error}); pass key= to @cached") from None


class CachedFunction(_Keyed[P, V]):
    """A cached coroutine function. `await function.invalidate(…)` removes the result for the same arguments."""

    async def __call__(self, *args: P.args, **kwargs: P.kwargs) -> V:
        async def make() -> Any:
            made: Any = self._function(*cast(Any, (*self._bound, *args)), **kwargs)
            return await made if inspect.isawaitable(made) else made

        key = self._key_of(*args, **kwargs)
        return cast(V, parse_json(await self._value(key, make)))

    async def invalidate(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Remove the stored result for these arguments."""
        await self._cache.delete(self._key_of(*args, **kwargs))


class BlockingCachedFunction(_Keyed[P, V]):
    """A cached blocking function. `function.invalidate(…)` removes the result for the same arguments."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> V:
        from larder_cache._internal.blocking.background_loop import drive, made_by

        make = made_by(functools.partial(cast(Any, self._function), *self._bound, *args, **kwargs))
        return cast(V, parse_json(drive(self._value(self._key_of(*args, **kwargs), make))))

    def invalidate(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Remove the stored result for these arguments."""
        from larder_cache._internal.blocking.background_loop import drive

        drive(self._cache.delete(self._key_of(*args, **kwargs)))


class _Decorator(Protocol):
    """The decorator that `cached` returns for an asyncio cache. It accepts coroutine functions and plain functions."""

    @overload
    def __call__(self, function: Callable[P, Awaitable[V]], /) -> CachedFunction[P, V]:
        ...

    @overload
    def __call__(self, function: Callable[P, V], /) -> CachedFunction[P, V]:
        ...


@overload
def cached(
    cache: Cache,
    *,
    ttl: Ttl | None = None,
    key: KeyMaker | None = None,
    options: GetOrSetOptions | None = None,
) -> _Decorator:
    ...


@overload
def cached(
    cache: sync.Cache,
    *,
    ttl: Ttl | None = None,
    key: KeyMaker | None = None,
    options: GetOrSetOptions | None = None,
) -> Callable[[Callable[P, V]], BlockingCachedFunction[P, V]]:
    ...


def cached(
    cache: Any, *, ttl: Ttl | None = None, key: KeyMaker | None = None, options: GetOrSetOptions | None = None
) -> Any:
    """Store the results of a function or method in `cache`.

    Concurrent calls with equal arguments run the function once per process.

    Args:
        cache: A handle from `client.cache(name)`. With a handle of larder_cache.sync the decorated function blocks.
            With a handle of an asyncio client the decorated function must be awaited, even if it was a plain function.
        ttl: The time to live of a result. None selects the client's default.
        key: Builds the key from the arguments (including a method's `self`). Use it if JSON cannot represent
            the arguments, or if several instances of a class should share results. By default the key consists of the
            function's module, qualified name and arguments.
        options: The options of `get_or_set`. `ttl_of` receives the function's result.

    Raises:
        TypeError: `cache` is not a cache handle. Or `key` is missing and the function has no unique name: it is a
            lambda, a function that captures variables, a bound method, or a callable without a name.
    """

    blocking = getattr(cache, "asynchronous", None)
    if not isinstance(blocking or cache, Cache):
        raise TypeError(f"@cached: cache must be a handle from client.cache(name), not {type(cache).__name__}")

    def decorate(function: Callable[..., Any]) -> Any:
        if blocking is None:
            return cast(Any, CachedFunction[..., Any](cache, function, ttl, key, options))
        if inspect.iscoroutinefunction(function):
            raise TypeError(
                "@cached: a coroutine function needs a handle of larder_cache.CacheClient, not of larder_cache.sync"
            )
        return cast(Any, BlockingCachedFunction[..., Any](blocking, function, ttl, key, options))

    return decorate


def _word_of(instance: Any) -> Any:
    """Return the part of the key that identifies the instance or class of a method."""
    if isinstance(instance, type) and _is_importable(instance):
        return f"{instance.__module__}.{instance.__qualname__}"
    if isinstance(instance, (str, int, float, list, dict, type(None))):
        return cast(Any, instance)
    number = id(instance)
    found = _words.get(number)
    if found is not None and found[0]() is instance:
        return found[1]

    def forget(gone: weakref.ref[Any]) -> None:
        if (kept := _words.get(number)) is not None and kept[0] is gone:
            del _words[number]

    try:
        made = weakref.ref(instance, forget), uuid.uuid4().hex
    except TypeError:
        why = "cannot be part of a cache key, because it does not support weak references"
        raise TypeError(f"{type(instance).__name__} {why}; pass key= to @cached") from None
    # Another thread may have added an entry first. The entry may also belong to a collected object, if a signal handler
    # raised in `forget`.
    kept = _words.setdefault(number, made)
    if kept[0]() is not instance:
        kept = _words[number] = made
    return kept[1]


def _is_importable(cls: type) -> bool:
    """Return whether the module and the qualified name of a class identify the class."""
    found: Any = sys.modules.get(cls.__module__)
    for part in cls.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is cls


def _check_name(function: Any) -> None:
    """Raise TypeError if the module and the qualified name of a function do not identify the function."""
    name, bound = getattr(function, "__qualname__", None), getattr(function, "__self__", None)
    if not isinstance(name, str):
        raise TypeError(f"@cached: {type(function).__name__} has no qualified name for the key; pass key=")
    if bound is not None and not isinstance(bound, ModuleType):
        raise TypeError(f"@cached: {name} is bound to an instance, so its name is not unique; pass key=")
    if "<lambda>" in name:
        raise TypeError("@cached: the name of a lambda is not unique; pass key=, or define a named function")
    if "<locals>" not in name:
        return
    code = getattr(function, "__code__", None)
    captured = () if code is None else sorted(set(code.co_freevars) - {"__class__"})
    if code is None or captured:
        what = f"captures {', '.join(captured)}" if captured else "is a callable defined in a function"
        raise TypeError(f"@cached: {name} {what}, so different functions would use the same keys; pass key=")
    if _local_code.setdefault(f"{function.__module__}.{name}", code) != code:
        raise TypeError(f"@cached: another function is also named {name}; pass key=, or rename one")


def _check(name: str, value: Any) -> None:
    """Raise TypeError if JSON would change a value silently, for example a number as a dictionary key."""
    if isinstance(value, Mapping):
        for key, each in cast(Mapping[Any, Any], value).items():
            if not isinstance(key, str):
                raise TypeError(f"{name}: the dictionary key {key!r} is not str; pass key= to @cached")
            _check(name, each)
    elif isinstance(value, (list, tuple)):
        for each in cast(list[Any], value):
            _check(name, each)
