"""`@cached(cache, ttl=…)`: a function whose results live in the cache."""

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
from larder_cache._internal.leases.cache_aside import get_or_make
from larder_cache.cache import Cache
from larder_cache.get_or_set_options import GetOrSetOptions
from larder_cache.ttl import Ttl

if TYPE_CHECKING:
    from larder_cache import sync

P = ParamSpec("P")
V = TypeVar("V")
KeyMaker = Callable[..., Union[str, bytes]]

# What stands for an instance whose method is cached: a word of its own, by identity, for as long as it lives.
_words: dict[int, tuple[weakref.ref[Any], str]] = {}
# The code of each function defined in another one: as many as the program has.
_local_code: dict[str, CodeType] = {}


class _Json:
    """How results are stored (made_value.Form)."""

    def encode(self, value: Any) -> bytes:
        return dump_json(value)

    def is_usable(self, value: bytes) -> bool:
        try:
            parse_json(value)
        except ValueError:
            return False
        return True


_JSON = _Json()


class _Keyed(Generic[P, V]):
    """The ground of both kinds. Results travel as JSON and nothing is ever unpickled.

    A value that is no JSON is a miss, and replaced. A result that JSON cannot say raises TypeError, as does one of more
    than 1,000,000 elements or 512 nested levels (CODEC-10).
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
        # The instance that a method is called on, in front of its arguments.
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
        """Pickle as the function: by its name, or as the instance's method."""
        name = cast(Any, self).__qualname__
        return (getattr, (self._bound[0], cast(Any, self).__name__)) if self._bound else name

    async def _value(self, key: Union[str, bytes], make: Callable[[], Awaitable[Any]]) -> bytes:
        return await get_or_make(self._cache.results, key, make, self._ttl, self._options, _JSON)

    def _key_of(self, *args: Any, **kwargs: Any) -> Union[str, bytes]:
        """Return the key: `key`'s, or the function's name and its arguments as JSON, however they were written.

        An instance that JSON cannot say has a word of its own: its results are found by itself alone. Raises TypeError
        for other arguments that JSON cannot say.
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
            raise TypeError(f"{name}: its arguments make no key ({error}); give @cached a key=") from None


class CachedFunction(_Keyed[P, V]):
    """Await it as the function; `await ….invalidate(…)` forgets the result for the same arguments."""

    async def __call__(self, *args: P.args, **kwargs: P.kwargs) -> V:
        async def make() -> Any:
            made: Any = self._function(*cast(Any, (*self._bound, *args)), **kwargs)
            return await made if inspect.isawaitable(made) else made

        key = self._key_of(*args, **kwargs)
        return cast(V, parse_json(await self._value(key, make)))

    async def invalidate(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Forget the result for these arguments."""
        await self._cache.delete(self._key_of(*args, **kwargs))


class BlockingCachedFunction(_Keyed[P, V]):
    """Call it as the function; `.invalidate(…)` forgets the result for the same arguments."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> V:
        from larder_cache._internal.blocking.background_loop import drive

        async def make() -> Any:
            return self._function(*cast(Any, (*self._bound, *args)), **kwargs)

        key = self._key_of(*args, **kwargs)
        return cast(V, parse_json(drive(self._value(key, make))))

    def invalidate(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Forget the result for these arguments."""
        from larder_cache._internal.blocking.background_loop import drive

        drive(self._cache.delete(self._key_of(*args, **kwargs)))


class _Decorator(Protocol):
    """What `cached` returns for an asyncio cache: it takes coroutine functions, and plain ones."""

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
    """Keep a function's or a method's results in `cache` for `ttl`; one call per arguments at a time per process.

    `cache`: what `client.cache(name)` returns; TypeError for anything else. With one of larder_cache.sync the function
    blocks; with an asyncio one it is awaited, whatever it was. `key`: makes the key from the arguments (a method's
    `self` first), if their JSON would not do, or if several instances of a class are to share results. Without it the
    key is the function's module, qualified name and arguments, and TypeError refuses functions that this does not
    identify: lambdas, functions that capture variables, bound methods, callables without a name.
    `options`: as `get_or_set` takes them; `ttl_of` is given the function's result.
    """

    blocking = getattr(cache, "asynchronous", None)
    if not isinstance(blocking or cache, Cache):
        raise TypeError(f"@cached takes what client.cache(name) returns, not {type(cache).__name__}")

    def decorate(function: Callable[..., Any]) -> Any:
        if blocking is None:
            return cast(Any, CachedFunction[..., Any](cache, function, ttl, key, options))
        if inspect.iscoroutinefunction(function):
            raise TypeError("a coroutine function's results need the cache of a larder_cache.CacheClient")
        return cast(Any, BlockingCachedFunction[..., Any](blocking, function, ttl, key, options))

    return decorate


def _word_of(instance: Any) -> Any:
    """Return what stands for a method's instance or class in its key."""
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
        why = "cannot stand in a key (it takes no weak references)"
        raise TypeError(f"{type(instance).__name__} {why}; give @cached a key=") from None
    # Another thread may have been faster. If a signal handler raised in `forget`, a dead object's word is left.
    kept = _words.setdefault(number, made)
    if kept[0]() is not instance:
        kept = _words[number] = made
    return kept[1]


def _is_importable(cls: type) -> bool:
    """Return whether a class is what its module and qualified name lead to, so that they identify it."""
    found: Any = sys.modules.get(cls.__module__)
    for part in cls.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is cls


def _check_name(function: Any) -> None:
    """Raise TypeError for a function that its module and qualified name do not identify."""
    name, bound = getattr(function, "__qualname__", None), getattr(function, "__self__", None)
    if not isinstance(name, str):
        raise TypeError(f"@cached: {type(function).__name__} has no qualified name to make a key of; pass key=")
    if bound is not None and not isinstance(bound, ModuleType):
        raise TypeError(f"@cached: {name} is bound to an instance, which its name does not identify; pass key=")
    if "<lambda>" in name:
        raise TypeError("@cached: a lambda's name does not identify it; pass key=, or define a function")
    if "<locals>" not in name:
        return
    code = getattr(function, "__code__", None)
    captured = () if code is None else sorted(set(code.co_freevars) - {"__class__"})
    if code is None or captured:
        what = f"captures {', '.join(captured)}" if captured else "is a callable defined in a function"
        raise TypeError(f"@cached: {name} {what}, and its results would be mixed with those of others; pass key=")
    if _local_code.setdefault(f"{function.__module__}.{name}", code) != code:
        raise TypeError(f"@cached: another function is named {name} too; pass key=, or rename one")


def _check(name: str, value: Any) -> None:
    """Raise TypeError for what JSON would write as if it were something else: a number as a dictionary's key."""
    if isinstance(value, Mapping):
        for key, each in cast(Mapping[Any, Any], value).items():
            if not isinstance(key, str):
                raise TypeError(f"{name}: a dictionary's key {key!r} is no text; give @cached a key=")
            _check(name, each)
    elif isinstance(value, (list, tuple)):
        for each in cast(list[Any], value):
            _check(name, each)
