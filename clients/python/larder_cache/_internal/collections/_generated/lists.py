# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
"""Calls on lists: a client's, and those of a cache by its handle."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from larder_cache import responses as r
from larder_cache._internal.client.sender import Sender
from larder_cache._internal.operations._generated import operations as op
from larder_cache._internal.operations.arguments import Key, Value
from larder_cache._internal.operations.collection_fields import ListRanges
from larder_cache.collection_ttl import AnyTtl

if TYPE_CHECKING:
    from larder_cache.client import CacheClient


class ClientLists(Sender):
    """A client's."""

    async def list_push_front(
        self,
        cache: str,
        name: Key,
        value: Value,
        *,
        truncate_back_to_size: int = 0,
        ttl: AnyTtl | None = None,
        timeout_s: float | None = None,
    ) -> r.ListPushFrontResponse:
        """Adds an element before the first of a list, which is made where it is missing. Never sent twice where it may
        have run.

        `truncate_back_to_size`: Elements at most afterwards: what is more is dropped from the back. 0: any number.

        `ttl`: The list's time to live, and whether one that is there gets it too; None: the client's default, and it
        does.
        """
        return await self._send(
            op.LIST_PUSH_FRONT,
            cache,
            timeout_s,
            self._requests.list_push_front,
            name,
            value,
            ttl,
            truncate_back_to_size,
        )

    async def list_push_back(
        self,
        cache: str,
        name: Key,
        value: Value,
        *,
        truncate_front_to_size: int = 0,
        ttl: AnyTtl | None = None,
        timeout_s: float | None = None,
    ) -> r.ListPushBackResponse:
        """Adds an element behind the last of a list, which is made where it is missing. Never sent twice where it may
        have run.

        `truncate_front_to_size`: Elements at most afterwards: what is more is dropped from the front. 0: any number.

        `ttl`: The list's time to live, and whether one that is there gets it too; None: the client's default, and it
        does.
        """
        return await self._send(
            op.LIST_PUSH_BACK, cache, timeout_s, self._requests.list_push_back, name, value, ttl, truncate_front_to_size
        )

    async def list_concatenate_front(
        self,
        cache: str,
        name: Key,
        values: Iterable[Value],
        *,
        truncate_back_to_size: int = 0,
        ttl: AnyTtl | None = None,
        timeout_s: float | None = None,
    ) -> r.ListConcatenateFrontResponse:
        """Adds elements before the first of a list, in their order. Never sent twice where it may have run.

        `values`: The elements, in their order; may be none.

        `truncate_back_to_size`: Elements at most afterwards: what is more is dropped from the back. 0: any number.

        `ttl`: The list's time to live, and whether one that is there gets it too; None: the client's default, and it
        does.
        """
        return await self._send(
            op.LIST_CONCATENATE_FRONT,
            cache,
            timeout_s,
            self._requests.list_concatenate_front,
            name,
            values,
            ttl,
            truncate_back_to_size,
        )

    async def list_concatenate_back(
        self,
        cache: str,
        name: Key,
        values: Iterable[Value],
        *,
        truncate_front_to_size: int = 0,
        ttl: AnyTtl | None = None,
        timeout_s: float | None = None,
    ) -> r.ListConcatenateBackResponse:
        """Adds elements behind the last of a list, in their order. Never sent twice where it may have run.

        `values`: The elements, in their order; may be none.

        `truncate_front_to_size`: Elements at most afterwards: what is more is dropped from the front. 0: any number.

        `ttl`: The list's time to live, and whether one that is there gets it too; None: the client's default, and it
        does.
        """
        return await self._send(
            op.LIST_CONCATENATE_BACK,
            cache,
            timeout_s,
            self._requests.list_concatenate_back,
            name,
            values,
            ttl,
            truncate_front_to_size,
        )

    async def list_pop_front(self, cache: str, name: Key, *, timeout_s: float | None = None) -> r.ListPopFrontResponse:
        """Gets the first element of a list and removes it. Never sent twice where it may have run."""
        return await self._send(op.LIST_POP_FRONT, cache, timeout_s, self._requests.key, name)

    async def list_pop_back(self, cache: str, name: Key, *, timeout_s: float | None = None) -> r.ListPopBackResponse:
        """Gets the last element of a list and removes it. Never sent twice where it may have run."""
        return await self._send(op.LIST_POP_BACK, cache, timeout_s, self._requests.key, name)

    async def list_fetch(
        self, cache: str, name: Key, *, start: int | None = None, end: int | None = None, timeout_s: float | None = None
    ) -> r.ListFetchResponse:
        """Gets a slice of a list, in order.

        `start`: The first index; a negative one counts from the end; None: from the beginning.

        `end`: The index behind the last; a negative one counts from the end; None: to the end.
        """
        return await self._send(op.LIST_FETCH, cache, timeout_s, self._requests.list_fetch, name, start, end)

    async def list_retain(
        self,
        cache: str,
        name: Key,
        *,
        start: int | None = None,
        end: int | None = None,
        ttl: AnyTtl | None = None,
        timeout_s: float | None = None,
    ) -> r.ListRetainResponse:
        """Keeps a slice of a list and drops the rest. Never sent twice where it may have run.

        `start`: The first index; a negative one counts from the end; None: from the beginning.

        `end`: The index behind the last; a negative one counts from the end; None: to the end.

        `ttl`: The list's new time to live, where it refreshes; None: it keeps the one that it has.
        """
        return await self._send(op.LIST_RETAIN, cache, timeout_s, self._requests.list_retain, name, start, end, ttl)

    async def list_remove(
        self, cache: str, name: Key, value: Value, *, timeout_s: float | None = None
    ) -> r.ListRemoveResponse:
        """Removes every element of a list that has a value."""
        return await self._send(op.LIST_REMOVE, cache, timeout_s, self._requests.list_remove, name, value)

    async def list_erase(
        self, cache: str, name: Key, ranges: ListRanges, *, timeout_s: float | None = None
    ) -> r.ListEraseResponse:
        """Removes ranges of a list. Never sent twice where it may have run.

        `ranges`: The ranges; they may overlap, and may be none.
        """
        return await self._send(op.LIST_ERASE, cache, timeout_s, self._requests.list_erase, name, ranges)

    async def list_length(self, cache: str, name: Key, *, timeout_s: float | None = None) -> r.ListLengthResponse:
        """Asks how many elements a list has."""
        return await self._send(op.LIST_LENGTH, cache, timeout_s, self._requests.key, name)


