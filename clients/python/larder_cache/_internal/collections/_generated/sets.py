# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
"""Calls on sets."""

from __future__ import annotations

from collections.abc import Iterable

from larder_cache import responses as r
from larder_cache._internal.client.cache_calls import CacheCalls
from larder_cache._internal.operations._generated import operations as op
from larder_cache._internal.operations.arguments import Key, Value
from larder_cache.collection_ttl import AnyTtl


class Sets(CacheCalls):
    """Calls on sets."""

    async def set_fetch(self, name: Key) -> r.SetFetchResponse:
        """Gets all elements of a set, in no order."""
        return await self._send(op.SET_FETCH, self._requests.key, name)

    async def set_sample(self, name: Key, limit: int) -> r.SetSampleResponse:
        """Gets some elements of a set, each once; which, chance decides.

        `limit`: How many elements at most; 0 asks whether there is such a set.
        """
        return await self._send(op.SET_SAMPLE, self._requests.set_sample, name, limit)

    async def set_union(self, name: Key, elements: Iterable[Value], *, ttl: AnyTtl | None = None) -> r.SetUnionResponse:
        """Adds elements to a set, which is made where it is missing.

        `elements`: The elements; may be none.

        `ttl`: The set's time to live, and whether one that is there gets it too; None: the client's default, and it
        does.
        """
        return await self._send(op.SET_UNION, self._requests.set_union, name, elements, ttl)

    async def set_difference(self, name: Key, elements: Iterable[Value]) -> r.SetDifferenceResponse:
        """Removes elements from a set; they need not exist.

        `elements`: The elements; may be none.
        """
        return await self._send(op.SET_DIFFERENCE, self._requests.set_difference, name, elements)

    async def set_difference_from(self, name: Key, elements: Iterable[Value]) -> r.SetDifferenceResponse:
        """Makes a set those of some elements that it does not hold. Never sent twice where it may have run.

        `elements`: The elements; may be none.
        """
        return await self._send(op.SET_DIFFERENCE_FROM, self._requests.set_difference_from, name, elements)

    async def set_contains(self, name: Key, elements: Iterable[Value]) -> r.SetContainsResponse:
        """Asks which of some elements are in a set.

        `elements`: The elements, in the order in which they are to be answered.
        """
        return await self._send(op.SET_CONTAINS, self._requests.set_contains, name, elements)

    async def set_length(self, name: Key) -> r.SetLengthResponse:
        """Asks how many elements a set has."""
        return await self._send(op.SET_LENGTH, self._requests.key, name)

    async def set_pop(self, name: Key, count: int = 1) -> r.SetPopResponse:
        """Gets some elements of a set and removes them; which, chance decides. Never sent twice where it may have run.

        `count`: How many elements at most: 1 or more.
        """
        return await self._send(op.SET_POP, self._requests.set_pop, name, count)
