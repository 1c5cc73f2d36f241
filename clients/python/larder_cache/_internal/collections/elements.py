"""Calls on one field or element of a collection, and aliases for calls on several fields or elements."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from larder_cache import responses as r
from larder_cache._internal.collections._generated.dictionaries import Dictionaries
from larder_cache._internal.collections._generated.lists import Lists
from larder_cache._internal.collections._generated.sets import Sets
from larder_cache._internal.collections._generated.sorted_sets import SortedSets
from larder_cache._internal.operations.arguments import Key, Value
from larder_cache._internal.operations.collection_fields import DictionaryItems, ScoredElements
from larder_cache.collection_ttl import AnyTtl


class Elements(Dictionaries, Sets, Lists, SortedSets):
    """Calls on collections. Each method makes one call."""

    async def dictionary_set_field(
        self, name: Key, field: Key, value: Value, *, ttl: AnyTtl | None = None
    ) -> r.DictionarySetResponse:
        """Store a field of a dictionary. The dictionary is created if it does not exist."""
        return await self.dictionary_set(name, [(field, value)], ttl=ttl)

    async def dictionary_set_fields(
        self, name: Key, items: DictionaryItems, *, ttl: AnyTtl | None = None
    ) -> r.DictionarySetResponse:
        """Store fields of a dictionary. Alias of `dictionary_set`."""
        return await self.dictionary_set(name, items, ttl=ttl)

    async def dictionary_get_field(self, name: Key, field: Key) -> r.DictionaryGetFieldResponse:
        """Get a field of a dictionary. The response is a miss if the field or the dictionary does not exist."""
        answer = await self.dictionary_get(name, [field])
        return of_one(answer.values, r.Hit) if isinstance(answer, r.DictionaryGetHit) else answer

    async def dictionary_get_fields(self, name: Key, fields: Iterable[Key]) -> r.DictionaryGetResponse:
        """Get fields of a dictionary in the requested order. Alias of `dictionary_get`."""
        return await self.dictionary_get(name, fields)

    async def dictionary_remove_field(self, name: Key, field: Key) -> r.DictionaryDeleteResponse:
        """Remove a field of a dictionary. Succeeds even if the field does not exist."""
        return await self.dictionary_remove(name, [field])

    async def dictionary_remove_fields(self, name: Key, fields: Iterable[Key]) -> r.DictionaryDeleteResponse:
        """Remove fields of a dictionary. Alias of `dictionary_remove`."""
        return await self.dictionary_remove(name, fields)

    async def set_add_element(self, name: Key, element: Value, *, ttl: AnyTtl | None = None) -> r.SetUnionResponse:
        """Add an element to a set. The set is created if it does not exist."""
        return await self.set_union(name, [element], ttl=ttl)

    async def set_add_elements(
        self, name: Key, elements: Iterable[Value], *, ttl: AnyTtl | None = None
    ) -> r.SetUnionResponse:
        """Add elements to a set. Alias of `set_union`."""
        return await self.set_union(name, elements, ttl=ttl)

    async def set_remove_element(self, name: Key, element: Value) -> r.SetDifferenceResponse:
        """Remove an element from a set. Succeeds even if the element does not exist."""
        return await self.set_difference(name, [element])

    async def set_remove_elements(self, name: Key, elements: Iterable[Value]) -> r.SetDifferenceResponse:
        """Remove elements from a set. Alias of `set_difference`."""
        return await self.set_difference(name, elements)

    async def set_contains_element(self, name: Key, element: Value) -> r.SetContainsElementResponse:
        """Check whether an element is in a set. The response is a miss if the set does not exist."""
        answer = await self.set_contains(name, [element])
        return of_one(answer.contains, r.SetContainsElementHit) if isinstance(answer, r.SetContainsHit) else answer

    async def set_contains_elements(self, name: Key, elements: Iterable[Value]) -> r.SetContainsResponse:
        """Check which of several elements are in a set. The results are in the order of `elements`.

        Alias of `set_contains`.
        """
        return await self.set_contains(name, elements)

    async def sorted_set_put_element(
        self, name: Key, element: Value, score: float, *, ttl: AnyTtl | None = None
    ) -> r.SortedSetPutResponse:
        """Add an element to a sorted set, or change the score of an existing one."""
        return await self.sorted_set_put(name, [(element, score)], ttl=ttl)

    async def sorted_set_put_elements(
        self, name: Key, elements: ScoredElements, *, ttl: AnyTtl | None = None
    ) -> r.SortedSetPutResponse:
        """Add elements to a sorted set. Alias of `sorted_set_put`."""
        return await self.sorted_set_put(name, elements, ttl=ttl)

    async def sorted_set_get_element_score(self, name: Key, element: Value) -> r.SortedSetGetElementScoreResponse:
        """Get the score of an element. The response is a miss if the element or the sorted set does not exist."""
        answer = await self.sorted_set_get_score(name, [element])
        return (
            of_one(answer.scores, r.SortedSetGetElementScoreHit)
            if isinstance(answer, r.SortedSetGetScoreHit)
            else answer
        )

    async def sorted_set_remove_element(self, name: Key, element: Value) -> r.SortedSetRemoveResponse:
        """Remove an element of a sorted set. Succeeds even if the element does not exist."""
        return await self.sorted_set_remove(name, [element])

    async def sorted_set_remove_elements(self, name: Key, elements: Iterable[Value]) -> r.SortedSetRemoveResponse:
        """Remove elements of a sorted set. Alias of `sorted_set_remove`."""
        return await self.sorted_set_remove(name, elements)


def of_one(parts: list[Any], made: type[Any]) -> Any:
    """Return the response for a single field or element. Operation.read has verified that `parts` has one entry."""
    return r.MISS if parts[0] is None else made(parts[0])
