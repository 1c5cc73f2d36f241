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
        """Get all elements of a set, in no particular order."""
        return await self._send(op.SET_FETCH, self._requests.key, name)

    async def set_sample(self, name: Key, limit: int) -> r.SetSampleResponse:
        """Get distinct random elements of a set.

        `limit`: The maximum number of elements. If it is 0, the call only checks whether the set exists.
        """
        return await self._send(op.SET_SAMPLE, self._requests.set_sample, name, limit)

    async def set_union(self, name: Key, elements: Iterable[Value], *, ttl: AnyTtl | None = None) -> r.SetUnionResponse:
        """Add elements to a set, which is created if it does not exist.

        `elements`: The elements. There may be none.

        `ttl`: The time to live of the set, and whether an existing set gets it too. If None, the client's default is
        used, and an existing set gets it too.
        """
        return await self._send(op.SET_UNION, self._requests.set_union, name, elements, ttl)

    async def set_difference(self, name: Key, elements: Iterable[Value]) -> r.SetDifferenceResponse:
        """Remove elements from a set. Succeeds even if they do not exist.

        `elements`: The elements. There may be none.
        """
        return await self._send(op.SET_DIFFERENCE, self._requests.set_difference, name, elements)

    async def set_difference_from(self, name: Key, elements: Iterable[Value]) -> r.SetDifferenceResponse:
        """Replace a set with the given elements that the set does not contain. The client does not retry this call if
        it may have run.

        `elements`: The elements. There may be none.
        """
        return await self._send(op.SET_DIFFERENCE_FROM, self._requests.set_difference_from, name, elements)

    async def set_contains(self, name: Key, elements: Iterable[Value]) -> r.SetContainsResponse:
        """Check which elements a set contains.

        `elements`: The elements, in the order of the results.
        """
        return await self._send(op.SET_CONTAINS, self._requests.set_contains, name, elements)

    async def set_length(self, name: Key) -> r.SetLengthResponse:
        """Get the number of elements of a set."""
        return await self._send(op.SET_LENGTH, self._requests.key, name)

    async def set_pop(self, name: Key, count: int = 1) -> r.SetPopResponse:
        """Remove distinct random elements of a set and return them. The client does not retry this call if it may have
        run.

        `count`: The maximum number of elements: 1 or more.
        """
        return await self._send(op.SET_POP, self._requests.set_pop, name, count)
