"""The blocking twins of lists.py.

Written by tools/python-sync; not edited by hand. Safe to use from many threads.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from larder_cache import responses as r
from larder_cache._internal.blocking.background_loop import drive
from larder_cache._internal.operations.arguments import Key, Value
from larder_cache._internal.operations.collection_fields import ListRanges
from larder_cache.collection_ttl import AnyTtl

if TYPE_CHECKING:
    from larder_cache import bound_cache, client


class ClientLists:
    """ClientLists of lists.py, blocking."""

    _async: client.CacheClient

    def list_push_front(
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
        return drive(
            self._async.list_push_front(
                cache, name, value, truncate_back_to_size=truncate_back_to_size, ttl=ttl, timeout_s=timeout_s
            )
        )

    def list_push_back(
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
        return drive(
            self._async.list_push_back(
                cache, name, value, truncate_front_to_size=truncate_front_to_size, ttl=ttl, timeout_s=timeout_s
            )
        )

    def list_concatenate_front(
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
        return drive(
            self._async.list_concatenate_front(
                cache, name, values, truncate_back_to_size=truncate_back_to_size, ttl=ttl, timeout_s=timeout_s
            )
        )

    def list_concatenate_back(
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
        return drive(
            self._async.list_concatenate_back(
                cache, name, values, truncate_front_to_size=truncate_front_to_size, ttl=ttl, timeout_s=timeout_s
            )
        )

    def list_pop_front(self, cache: str, name: Key, *, timeout_s: float | None = None) -> r.ListPopFrontResponse:
        """Gets the first element of a list and removes it. Never sent twice where it may have run."""
        return drive(self._async.list_pop_front(cache, name, timeout_s=timeout_s))

    def list_pop_back(self, cache: str, name: Key, *, timeout_s: float | None = None) -> r.ListPopBackResponse:
        """Gets the last element of a list and removes it. Never sent twice where it may have run."""
        return drive(self._async.list_pop_back(cache, name, timeout_s=timeout_s))

    def list_fetch(
        self, cache: str, name: Key, *, start: int | None = None, end: int | None = None, timeout_s: float | None = None
    ) -> r.ListFetchResponse:
        """Gets a slice of a list, in order.

        `start`: The first index; a negative one counts from the end; None: from the beginning.

        `end`: The index behind the last; a negative one counts from the end; None: to the end.
        """
        return drive(self._async.list_fetch(cache, name, start=start, end=end, timeout_s=timeout_s))

    def list_retain(
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
        return drive(self._async.list_retain(cache, name, start=start, end=end, ttl=ttl, timeout_s=timeout_s))

    def list_remove(
        self, cache: str, name: Key, value: Value, *, timeout_s: float | None = None
    ) -> r.ListRemoveResponse:
        """Removes every element of a list that has a value."""
        return drive(self._async.list_remove(cache, name, value, timeout_s=timeout_s))

    def list_erase(
        self, cache: str, name: Key, ranges: ListRanges, *, timeout_s: float | None = None
    ) -> r.ListEraseResponse:
        """Removes ranges of a list. Never sent twice where it may have run.

        `ranges`: The ranges; they may overlap, and may be none.
        """
        return drive(self._async.list_erase(cache, name, ranges, timeout_s=timeout_s))

    def list_length(self, cache: str, name: Key, *, timeout_s: float | None = None) -> r.ListLengthResponse:
        """Asks how many elements a list has."""
        return drive(self._async.list_length(cache, name, timeout_s=timeout_s))


class BoundLists:
    """BoundLists of lists.py, blocking."""

    _async: bound_cache.BoundCache

    def list_push_front(
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
        return drive(
            self._async.list_push_front(
                name, value, truncate_back_to_size=truncate_back_to_size, ttl=ttl, timeout_s=timeout_s
            )
        )

    def list_push_back(
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
        return drive(
            self._async.list_push_back(
                name, value, truncate_front_to_size=truncate_front_to_size, ttl=ttl, timeout_s=timeout_s
            )
        )

    def list_concatenate_front(
        self,
        name: Key,
        values: Iterable[Value],
        *,
        truncate_back_to_size: int = 0,
        ttl: AnyTtl | None = None,
        timeout_s: float | None = None,
    ) -> r.ListConcatenateFrontResponse:
        """Adds elements before the first of a list, in their order. Never sent twice where it may have run."""
        return drive(
            self._async.list_concatenate_front(
                name, values, truncate_back_to_size=truncate_back_to_size, ttl=ttl, timeout_s=timeout_s
            )
        )

    def list_concatenate_back(
        self,
        name: Key,
        values: Iterable[Value],
        *,
        truncate_front_to_size: int = 0,
        ttl: AnyTtl | None = None,
        timeout_s: float | None = None,
    ) -> r.ListConcatenateBackResponse:
        """Adds elements behind the last of a list, in their order. Never sent twice where it may have run."""
        return drive(
            self._async.list_concatenate_back(
                name, values, truncate_front_to_size=truncate_front_to_size, ttl=ttl, timeout_s=timeout_s
            )
        )

    def list_pop_front(self, name: Key, *, timeout_s: float | None = None) -> r.ListPopFrontResponse:
        """Gets the first element of a list and removes it. Never sent twice where it may have run."""
        return drive(self._async.list_pop_front(name, timeout_s=timeout_s))

    def list_pop_back(self, name: Key, *, timeout_s: float | None = None) -> r.ListPopBackResponse:
        """Gets the last element of a list and removes it. Never sent twice where it may have run."""
        return drive(self._async.list_pop_back(name, timeout_s=timeout_s))

    def list_fetch(
        self, name: Key, *, start: int | None = None, end: int | None = None, timeout_s: float | None = None
    ) -> r.ListFetchResponse:
        """Gets a slice of a list, in order."""
        return drive(self._async.list_fetch(name, start=start, end=end, timeout_s=timeout_s))

    def list_retain(
        self,
        name: Key,
        *,
        start: int | None = None,
        end: int | None = None,
        ttl: AnyTtl | None = None,
        timeout_s: float | None = None,
    ) -> r.ListRetainResponse:
        """Keeps a slice of a list and drops the rest. Never sent twice where it may have run."""
        return drive(self._async.list_retain(name, start=start, end=end, ttl=ttl, timeout_s=timeout_s))

    def list_remove(self, name: Key, value: Value, *, timeout_s: float | None = None) -> r.ListRemoveResponse:
        """Removes every element of a list that has a value."""
        return drive(self._async.list_remove(name, value, timeout_s=timeout_s))

    def list_erase(self, name: Key, ranges: ListRanges, *, timeout_s: float | None = None) -> r.ListEraseResponse:
        """Removes ranges of a list. Never sent twice where it may have run."""
        return drive(self._async.list_erase(name, ranges, timeout_s=timeout_s))

    def list_length(self, name: Key, *, timeout_s: float | None = None) -> r.ListLengthResponse:
        """Asks how many elements a list has."""
        return drive(self._async.list_length(name, timeout_s=timeout_s))
