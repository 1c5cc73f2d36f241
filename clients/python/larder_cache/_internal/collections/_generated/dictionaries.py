# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
"""Calls on dictionaries."""

from __future__ import annotations

from collections.abc import Iterable

from larder_cache import responses as r
from larder_cache._internal.client.cache_calls import CacheCalls
from larder_cache._internal.operations._generated import operations as op
from larder_cache._internal.operations.arguments import Key
from larder_cache._internal.operations.collection_fields import DictionaryItems
from larder_cache.collection_ttl import AnyTtl


class Dictionaries(CacheCalls):
    """Calls on dictionaries."""

    async def dictionary_get(self, name: Key, fields: Iterable[Key]) -> r.DictionaryGetResponse:
        """Get fields of a dictionary.

        `fields`: The fields, in the order of the results.
        """
        return await self._send(op.DICTIONARY_GET, self._requests.dictionary_get, name, fields)

    async def dictionary_fetch(self, name: Key) -> r.DictionaryFetchResponse:
        """Get all fields of a dictionary, in no particular order."""
        return await self._send(op.DICTIONARY_FETCH, self._requests.key, name)

    async def dictionary_set(
        self, name: Key, items: DictionaryItems, *, ttl: AnyTtl | None = None
    ) -> r.DictionarySetResponse:
        """Store fields of a dictionary, which is created if it does not exist. If a field occurs twice, its last value
        wins.

        `items`: The fields with their values, stored in this order. There may be none.

        `ttl`: The time to live of the dictionary, and whether an existing dictionary gets it too. If None, the client's
        default is used, and an existing dictionary gets it too.
        """
        return await self._send(op.DICTIONARY_SET, self._requests.dictionary_set, name, items, ttl)

    async def dictionary_increment(
        self, name: Key, field: Key, amount: int = 1, *, ttl: AnyTtl | None = None
    ) -> r.DictionaryIncrementResponse:
        """Add to an integer field, which is created with the value 0 if it does not exist. The client does not retry
        this call if it may have run.

        `field`: The name of the field: at least one byte.

        `amount`: The amount to add, which may be negative or 0.

        `ttl`: The time to live of the dictionary, and whether an existing dictionary gets it too. If None, the client's
        default is used, and an existing dictionary gets it too.
        """
        return await self._send(op.DICTIONARY_INCREMENT, self._requests.dictionary_increment, name, field, amount, ttl)

    async def dictionary_delete(self, name: Key) -> r.DictionaryDeleteResponse:
        """Delete a dictionary. Succeeds even if it does not exist."""
        return await self._send(op.DICTIONARY_DELETE, self._requests.dictionary_delete, name)

    async def dictionary_remove(self, name: Key, fields: Iterable[Key]) -> r.DictionaryDeleteResponse:
        """Remove fields of a dictionary. Succeeds even if they do not exist.

        `fields`: The fields, which need not exist.
        """
        return await self._send(op.DICTIONARY_REMOVE, self._requests.dictionary_remove, name, fields)

    async def dictionary_length(self, name: Key) -> r.DictionaryLengthResponse:
        """Get the number of fields of a dictionary."""
        return await self._send(op.DICTIONARY_LENGTH, self._requests.key, name)
