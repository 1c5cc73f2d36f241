"""The blocking twins of elements.py.

Written by tools/python-sync; not edited by hand. Safe to use from many threads.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from larder_cache import responses as r
from larder_cache._internal.blocking._generated.sync_dictionaries import BoundDictionaries, ClientDictionaries
from larder_cache._internal.blocking._generated.sync_lists import BoundLists, ClientLists
from larder_cache._internal.blocking._generated.sync_sets import BoundSets, ClientSets
from larder_cache._internal.blocking._generated.sync_sorted_sets import BoundSortedSets, ClientSortedSets
from larder_cache._internal.blocking.background_loop import drive
from larder_cache._internal.operations.arguments import Key, Value
from larder_cache._internal.operations.collection_fields import DictionaryItems, ScoredElements
from larder_cache.collection_ttl import AnyTtl

if TYPE_CHECKING:
    from larder_cache import bound_cache, client


class ClientElements(ClientDictionaries, ClientSets, ClientLists, ClientSortedSets):
    """ClientElements of elements.py, blocking."""

    _async: client.CacheClient

    def dictionary_set_field(
        self,
        cache: str,
        name: Key,
        field: Key,
        value: Value,
        *,
        ttl: AnyTtl | None = None,
        timeout_s: float | None = None,
    ) -> r.DictionarySetResponse:
        """Stores a field of a dictionary, which is made where it is missing."""
        return drive(self._async.dictionary_set_field(cache, name, field, value, ttl=ttl, timeout_s=timeout_s))

    def dictionary_set_fields(
        self,
        cache: str,
        name: Key,
        items: DictionaryItems,
        *,
        ttl: AnyTtl | None = None,
        timeout_s: float | None = None,
    ) -> r.DictionarySetResponse:
        """Stores fields of a dictionary: `dictionary_set`."""
        return drive(self._async.dictionary_set_fields(cache, name, items, ttl=ttl, timeout_s=timeout_s))

    def dictionary_get_field(
        self, cache: str, name: Key, field: Key, *, timeout_s: float | None = None
    ) -> r.DictionaryGetFieldResponse:
        """Gets a field of a dictionary. Miss: there is no such field, or no dictionary."""
        return drive(self._async.dictionary_get_field(cache, name, field, timeout_s=timeout_s))

    def dictionary_get_fields(
        self, cache: str, name: Key, fields: Iterable[Key], *, timeout_s: float | None = None
    ) -> r.DictionaryGetResponse:
        """Gets fields of a dictionary, in the order asked: `dictionary_get`."""
        return drive(self._async.dictionary_get_fields(cache, name, fields, timeout_s=timeout_s))

    def dictionary_remove_field(
        self, cache: str, name: Key, field: Key, *, timeout_s: float | None = None
    ) -> r.DictionaryDeleteResponse:
        """Removes a field of a dictionary; it need not exist."""
        return drive(self._async.dictionary_remove_field(cache, name, field, timeout_s=timeout_s))

    def dictionary_remove_fields(
        self, cache: str, name: Key, fields: Iterable[Key], *, timeout_s: float | None = None
    ) -> r.DictionaryDeleteResponse:
        """Removes fields of a dictionary: `dictionary_remove`."""
        return drive(self._async.dictionary_remove_fields(cache, name, fields, timeout_s=timeout_s))

    def set_add_element(
        self, cache: str, name: Key, element: Value, *, ttl: AnyTtl | None = None, timeout_s: float | None = None
    ) -> r.SetUnionResponse:
        """Adds an element to a set, which is made where it is missing."""
        return drive(self._async.set_add_element(cache, name, element, ttl=ttl, timeout_s=timeout_s))

    def set_add_elements(
        self,
        cache: str,
        name: Key,
        elements: Iterable[Value],
        *,
        ttl: AnyTtl | None = None,
        timeout_s: float | None = None,
    ) -> r.SetUnionResponse:
        """Adds elements to a set: `set_union`."""
        return drive(self._async.set_add_elements(cache, name, elements, ttl=ttl, timeout_s=timeout_s))

    def set_remove_element(
        self, cache: str, name: Key, element: Value, *, timeout_s: float | None = None
    ) -> r.SetDifferenceResponse:
        """Removes an element from a set; it need not exist."""
        return drive(self._async.set_remove_element(cache, name, element, timeout_s=timeout_s))

    def set_remove_elements(
        self, cache: str, name: Key, elements: Iterable[Value], *, timeout_s: float | None = None
    ) -> r.SetDifferenceResponse:
        """Removes elements from a set: `set_difference`."""
        return drive(self._async.set_remove_elements(cache, name, elements, timeout_s=timeout_s))

    def set_contains_element(
        self, cache: str, name: Key, element: Value, *, timeout_s: float | None = None
    ) -> r.SetContainsElementResponse:
        """Asks whether an element is in a set. Miss: there is no set."""
        return drive(self._async.set_contains_element(cache, name, element, timeout_s=timeout_s))

    def set_contains_elements(
        self, cache: str, name: Key, elements: Iterable[Value], *, timeout_s: float | None = None
    ) -> r.SetContainsResponse:
        """Asks which of some elements are in a set, in the order asked: `set_contains`."""
        return drive(self._async.set_contains_elements(cache, name, elements, timeout_s=timeout_s))

    def sorted_set_put_element(
        self,
        cache: str,
        name: Key,
        element: Value,
        score: float,
        *,
        ttl: AnyTtl | None = None,
        timeout_s: float | None = None,
    ) -> r.SortedSetPutResponse:
        """Adds an element to a sorted set, or gives one that is there another score."""
        return drive(self._async.sorted_set_put_element(cache, name, element, score, ttl=ttl, timeout_s=timeout_s))

    def sorted_set_put_elements(
        self,
        cache: str,
        name: Key,
        elements: ScoredElements,
        *,
        ttl: AnyTtl | None = None,
        timeout_s: float | None = None,
    ) -> r.SortedSetPutResponse:
        """Adds elements to a sorted set: `sorted_set_put`."""
        return drive(self._async.sorted_set_put_elements(cache, name, elements, ttl=ttl, timeout_s=timeout_s))

    def sorted_set_get_element_score(
        self, cache: str, name: Key, element: Value, *, timeout_s: float | None = None
    ) -> r.SortedSetGetElementScoreResponse:
        """Gets the score of an element. Miss: there is no such element, or no sorted set."""
        return drive(self._async.sorted_set_get_element_score(cache, name, element, timeout_s=timeout_s))

    def sorted_set_remove_element(
        self, cache: str, name: Key, element: Value, *, timeout_s: float | None = None
    ) -> r.SortedSetRemoveResponse:
        """Removes an element of a sorted set; it need not exist."""
        return drive(self._async.sorted_set_remove_element(cache, name, element, timeout_s=timeout_s))

    def sorted_set_remove_elements(
        self, cache: str, name: Key, elements: Iterable[Value], *, timeout_s: float | None = None
    ) -> r.SortedSetRemoveResponse:
        """Removes elements of a sorted set: `sorted_set_remove`."""
        return drive(self._async.sorted_set_remove_elements(cache, name, elements, timeout_s=timeout_s))


class BoundElements(BoundDictionaries, BoundSets, BoundLists, BoundSortedSets):
    """BoundElements of elements.py, blocking."""

    _async: bound_cache.BoundCache

    def dictionary_set_field(
        self, name: Key, field: Key, value: Value, *, ttl: AnyTtl | None = None, timeout_s: float | None = None
    ) -> r.DictionarySetResponse:
        """Stores a field of a dictionary, which is made where it is missing."""
        return drive(self._async.dictionary_set_field(name, field, value, ttl=ttl, timeout_s=timeout_s))

    def dictionary_set_fields(
        self, name: Key, items: DictionaryItems, *, ttl: AnyTtl | None = None, timeout_s: float | None = None
    ) -> r.DictionarySetResponse:
        """Stores fields of a dictionary: `dictionary_set`."""
        return drive(self._async.dictionary_set_fields(name, items, ttl=ttl, timeout_s=timeout_s))

    def dictionary_get_field(
        self, name: Key, field: Key, *, timeout_s: float | None = None
    ) -> r.DictionaryGetFieldResponse:
        """Gets a field of a dictionary. Miss: there is no such field, or no dictionary."""
        return drive(self._async.dictionary_get_field(name, field, timeout_s=timeout_s))

    def dictionary_get_fields(
        self, name: Key, fields: Iterable[Key], *, timeout_s: float | None = None
    ) -> r.DictionaryGetResponse:
        """Gets fields of a dictionary, in the order asked: `dictionary_get`."""
        return drive(self._async.dictionary_get_fields(name, fields, timeout_s=timeout_s))

    def dictionary_remove_field(
        self, name: Key, field: Key, *, timeout_s: float | None = None
    ) -> r.DictionaryDeleteResponse:
        """Removes a field of a dictionary; it need not exist."""
        return drive(self._async.dictionary_remove_field(name, field, timeout_s=timeout_s))

    def dictionary_remove_fields(
        self, name: Key, fields: Iterable[Key], *, timeout_s: float | None = None
    ) -> r.DictionaryDeleteResponse:
        """Removes fields of a dictionary: `dictionary_remove`."""
        return drive(self._async.dictionary_remove_fields(name, fields, timeout_s=timeout_s))

    def set_add_element(
        self, name: Key, element: Value, *, ttl: AnyTtl | None = None, timeout_s: float | None = None
    ) -> r.SetUnionResponse:
        """Adds an element to a set, which is made where it is missing."""
        return drive(self._async.set_add_element(name, element, ttl=ttl, timeout_s=timeout_s))

    def set_add_elements(
        self, name: Key, elements: Iterable[Value], *, ttl: AnyTtl | None = None, timeout_s: float | None = None
    ) -> r.SetUnionResponse:
        """Adds elements to a set: `set_union`."""
        return drive(self._async.set_add_elements(name, elements, ttl=ttl, timeout_s=timeout_s))

    def set_remove_element(
        self, name: Key, element: Value, *, timeout_s: float | None = None
    ) -> r.SetDifferenceResponse:
        """Removes an element from a set; it need not exist."""
        return drive(self._async.set_remove_element(name, element, timeout_s=timeout_s))

    def set_remove_elements(
        self, name: Key, elements: Iterable[Value], *, timeout_s: float | None = None
    ) -> r.SetDifferenceResponse:
        """Removes elements from a set: `set_difference`."""
        return drive(self._async.set_remove_elements(name, elements, timeout_s=timeout_s))

    def set_contains_element(
        self, name: Key, element: Value, *, timeout_s: float | None = None
    ) -> r.SetContainsElementResponse:
        """Asks whether an element is in a set. Miss: there is no set."""
        return drive(self._async.set_contains_element(name, element, timeout_s=timeout_s))

    def set_contains_elements(
        self, name: Key, elements: Iterable[Value], *, timeout_s: float | None = None
    ) -> r.SetContainsResponse:
        """Asks which of some elements are in a set, in the order asked: `set_contains`."""
        return drive(self._async.set_contains_elements(name, elements, timeout_s=timeout_s))

    def sorted_set_put_element(
        self, name: Key, element: Value, score: float, *, ttl: AnyTtl | None = None, timeout_s: float | None = None
    ) -> r.SortedSetPutResponse:
        """Adds an element to a sorted set, or gives one that is there another score."""
        return drive(self._async.sorted_set_put_element(name, element, score, ttl=ttl, timeout_s=timeout_s))

    def sorted_set_put_elements(
        self, name: Key, elements: ScoredElements, *, ttl: AnyTtl | None = None, timeout_s: float | None = None
    ) -> r.SortedSetPutResponse:
        """Adds elements to a sorted set: `sorted_set_put`."""
        return drive(self._async.sorted_set_put_elements(name, elements, ttl=ttl, timeout_s=timeout_s))

    def sorted_set_get_element_score(
        self, name: Key, element: Value, *, timeout_s: float | None = None
    ) -> r.SortedSetGetElementScoreResponse:
        """Gets the score of an element. Miss: there is no such element, or no sorted set."""
        return drive(self._async.sorted_set_get_element_score(name, element, timeout_s=timeout_s))

    def sorted_set_remove_element(
        self, name: Key, element: Value, *, timeout_s: float | None = None
    ) -> r.SortedSetRemoveResponse:
        """Removes an element of a sorted set; it need not exist."""
        return drive(self._async.sorted_set_remove_element(name, element, timeout_s=timeout_s))

    def sorted_set_remove_elements(
        self, name: Key, elements: Iterable[Value], *, timeout_s: float | None = None
    ) -> r.SortedSetRemoveResponse:
        """Removes elements of a sorted set: `sorted_set_remove`."""
        return drive(self._async.sorted_set_remove_elements(name, elements, timeout_s=timeout_s))
