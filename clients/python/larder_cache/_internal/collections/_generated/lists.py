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
        """Add an element at the front of a list, which is created if it does not exist. The client does not retry this
        call if it may have run.

        `truncate_back_to_size`: The maximum length of the list after the call; elements beyond it are removed from the
        back. 0: unlimited.

        `ttl`: The time to live of the list, and whether an existing list gets it too. If None, the client's default is
        used, and an existing list gets it too.
        """
        return await self._send(
            op.LIST_PUSH_FRONT, self._requests.list_push_front, name, value, ttl, truncate_back_to_size
        )

    async def list_push_back(
        self, name: Key, value: Value, *, truncate_front_to_size: int = 0, ttl: AnyTtl | None = None
    ) -> r.ListPushBackResponse:
        """Add an element at the back of a list, which is created if it does not exist. The client does not retry this
        call if it may have run.

        `truncate_front_to_size`: The maximum length of the list after the call; elements beyond it are removed from the
        front. 0: unlimited.

        `ttl`: The time to live of the list, and whether an existing list gets it too. If None, the client's default is
        used, and an existing list gets it too.
        """
        return await self._send(
            op.LIST_PUSH_BACK, self._requests.list_push_back, name, value, ttl, truncate_front_to_size
        )

    async def list_concatenate_front(
        self, name: Key, values: Iterable[Value], *, truncate_back_to_size: int = 0, ttl: AnyTtl | None = None
    ) -> r.ListConcatenateFrontResponse:
        """Add elements at the front of a list and keep their order. The client does not retry this call if it may have
        run.

        `values`: The elements, in order. There may be none.

        `truncate_back_to_size`: The maximum length of the list after the call; elements beyond it are removed from the
        back. 0: unlimited.

        `ttl`: The time to live of the list, and whether an existing list gets it too. If None, the client's default is
        used, and an existing list gets it too.
        """
        return await self._send(
            op.LIST_CONCATENATE_FRONT, self._requests.list_concatenate_front, name, values, ttl, truncate_back_to_size
        )

    async def list_concatenate_back(
        self, name: Key, values: Iterable[Value], *, truncate_front_to_size: int = 0, ttl: AnyTtl | None = None
    ) -> r.ListConcatenateBackResponse:
        """Add elements at the back of a list and keep their order. The client does not retry this call if it may have
        run.

        `values`: The elements, in order. There may be none.

        `truncate_front_to_size`: The maximum length of the list after the call; elements beyond it are removed from the
        front. 0: unlimited.

        `ttl`: The time to live of the list, and whether an existing list gets it too. If None, the client's default is
        used, and an existing list gets it too.
        """
        return await self._send(
            op.LIST_CONCATENATE_BACK, self._requests.list_concatenate_back, name, values, ttl, truncate_front_to_size
        )

    async def list_pop_front(self, name: Key) -> r.ListPopFrontResponse:
        """Remove the first element of a list and return it. The client does not retry this call if it may have run."""
        return await self._send(op.LIST_POP_FRONT, self._requests.key, name)

    async def list_pop_back(self, name: Key) -> r.ListPopBackResponse:
        """Remove the last element of a list and return it. The client does not retry this call if it may have run."""
        return await self._send(op.LIST_POP_BACK, self._requests.key, name)

    async def list_fetch(self, name: Key, *, start: int | None = None, end: int | None = None) -> r.ListFetchResponse:
        """Get a slice of a list, in order.

        `start`: The index of the first element; a negative index counts from the end; None: from the first element.

        `end`: The index after the last element; a negative index counts from the end; None: to the last element.
        """
        return await self._send(op.LIST_FETCH, self._requests.list_fetch, name, start, end)

    async def list_retain(
        self, name: Key, *, start: int | None = None, end: int | None = None, ttl: AnyTtl | None = None
    ) -> r.ListRetainResponse:
        """Keep a slice of a list and remove the rest. The client does not retry this call if it may have run.

        `start`: The index of the first element; a negative index counts from the end; None: from the first element.

        `end`: The index after the last element; a negative index counts from the end; None: to the last element.

        `ttl`: The new time to live of the list. Ignored if its refresh flag is false. If None, the old one is kept.
        """
        return await self._send(op.LIST_RETAIN, self._requests.list_retain, name, start, end, ttl)

    async def list_remove(self, name: Key, value: Value) -> r.ListRemoveResponse:
        """Remove every element of a list that equals a value."""
        return await self._send(op.LIST_REMOVE, self._requests.list_remove, name, value)

    async def list_erase(self, name: Key, ranges: ListRanges) -> r.ListEraseResponse:
        """Remove ranges of a list. The client does not retry this call if it may have run.

        `ranges`: The ranges, which may overlap. There may be none.
        """
        return await self._send(op.LIST_ERASE, self._requests.list_erase, name, ranges)

    async def list_length(self, name: Key) -> r.ListLengthResponse:
        """Get the number of elements of a list."""
        return await self._send(op.LIST_LENGTH, self._requests.key, name)
