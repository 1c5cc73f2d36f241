# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
"""Calls on sets: a client's, and those of a cache by its handle."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from larder_cache import responses as r
from larder_cache._internal.client.sender import Sender
from larder_cache._internal.operations._generated import operations as op
from larder_cache._internal.operations.arguments import Key, Value
from larder_cache.collection_ttl import AnyTtl

if TYPE_CHECKING:
    from larder_cache.client import CacheClient


class ClientSets(Sender):
    """A client's."""

    async def set_fetch(self, cache: str, name: Key, *, timeout_s: float | None = None) -> r.SetFetchResponse:
        """Gets all elements of a set, in no order."""
        return await self._send(op.SET_FETCH, cache, timeout_s, self._requests.key, name)

    async def set_sample(
        self, cache: str, name: Key, limit: int, *, timeout_s: float | None = None
    ) -> r.SetSampleResponse:
        """Gets some elements of a set, each once; which, chance decides.

        `limit`: How many elements at most; 0 asks whether there is such a set.
        """
        return await self._send(op.SET_SAMPLE, cache, timeout_s, self._requests.set_sample, name, limit)

    async def set_union(
        self,
        cache: str,
        name: Key,
        elements: Iterable[Value],
        *,
        ttl: AnyTtl | None = None,
        timeout_s: float | None = None,
    ) -> r.SetUnionResponse:
        """Adds elements to a set, which is made where it is missing.

        `elements`: The elements; may be none.

        `ttl`: The set's time to live, and whether one that is there gets it too; None: the client's default, and it
        does.
        """
        return await self._send(op.SET_UNION, cache, timeout_s, self._requests.set_union, name, elements, ttl)

    async def set_difference(
        self, cache: str, name: Key, elements: Iterable[Value], *, timeout_s: float | None = None
    ) -> r.SetDifferenceResponse:
        """Removes elements from a set; they need not exist.

        `elements`: The elements; may be none.
        """
        return await self._send(op.SET_DIFFERENCE, cache, timeout_s, self._requests.set_difference, name, elements)

    async def set_difference_from(
        self, cache: str, name: Key, elements: Iterable[Value], *, timeout_s: float | None = None
    ) -> r.SetDifferenceResponse:
        """Makes a set those of some elements that it does not hold. Never sent twice where it may have run.

        `elements`: The elements; may be none.
        """
        return await self._send(
            op.SET_DIFFERENCE_FROM, cache, timeout_s, self._requests.set_difference_from, name, elements
        )

    async def set_contains(
        self, cache: str, name: Key, elements: Iterable[Value], *, timeout_s: float | None = None
    ) -> r.SetContainsResponse:
        """Asks which of some elements are in a set.

        `elements`: The elements, in the order in which they are to be answered.
        """
        return await self._send(op.SET_CONTAINS, cache, timeout_s, self._requests.set_contains, name, elements)

    async def set_length(self, cache: str, name: Key, *, timeout_s: float | None = None) -> r.SetLengthResponse:
        """Asks how many elements a set has."""
        return await self._send(op.SET_LENGTH, cache, timeout_s, self._requests.key, name)

    async def set_pop(
        self, cache: str, name: Key, count: int = 1, *, timeout_s: float | None = None
    ) -> r.SetPopResponse:
        """Gets some elements of a set and removes them; which, chance decides. Never sent twice where it may have run.

        `count`: How many elements at most: 1 or more.
        """
        return await self._send(op.SET_POP, cache, timeout_s, self._requests.set_pop, name, count)


class BoundSets:
    """A cache's: the client's calls with the cache's name bound."""

    client: CacheClient
    name: str

    async def set_fetch(self, name: Key, *, timeout_s: float | None = None) -> r.SetFetchResponse:
        """Gets all elements of a set, in no order."""
        return await self.client.set_fetch(self.name, name, timeout_s=timeout_s)

    async def set_sample(self, name: Key, limit: int, *, timeout_s: float | None = None) -> r.SetSampleResponse:
        """Gets some elements of a set, each once; which, chance decides."""
        return await self.client.set_sample(self.name, name, limit, timeout_s=timeout_s)

    async def set_union(
        self, name: Key, elements: Iterable[Value], *, ttl: AnyTtl | None = None, timeout_s: float | None = None
    ) -> r.SetUnionResponse:
        """Adds elements to a set, which is made where it is missing."""
        return await self.client.set_union(self.name, name, elements, ttl=ttl, timeout_s=timeout_s)

    async def set_difference(
        self, name: Key, elements: Iterable[Value], *, timeout_s: float | None = None
    ) -> r.SetDifferenceResponse:
        """Removes elements from a set; they need not exist."""
        return await self.client.set_difference(self.name, name, elements, timeout_s=timeout_s)

    async def set_difference_from(
        self, name: Key, elements: Iterable[Value], *, timeout_s: float | None = None
    ) -> r.SetDifferenceResponse:
        """Makes a set those of some elements that it does not hold. Never sent twice where it may have run."""
        return await self.client.set_difference_from(self.name, name, elements, timeout_s=timeout_s)

    async def set_contains(
        self, name: Key, elements: Iterable[Value], *, timeout_s: float | None = None
    ) -> r.SetContainsResponse:
        """Asks which of some elements are in a set."""
        return await self.client.set_contains(self.name, name, elements, timeout_s=timeout_s)

    async def set_length(self, name: Key, *, timeout_s: float | None = None) -> r.SetLengthResponse:
        """Asks how many elements a set has."""
        return await self.client.set_length(self.name, name, timeout_s=timeout_s)

    async def set_pop(self, name: Key, count: int = 1, *, timeout_s: float | None = None) -> r.SetPopResponse:
        """Gets some elements of a set and removes them; which, chance decides. Never sent twice where it may have
        run.
        """
        return await self.client.set_pop(self.name, name, count, timeout_s=timeout_s)
