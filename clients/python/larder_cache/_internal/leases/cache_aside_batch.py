"""Implements `get_or_set_batch`, which returns cached values and loads the missing ones with a factory (GOC-15)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

from larder_cache import responses as r
from larder_cache._internal.leases.made_value import PLAIN, Form
from larder_cache._internal.operations.arguments import Key, Refusal, at_most, reject_single_string, to_keys, to_ttl_ms
from larder_cache.errors import ErrorCode
from larder_cache.ttl import Ttl

if TYPE_CHECKING:
    from larder_cache.cache_results import CacheResults


async def get_or_make_batch(
    cache: CacheResults,
    keys: Iterable[Key],
    factory: Callable[[list[Any]], Awaitable[Sequence[Any]]],
    ttl: Ttl | None,
    form: Form = PLAIN,
) -> list[bytes]:
    """Implement CacheResults.get_or_set_batch. A stored value that `form` cannot decode is treated as a miss."""
    reject_single_string(keys)
    try:
        wanted = at_most(keys)
        sent = to_keys(wanted)
        if ttl is not None:
            to_ttl_ms(ttl)
    except Refusal as refusal:
        raise refusal.error.to_exception() from None
    # `asked` contains the distinct keys in order, compared as bytes. `written` maps each of them to the text or bytes
    # that the caller passed first. The factory receives the keys in that form.
    written = dict(zip(reversed(sent), reversed(wanted)))
    asked = list(dict.fromkeys(sent))
    if not asked:
        return []
    values: dict[bytes, bytes] = {}
    # Keys whose get failed. Their loaded values are not stored.
    unread: set[bytes] = set()
    for key, found in zip(asked, await _read(cache, asked), strict=True):
        if isinstance(found, r.Hit) and form.is_usable(found.value):
            values[key] = found.value
        elif isinstance(found, r.Error):
            unread.add(key)
    missing = [key for key in asked if key not in values]
    if not missing:
        return [values[key] for key in sent]
    made = dict(zip(missing, _encoded(await factory([written[key] for key in missing]), len(missing), form)))
    to_store = [(cast(Key, key), value) for key, value in made.items() if key not in unread]
    if to_store:
        stored = await cache.set_batch(to_store, ttl=ttl)
        if isinstance(stored, r.Error):
            cache.parts.lasting_errors.tell(cache.name, stored)
    values |= made
    return [values[key] for key in sent]


async def _read(cache: CacheResults, keys: list[bytes]) -> list[r.Hit | r.Miss | r.Error]:
    """Return a response for each key. Raises CacheError if the server rejects the request as invalid."""
    found = await cache.get_batch(cast(list[Key], keys))
    if isinstance(found, r.Error) and found.code is ErrorCode.INVALID_ARGUMENT:
        raise found.to_exception()
    answers = [found] * len(keys) if isinstance(found, r.Error) else found.responses
    for each in answers:
        if isinstance(each, r.Error):
            cache.parts.lasting_errors.tell(cache.name, each)
    return list(answers)


def _encoded(made: Any, count: int, form: Form) -> list[bytes]:
    """Encode the factory's results. Raises an exception for an invalid result before anything is stored."""
    if not isinstance(made, Sequence) or isinstance(made, (str, bytes, bytearray, memoryview)):
        raise TypeError(
            f"get_or_set_batch: the factory must return a list of values, not {type(cast(Any, made)).__name__}"
        )
    several = cast(Sequence[Any], made)
    if len(several) != count:
        raise ValueError(
            f"get_or_set_batch: the factory must return one value per key ({count:,}), but returned {len(several):,}"
        )
    try:
        return [form.encode(value) for value in several]
    except Refusal as refusal:
        raise refusal.error.to_exception() from None
