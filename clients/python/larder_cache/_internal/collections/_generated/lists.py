# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
"""Calls on lists."""

from __future__ import annotations

from collections.abc import Iterable

from larder_cache import responses as r
from larder_cache._internal.client.cache_calls import CacheCalls
from larder_cache._internal.operations._generated import operations as op
from larder_cache._internal.operations.arguments import Key, Value
from larder_cache._internal.operations.collection_fields import ListRanges
from larder_cache.collection_ttl import AnyTtl


class Lists(CacheCalls):
    """Calls on lists."""

    async def list_push_front(
        self, name: Key, value: Value, *, truncate_back_to_size: int = 0, ttl: AnyTtl | None = None
    ) -> r.ListPushFrontResponse:
        """Adds an element before the first of a list, which is made where it is missing. Never sent twice where it may
        have run.

        `truncate_back_to_size`: Elements at most afterwards: what is more is dropped from the back. 0: any number.

        `ttl`: The list's time to live, and whether one that is there gets it too; None: the client's default, and it
        does.
        """
        return await self._send(
            op.LIST_PUSH_FRONT, self._requests.list_push_front, name, value, ttl, truncate_back_to_size
        )

    async def list_push_back(
        self, name: Key, value: Value, *, truncate_front_to_size: int = 0, ttl: AnyTtl | None = None
    ) -> r.ListPushBackResponse:
        """Adds an element behind the last of a list, which is made where it is missing. Never sent twice where it may
        have run.

        `truncate_front_to_size`: Elements at most afterwards: what is more is dropped from the front. 0: any number.

        `ttl`: The list's time to live, and whether one that is there gets it too; None: the client's default, and it
        does.
        """
        return await self._send(
            op.LIST_PUSH_BACK, self._requests.list_push_back, name, value, ttl, truncate_front_to_size
        )

    async def list_concatenate_front(
        self, name: Key, values: Iterable[Value], *, truncate_back_to_size: int = 0, ttl: AnyTtl | None = None
    ) -> r.ListConcatenateFrontResponse:
        """Adds elements before the first of a list, in their order. Never sent twice where it may have run.

        `values`: The elements, in their order; may be none.

        `truncate_back_to_size`: Elements at most afterwards: what is more is dropped from the back. 0: any number.

        `ttl`: The list's time to live, and whether one that is there gets it too; None: the client's default, and it
        does.
        """
        return await self._send(
            op.LIST_CONCATENATE_FRONT, self._requests.list_concatenate_front, name, values, ttl, truncate_back_to_size
        )

    async def list_concatenate_back(
        self, name: Key, values: Iterable[Value], *, truncate_front_to_size: int = 0, ttl: AnyTtl | None = None
    ) -> r.ListConcatenateBackResponse:
        """Adds elements behind the last of a list, in their order. Never sent twice where it may have run.

        `values`: The elements, in their order; may be none.

        `truncate_front_to_size`: Elements at most afterwards: what is more is dropped from the front. 0: any number.

        `ttl`: The list's time to live, and whether one that is there gets it too; None: the client's default, and it
        does.
        """
        return await self._send(
            op.LIST_CONCATENATE_BACK, self._requests.list_concatenate_back, name, values, ttl, truncate_front_to_size
        )

    async def list_pop_front(self, name: Key) -> r.ListPopFrontResponse:
        """Gets the first element of a list and removes it. Never sent twice where it may have run."""
        return await self._send(op.LIST_POP_FRONT, self._requests.key, name)

    async def list_pop_back(self, name: Key) -> r.ListPopBackResponse:
        """Gets the last element of a list and removes it. Never sent twice where it may have run."""
        return await self._send(op.LIST_POP_BACK, self._requests.key, name)

    async def list_fetch(self, name: Key, *, start: int | None = None, end: int | None = None) -> r.ListFetchResponse:
        """Gets a slice of a list, in order.

        `start`: The first index; a negative one counts from the end; None: from the beginning.

        `end`: The index behind the last; a negative one counts from the end; None: to the end.
        """
        return await self._send(op.LIST_FETCH, self._requests.list_fetch, name, start, end)

    async def list_retain(
        self, name: Key, *, start: int | None = None, end: int | None = None, ttl: AnyTtl | None = None
    ) -> r.ListRetainResponse:
        """Keeps a slice of a list and drops the rest. Never sent twice where it may have run.

        `start`: The first index; a negative one counts from the end; None: from the beginning.

        `end`: The index behind the last; a negative one counts from the end; None: to the end.

        `ttl`: The list's new time to live, where it refreshes; None: it keeps the one that it has.
        """
        return await self._send(op.LIST_RETAIN, self._requests.list_retain, name, start, end, ttl)

    async def list_remove(self, name: Key, value: Value) -> r.ListRemoveResponse:
        """Removes every element of a list that has a value."""
        return await self._send(op.LIST_REMOVE, self._requests.list_remove, name, value)

    async def list_erase(self, name: Key, ranges: ListRanges) -> r.ListEraseResponse:
        """Removes ranges of a list. Never sent twice where it may have run.

        `ranges`: The ranges; they may overlap, and may be none.
        """
        return await self._send(op.LIST_ERASE, self._requests.list_erase, name, ranges)

    async def list_length(self, name: Key) -> r.ListLengthResponse:
        """Asks how many elements a list has."""
        return await self._send(op.LIST_LENGTH, self._requests.key, name)
