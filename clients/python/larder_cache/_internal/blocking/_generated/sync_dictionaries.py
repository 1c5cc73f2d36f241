"""The blocking twins of dictionaries.py.

Written by tools/python-sync; not edited by hand. Safe to use from many threads.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from larder_cache import responses as r
from larder_cache._internal.blocking.background_loop import drive
from larder_cache._internal.operations.arguments import Key
from larder_cache._internal.operations.collection_fields import DictionaryItems
from larder_cache.collection_ttl import AnyTtl

if TYPE_CHECKING:
    from larder_cache import bound_cache, client


class ClientDictionaries:
    """ClientDictionaries of dictionaries.py, blocking."""

    _async: client.CacheClient

    def dictionary_get(
        self, cache: str, name: Key, fields: Iterable[Key], *, timeout_s: float | None = None
    ) -> r.DictionaryGetResponse:
        """Gets fields of a dictionary.

        `fields`: The fields, in the order in which they are to be answered.
        """
        return drive(self._async.dictionary_get(cache, name, fields, timeout_s=timeout_s))

    def dictionary_fetch(self, cache: str, name: Key, *, timeout_s: float | None = None) -> r.DictionaryFetchResponse:
        """Gets all fields of a dictionary, in no order."""
        return drive(self._async.dictionary_fetch(cache, name, timeout_s=timeout_s))

    def dictionary_set(
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
        return drive(self._async.dictionary_set(cache, name, items, ttl=ttl, timeout_s=timeout_s))

    def dictionary_increment(
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
        return drive(self._async.dictionary_increment(cache, name, field, amount, ttl=ttl, timeout_s=timeout_s))

    def dictionary_delete(self, cache: str, name: Key, *, timeout_s: float | None = None) -> r.DictionaryDeleteResponse:
        """Removes all fields of a dictionary, and so the dictionary; it need not exist."""
        return drive(self._async.dictionary_delete(cache, name, timeout_s=timeout_s))

    def dictionary_remove(
        self, cache: str, name: Key, fields: Iterable[Key], *, timeout_s: float | None = None
    ) -> r.DictionaryDeleteResponse:
        """Removes fields of a dictionary; they need not exist.

        `fields`: The fields; they need not exist.
        """
        return drive(self._async.dictionary_remove(cache, name, fields, timeout_s=timeout_s))

    def dictionary_length(self, cache: str, name: Key, *, timeout_s: float | None = None) -> r.DictionaryLengthResponse:
        """Asks how many fields a dictionary has."""
        return drive(self._async.dictionary_length(cache, name, timeout_s=timeout_s))


class BoundDictionaries:
    """BoundDictionaries of dictionaries.py, blocking."""

    _async: bound_cache.BoundCache

    def dictionary_get(
        self, name: Key, fields: Iterable[Key], *, timeout_s: float | None = None
    ) -> r.DictionaryGetResponse:
        """Gets fields of a dictionary."""
        return drive(self._async.dictionary_get(name, fields, timeout_s=timeout_s))

    def dictionary_fetch(self, name: Key, *, timeout_s: float | None = None) -> r.DictionaryFetchResponse:
        """Gets all fields of a dictionary, in no order."""
        return drive(self._async.dictionary_fetch(name, timeout_s=timeout_s))

    def dictionary_set(
        self, name: Key, items: DictionaryItems, *, ttl: AnyTtl | None = None, timeout_s: float | None = None
    ) -> r.DictionarySetResponse:
        """Stores fields of a dictionary, which is made where it is missing. The last of equal fields wins."""
        return drive(self._async.dictionary_set(name, items, ttl=ttl, timeout_s=timeout_s))

    def dictionary_increment(
        self, name: Key, field: Key, amount: int = 1, *, ttl: AnyTtl | None = None, timeout_s: float | None = None
    ) -> r.DictionaryIncrementResponse:
        """Adds to an integer field, which is made at 0 where it is missing. Never sent twice where it may have run."""
        return drive(self._async.dictionary_increment(name, field, amount, ttl=ttl, timeout_s=timeout_s))

    def dictionary_delete(self, name: Key, *, timeout_s: float | None = None) -> r.DictionaryDeleteResponse:
        """Removes all fields of a dictionary, and so the dictionary; it need not exist."""
        return drive(self._async.dictionary_delete(name, timeout_s=timeout_s))

    def dictionary_remove(
        self, name: Key, fields: Iterable[Key], *, timeout_s: float | None = None
    ) -> r.DictionaryDeleteResponse:
        """Removes fields of a dictionary; they need not exist."""
        return drive(self._async.dictionary_remove(name, fields, timeout_s=timeout_s))

    def dictionary_length(self, name: Key, *, timeout_s: float | None = None) -> r.DictionaryLengthResponse:
        """Asks how many fields a dictionary has."""
        return drive(self._async.dictionary_length(name, timeout_s=timeout_s))