class BoundLists:
    """A cache's: the client's calls with the cache's name bound."""

    client: CacheClient
    name: str

    async def list_push_front(
        self,
        name: Key,
        value: Value,
        *,
        truncate_back_to_size: int = 0,
        ttl: AnyTtl | None = None,
        timeout_s: float | None = None,
    ) -> r.ListPushFrontResponse:
        """Adds an element before the first of a list, which is made where it is missing. Never sent twice where it may
        have run.
        """
        return await self.client.list_push_front(
            self.name, name, value, truncate_back_to_size=truncate_back_to_size, ttl=ttl, timeout_s=timeout_s
        )

    async def list_push_back(
        self,
        name: Key,
        value: Value,
        *,
        truncate_front_to_size: int = 0,
        ttl: AnyTtl | None = None,
        timeout_s: float | None = None,
    ) -> r.ListPushBackResponse:
        """Adds an element behind the last of a list, which is made where it is missing. Never sent twice where it may
        have run.
        """
        return await self.client.list_push_back(
            self.name, name, value, truncate_front_to_size=truncate_front_to_size, ttl=ttl, timeout_s=timeout_s
        )

    async def list_concatenate_front(
        self,
        name: Key,
        values: Iterable[Value],
        *,
        truncate_back_to_size: int = 0,
        ttl: AnyTtl | None = None,
        timeout_s: float | None = None,
    ) -> r.ListConcatenateFrontResponse:
        """Adds elements before the first of a list, in their order. Never sent twice where it may have run."""
        return await self.client.list_concatenate_front(
            self.name, name, values, truncate_back_to_size=truncate_back_to_size, ttl=ttl, timeout_s=timeout_s
        )

    async def list_concatenate_back(
        self,
        name: Key,
        values: Iterable[Value],
        *,
        truncate_front_to_size: int = 0,
        ttl: AnyTtl | None = None,
        timeout_s: float | None = None,
    ) -> r.ListConcatenateBackResponse:
        """Adds elements behind the last of a list, in their order. Never sent twice where it may have run."""
        return await self.client.list_concatenate_back(
            self.name, name, values, truncate_front_to_size=truncate_front_to_size, ttl=ttl, timeout_s=timeout_s
        )

    async def list_pop_front(self, name: Key, *, timeout_s: float | None = None) -> r.ListPopFrontResponse:
        """Gets the first element of a list and removes it. Never sent twice where it may have run."""
        return await self.client.list_pop_front(self.name, name, timeout_s=timeout_s)

    async def list_pop_back(self, name: Key, *, timeout_s: float | None = None) -> r.ListPopBackResponse:
        """Gets the last element of a list and removes it. Never sent twice where it may have run."""
        return await self.client.list_pop_back(self.name, name, timeout_s=timeout_s)

    async def list_fetch(
        self, name: Key, *, start: int | None = None, end: int | None = None, timeout_s: float | None = None
    ) -> r.ListFetchResponse:
        """Gets a slice of a list, in order."""
        return await self.client.list_fetch(self.name, name, start=start, end=end, timeout_s=timeout_s)

    async def list_retain(
        self,
        name: Key,
        *,
        start: int | None = None,
        end: int | None = None,
        ttl: AnyTtl | None = None,
        timeout_s: float | None = None,
    ) -> r.ListRetainResponse:
        """Keeps a slice of a list and drops the rest. Never sent twice where it may have run."""
        return await self.client.list_retain(self.name, name, start=start, end=end, ttl=ttl, timeout_s=timeout_s)

    async def list_remove(self, name: Key, value: Value, *, timeout_s: float | None = None) -> r.ListRemoveResponse:
        """Removes every element of a list that has a value."""
        return await self.client.list_remove(self.name, name, value, timeout_s=timeout_s)

    async def list_erase(self, name: Key, ranges: ListRanges, *, timeout_s: float | None = None) -> r.ListEraseResponse:
        """Removes ranges of a list. Never sent twice where it may have run."""
        return await self.client.list_erase(self.name, name, ranges, timeout_s=timeout_s)

    async def list_length(self, name: Key, *, timeout_s: float | None = None) -> r.ListLengthResponse:
        """Asks how many elements a list has."""
        return await self.client.list_length(self.name, name, timeout_s=timeout_s)
