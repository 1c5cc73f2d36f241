"""Calls on one field or element of a collection, and on several by the names that users know."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from larder_cache import responses as r
from larder_cache._internal.collections._generated.dictionaries import BoundDictionaries, ClientDictionaries
from larder_cache._internal.collections._generated.lists import BoundLists, ClientLists
from larder_cache._internal.collections._generated.sets import BoundSets, ClientSets
from larder_cache._internal.collections._generated.sorted_sets import BoundSortedSets, ClientSortedSets
from larder_cache._internal.operations.arguments import Key, Value
from larder_cache._internal.operations.collection_fields import DictionaryItems, ScoredElements
from larder_cache.collection_ttl import AnyTtl

if TYPE_CHECKING:
    from larder_cache.client import CacheClient


class ClientElements(ClientDictionaries, ClientSets, ClientLists, ClientSortedSets):
    """A client's. Each is one call on a collection, with its deadline, its retries and its errors."""

    async def dictionary_set_field(
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
        return await self.dictionary_set(cache, name, [(field, value)], ttl=ttl, timeout_s=timeout_s)

    async def dictionary_set_fields(
        self,
        cache: str,
        name: Key,
        items: DictionaryItems,
        *,
        ttl: AnyTtl | None = None,
        timeout_s: float | None = None,
    ) -> r.DictionarySetResponse:
        """Stores fields of a dictionary: `dictionary_set`."""
        return await self.dictionary_set(cache, name, items, ttl=ttl, timeout_s=timeout_s)

    async def dictionary_get_field(
        self, cache: str, name: Key, field: Key, *, timeout_s: float | None = None
    ) -> r.DictionaryGetFieldResponse:
        """Gets a field of a dictionary. Miss: there is no such field, or no dictionary."""
        answer = await self.dictionary_get(cache, name, [field], timeout_s=timeout_s)
        return of_one(answer.values, r.Hit) if isinstance(answer, r.DictionaryGetHit) else answer

    async def dictionary_get_fields(
        self, cache: str, name: Key, fields: Iterable[Key], *, timeout_s: float | None = None
    ) -> r.DictionaryGetResponse:
        """Gets fields of a dictionary, in the order asked: `dictionary_get`."""
        return await self.dictionary_get(cache, name, fields, timeout_s=timeout_s)

    async def dictionary_remove_field(
        self, cache: str, name: Key, field: Key, *, timeout_s: float | None = None
    ) -> r.DictionaryDeleteResponse:
        """Removes a field of a dictionary; it need not exist."""
        return await self.dictionary_remove(cache, name, [field], timeout_s=timeout_s)

    async def dictionary_remove_fields(
        self, cache: str, name: Key, fields: Iterable[Key], *, timeout_s: float | None = None
    ) -> r.DictionaryDeleteResponse:
        """Removes fields of a dictionary: `dictionary_remove`."""
        return await self.dictionary_remove(cache, name, fields, timeout_s=timeout_s)

    async def set_add_element(
        self, cache: str, name: Key, element: Value, *, ttl: AnyTtl | None = None, timeout_s: float | None = None
    ) -> r.SetUnionResponse:
        """Adds an element to a set, which is made where it is missing."""
        return await self.set_union(cache, name, [element], ttl=ttl, timeout_s=timeout_s)

    async def set_add_elements(
        self,
        cache: str,
        name: Key,
        elements: Iterable[Value],
        *,
        ttl: AnyTtl | None = None,
        timeout_s: float | None = None,
    ) -> r.SetUnionResponse:
        """Adds elements to a set: `set_union`."""
        return await self.set_union(cache, name, elements, ttl=ttl, timeout_s=timeout_s)

    async def set_remove_element(
        self, cache: str, name: Key, element: Value, *, timeout_s: float | None = None
    ) -> r.SetDifferenceResponse:
        """Removes an element from a set; it need not exist."""
        return await self.set_difference(cache, name, [element], timeout_s=timeout_s)

    async def set_remove_elements(
        self, cache: str, name: Key, elements: Iterable[Value], *, timeout_s: float | None = None
    ) -> r.SetDifferenceResponse:
        """Removes elements from a set: `set_difference`."""
        return await self.set_difference(cache, name, elements, timeout_s=timeout_s)

    async def set_contains_element(
        self, cache: str, name: Key, element: Value, *, timeout_s: float | None = None
    ) -> r.SetContainsElementResponse:
        """Asks whether an element is in a set. Miss: there is no set."""
        answer = await self.set_contains(cache, name, [element], timeout_s=timeout_s)
        return of_one(answer.contains, r.SetContainsElementHit) if isinstance(answer, r.SetContainsHit) else answer

    async def set_contains_elements(
        self, cache: str, name: Key, elements: Iterable[Value], *, timeout_s: float | None = None
    ) -> r.SetContainsResponse:
        """Asks which of some elements are in a set, in the order asked: `set_contains`."""
        return await self.set_contains(cache, name, elements, timeout_s=timeout_s)

    async def sorted_set_put_element(
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
        return await self.sorted_set_put(cache, name, [(element, score)], ttl=ttl, timeout_s=timeout_s)

    async def sorted_set_put_elements(
        self,
        cache: str,
        name: Key,
        elements: ScoredElements,
        *,
        ttl: AnyTtl | None = None,
        timeout_s: float | None = None,
    ) -> r.SortedSetPutResponse:
        """Adds elements to a sorted set: `sorted_set_put`."""
        return await self.sorted_set_put(cache, name, elements, ttl=ttl, timeout_s=timeout_s)

    async def sorted_set_get_element_score(
        self, cache: str, name: Key, element: Value, *, timeout_s: float | None = None
    ) -> r.SortedSetGetElementScoreResponse:
        """Gets the score of an element. Miss: there is no such element, or no sorted set."""
        answer = await self.sorted_set_get_score(cache, name, [element], timeout_s=timeout_s)
        return (
            of_one(answer.scores, r.SortedSetGetElementScoreHit)
            if isinstance(answer, r.SortedSetGetScoreHit)
            else answer
        )

    async def sorted_set_remove_element(
        self, cache: str, name: Key, element: Value, *, timeout_s: float | None = None
    ) -> r.SortedSetRemoveResponse:
        """Removes an element of a sorted set; it need not exist."""
        return await self.sorted_set_remove(cache, name, [element], timeout_s=timeout_s)

    async def sorted_set_remove_elements(
        self, cache: str, name: Key, elements: Iterable[Value], *, timeout_s: float | None = None
    ) -> r.SortedSetRemoveResponse:
        """Removes elements of a sorted set: `sorted_set_remove`."""
        return await self.sorted_set_remove(cache, name, elements, timeout_s=timeout_s)


class BoundElements(BoundDictionaries, BoundSets, BoundLists, BoundSortedSets):
    """A cache's: the client's calls with the cache's name bound."""

    client: CacheClient
    name: str

    async def dictionary_set_field(
        self, name: Key, field: Key, value: Value, *, ttl: AnyTtl | None = None, timeout_s: float | None = None
    ) -> r.DictionarySetResponse:
        """Stores a field of a dictionary, which is made where it is missing."""
        return await self.client.dictionary_set_field(self.name, name, field, value, ttl=ttl, timeout_s=timeout_s)

    async def dictionary_set_fields(
        self, name: Key, items: DictionaryItems, *, ttl: AnyTtl | None = None, timeout_s: float | None = None
    ) -> r.DictionarySetResponse:
        """Stores fields of a dictionary: `dictionary_set`."""
        return await self.client.dictionary_set_fields(self.name, name, items, ttl=ttl, timeout_s=timeout_s)

    async def dictionary_get_field(
        self, name: Key, field: Key, *, timeout_s: float | None = None
    ) -> r.DictionaryGetFieldResponse:
        """Gets a field of a dictionary. Miss: there is no such field, or no dictionary."""
        return await self.client.dictionary_get_field(self.name, name, field, timeout_s=timeout_s)

    async def dictionary_get_fields(
        self, name: Key, fields: Iterable[Key], *, timeout_s: float | None = None
    ) -> r.DictionaryGetResponse:
        """Gets fields of a dictionary, in the order asked: `dictionary_get`."""
        return await self.client.dictionary_get_fields(self.name, name, fields, timeout_s=timeout_s)

    async def dictionary_remove_field(
        self, name: Key, field: Key, *, timeout_s: float | None = None
    ) -> r.DictionaryDeleteResponse:
        """Removes a field of a dictionary; it need not exist."""
        return await self.client.dictionary_remove_field(self.name, name, field, timeout_s=timeout_s)

    async def dictionary_remove_fields(
        self, name: Key, fields: Iterable[Key], *, timeout_s: float | None = None
    ) -> r.DictionaryDeleteResponse:
        """Removes fields of a dictionary: `dictionary_remove`."""
        return await self.client.dictionary_remove_fields(self.name, name, fields, timeout_s=timeout_s)

    async def set_add_element(
        self, name: Key, element: Value, *, ttl: AnyTtl | None = None, timeout_s: float | None = None
    ) -> r.SetUnionResponse:
        """Adds an element to a set, which is made where it is missing."""
        return await self.client.set_add_element(self.name, name, element, ttl=ttl, timeout_s=timeout_s)

    async def set_add_elements(
        self, name: Key, elements: Iterable[Value], *, ttl: AnyTtl | None = None, timeout_s: float | None = None
    ) -> r.SetUnionResponse:
        """Adds elements to a set: `set_union`."""
        return await self.client.set_add_elements(self.name, name, elements, ttl=ttl, timeout_s=timeout_s)

    async def set_remove_element(
        self, name: Key, element: Value, *, timeout_s: float | None = None
    ) -> r.SetDifferenceResponse:
        """Removes an element from a set; it need not exist."""
        return await self.client.set_remove_element(self.name, name, element, timeout_s=timeout_s)

    async def set_remove_elements(
        self, name: Key, elements: Iterable[Value], *, timeout_s: float | None = None
    ) -> r.SetDifferenceResponse:
        """Removes elements from a set: `set_difference`."""
        return await self.client.set_remove_elements(self.name, name, elements, timeout_s=timeout_s)

    async def set_contains_element(
        self, name: Key, element: Value, *, timeout_s: float | None = None
    ) -> r.SetContainsElementResponse:
        """Asks whether an element is in a set. Miss: there is no set."""
        return await self.client.set_contains_element(self.name, name, element, timeout_s=timeout_s)

    async def set_contains_elements(
        self, name: Key, elements: Iterable[Value], *, timeout_s: float | None = None
    ) -> r.SetContainsResponse:
        """Asks which of some elements are in a set, in the order asked: `set_contains`."""
        return await self.client.set_contains_elements(self.name, name, elements, timeout_s=timeout_s)

    async def sorted_set_put_element(
        self, name: Key, element: Value, score: float, *, ttl: AnyTtl | None = None, timeout_s: float | None = None
    ) -> r.SortedSetPutResponse:
        """Adds an element to a sorted set, or gives one that is there another score."""
        return await self.client.sorted_set_put_element(self.name, name, element, score, ttl=ttl, timeout_s=timeout_s)

    async def sorted_set_put_elements(
        self, name: Key, elements: ScoredElements, *, ttl: AnyTtl | None = None, timeout_s: float | None = None
    ) -> r.SortedSetPutResponse:
        """Adds elements to a sorted set: `sorted_set_put`."""
        return await self.client.sorted_set_put_elements(self.name, name, elements, ttl=ttl, timeout_s=timeout_s)

    async def sorted_set_get_element_score(
        self, name: Key, element: Value, *, timeout_s: float | None = None
    ) -> r.SortedSetGetElementScoreResponse:
        """Gets the score of an element. Miss: there is no such element, or no sorted set."""
        return await self.client.sorted_set_get_element_score(self.name, name, element, timeout_s=timeout_s)

    async def sorted_set_remove_element(
        self, name: Key, element: Value, *, timeout_s: float | None = None
    ) -> r.SortedSetRemoveResponse:
        """Removes an element of a sorted set; it need not exist."""
        return await self.client.sorted_set_remove_element(self.name, name, element, timeout_s=timeout_s)

    async def sorted_set_remove_elements(
        self, name: Key, elements: Iterable[Value], *, timeout_s: float | None = None
    ) -> r.SortedSetRemoveResponse:
        """Removes elements of a sorted set: `sorted_set_remove`."""
        return await self.client.sorted_set_remove_elements(self.name, name, elements, timeout_s=timeout_s)


def of_one(parts: list[Any], made: type[Any]) -> Any:
    """Return the answer about the one that was asked for: Operation.read has seen that there is no other part."""
    return r.MISS if parts[0] is None else made(parts[0])
