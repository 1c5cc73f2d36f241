# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
"""Calls on dictionaries: a client's, and those of a cache by its handle."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from larder_cache import responses as r
from larder_cache._internal.client.sender import Sender
from larder_cache._internal.operations._generated import operations as op
from larder_cache._internal.operations.arguments import Key
from larder_cache._internal.operations.collection_fields import DictionaryItems
from larder_cache.collection_ttl import AnyTtl

if TYPE_CHECKING:
    from larder_cache.client import CacheClient


class ClientDictionaries(Sender):
    """A client's."""

    async def dictionary_get(
        self, cache: str, name: Key, fields: Iterable[Key], *, timeout_s: float | None = None
    ) -> r.DictionaryGetResponse:
        """Gets fields of a dictionary.

        `fields`: The fields, in the order in which they are to be answered.
        """
        return await self._send(op.DICTIONARY_GET, cache, timeout_s, self._requests.dictionary_get, name, fields)

    async def dictionary_fetch(
        self, cache: str, name: Key, *, timeout_s: float | None = None
    ) -> r.DictionaryFetchResponse:
        """Gets all fields of a dictionary, in no order."""
        return await self._send(op.DICTIONARY_FETCH, cache, timeout_s, self._requests.key, name)

    async def dictionary_set(
        self,
        cache: str,
        name: Key,
        items: DictionaryItems,
        *,
        ttl: AnyTtl | None = None,
        timeout_s: float | None = None,
    ) -> r.DictionarySetResponse:
        """Stores fields of a dictionary, which is made where it is missing. The last of equal fields wins.

        `items`: The fields with their values, stored in this order; may be none.

        `ttl`: The dictionary's time to live, and whether one that is there gets it too; None: the client's default, and
        it does.
        """
        return await self._send(op.DICTIONARY_SET, cache, timeout_s, self._requests.dictionary_set, name, items, ttl)

    async def dictionary_increment(
        self,
        cache: str,
        name: Key,
        field: Key,
        amount: int = 1,
        *,
        ttl: AnyTtl | None = None,
        timeout_s: float | None = None,
    ) -> r.DictionaryIncrementResponse:
        """Adds to an integer field, which is made at 0 where it is missing. Never sent twice where it may have run.

        `field`: The field: at least one byte.

        `amount`: What is added; may be negative or 0.

        `ttl`: The dictionary's time to live, and whether one that is there gets it too; None: the client's default, and
        it does.
        """
        return await self._send(
            op.DICTIONARY_INCREMENT, cache, timeout_s, self._requests.dictionary_increment, name, field, amount, ttl
        )

    async def dictionary_delete(
        self, cache: str, name: Key, *, timeout_s: float | None = None
    ) -> r.DictionaryDeleteResponse:
        """Removes all fields of a dictionary, and so the dictionary; it need not exist."""
        return await self._send(op.DICTIONARY_DELETE, cache, timeout_s, self._requests.dictionary_delete, name)

    async def dictionary_remove(
        self, cache: str, name: Key, fields: Iterable[Key], *, timeout_s: float | None = None
    ) -> r.DictionaryDeleteResponse:
        """Removes fields of a dictionary; they need not exist.

        `fields`: The fields; they need not exist.
        """
        return await self._send(op.DICTIONARY_REMOVE, cache, timeout_s, self._requests.dictionary_remove, name, fields)

    async def dictionary_length(
        self, cache: str, name: Key, *, timeout_s: float | None = None
    ) -> r.DictionaryLengthResponse:
        """Asks how many fields a dictionary has."""
        return await self._send(op.DICTIONARY_LENGTH, cache, timeout_s, self._requests.key, name)


class BoundDictionaries:
    """A cache's: the client's calls with the cache's name bound."""

    client: CacheClient
    name: str

    async def dictionary_get(
        self, name: Key, fields: Iterable[Key], *, timeout_s: float | None = None
    ) -> r.DictionaryGetResponse:
        """Gets fields of a dictionary."""
        return await self.client.dictionary_get(self.name, name, fields, timeout_s=timeout_s)

    async def dictionary_fetch(self, name: Key, *, timeout_s: float | None = None) -> r.DictionaryFetchResponse:
        """Gets all fields of a dictionary, in no order."""
        return await self.client.dictionary_fetch(self.name, name, timeout_s=timeout_s)

    async def dictionary_set(
        self, name: Key, items: DictionaryItems, *, ttl: AnyTtl | None = None, timeout_s: float | None = None
    ) -> r.DictionarySetResponse:
        """Stores fields of a dictionary, which is made where it is missing. The last of equal fields wins."""
        return await self.client.dictionary_set(self.name, name, items, ttl=ttl, timeout_s=timeout_s)

    async def dictionary_increment(
        self, name: Key, field: Key, amount: int = 1, *, ttl: AnyTtl | None = None, timeout_s: float | None = None
    ) -> r.DictionaryIncrementResponse:
        """Adds to an integer field, which is made at 0 where it is missing. Never sent twice where it may have run."""
        return await self.client.dictionary_increment(self.name, name, field, amount, ttl=ttl, timeout_s=timeout_s)

    async def dictionary_delete(self, name: Key, *, timeout_s: float | None = None) -> r.DictionaryDeleteResponse:
        """Removes all fields of a dictionary, and so the dictionary; it need not exist."""
        return await self.client.dictionary_delete(self.name, name, timeout_s=timeout_s)

    async def dictionary_remove(
        self, name: Key, fields: Iterable[Key], *, timeout_s: float | None = None
    ) -> r.DictionaryDeleteResponse:
        """Removes fields of a dictionary; they need not exist."""
        return await self.client.dictionary_remove(self.name, name, fields, timeout_s=timeout_s)

    async def dictionary_length(self, name: Key, *, timeout_s: float | None = None) -> r.DictionaryLengthResponse:
        """Asks how many fields a dictionary has."""
        return await self.client.dictionary_length(self.name, name, timeout_s=timeout_s)
