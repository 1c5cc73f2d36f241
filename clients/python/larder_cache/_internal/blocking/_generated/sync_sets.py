"""The blocking twins of sets.py.

Written by tools/python-sync; not edited by hand. Safe to use from many threads.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from larder_cache import responses as r
from larder_cache._internal.blocking.background_loop import drive
from larder_cache._internal.operations.arguments import Key, Value
from larder_cache.collection_ttl import AnyTtl

if TYPE_CHECKING:
    from larder_cache import bound_cache, client


class ClientSets:
    """ClientSets of sets.py, blocking."""

    _async: client.CacheClient

    def set_fetch(self, cache: str, name: Key, *, timeout_s: float | None = None) -> r.SetFetchResponse:
        """Gets all elements of a set, in no order."""
        return drive(self._async.set_fetch(cache, name, timeout_s=timeout_s))

    def set_sample(self, cache: str, name: Key, limit: int, *, timeout_s: float | None = None) -> r.SetSampleResponse:
        """Gets some elements of a set, each once; which, chance decides.

        `limit`: How many elements at most; 0 asks whether there is such a set.
        """
        return drive(self._async.set_sample(cache, name, limit, timeout_s=timeout_s))

    def set_union(
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
        return drive(self._async.set_union(cache, name, elements, ttl=ttl, timeout_s=timeout_s))

    def set_difference(
        self, cache: str, name: Key, elements: Iterable[Value], *, timeout_s: float | None = None
    ) -> r.SetDifferenceResponse:
        """Removes elements from a set; they need not exist.

        `elements`: The elements; may be none.
        """
        return drive(self._async.set_difference(cache, name, elements, timeout_s=timeout_s))

    def set_difference_from(
        self, cache: str, name: Key, elements: Iterable[Value], *, timeout_s: float | None = None
    ) -> r.SetDifferenceResponse:
        """Makes a set those of some elements that it does not hold. Never sent twice where it may have run.

        `elements`: The elements; may be none.
        """
        return drive(self._async.set_difference_from(cache, name, elements, timeout_s=timeout_s))

    def set_contains(
        self, cache: str, name: Key, elements: Iterable[Value], *, timeout_s: float | None = None
    ) -> r.SetContainsResponse:
        """Asks which of some elements are in a set.

        `elements`: The elements, in the order in which they are to be answered.
        """
        return drive(self._async.set_contains(cache, name, elements, timeout_s=timeout_s))

    def set_length(self, cache: str, name: Key, *, timeout_s: float | None = None) -> r.SetLengthResponse:
        """Asks how many elements a set has."""
        return drive(self._async.set_length(cache, name, timeout_s=timeout_s))

    def set_pop(self, cache: str, name: Key, count: int = 1, *, timeout_s: float | None = None) -> r.SetPopResponse:
        """Gets some elements of a set and removes them; which, chance decides. Never sent twice where it may have run.

        `count`: How many elements at most: 1 or more.
        """
        return drive(self._async.set_pop(cache, name, count, timeout_s=timeout_s))


class BoundSets:
    """BoundSets of sets.py, blocking."""

    _async: bound_cache.BoundCache

    def set_fetch(self, name: Key, *, timeout_s: float | None = None) -> r.SetFetchResponse:
        """Gets all elements of a set, in no order."""
        return drive(self._async.set_fetch(name, timeout_s=timeout_s))

    def set_sample(self, name: Key, limit: int, *, timeout_s: float | None = None) -> r.SetSampleResponse:
        """Gets some elements of a set, each once; which, chance decides."""
        return drive(self._async.set_sample(name, limit, timeout_s=timeout_s))

    def set_union(
        self, name: Key, elements: Iterable[Value], *, ttl: AnyTtl | None = None, timeout_s: float | None = None
    ) -> r.SetUnionResponse:
        """Adds elements to a set, which is made where it is missing."""
        return drive(self._async.set_union(name, elements, ttl=ttl, timeout_s=timeout_s))

    def set_difference(
        self, name: Key, elements: Iterable[Value], *, timeout_s: float | None = None
    ) -> r.SetDifferenceResponse:
        """Removes elements from a set; they need not exist."""
        return drive(self._async.set_difference(name, elements, timeout_s=timeout_s))

    def set_difference_from(
        self, name: Key, elements: Iterable[Value], *, timeout_s: float | None = None
    ) -> r.SetDifferenceResponse:
        """Makes a set those of some elements that it does not hold. Never sent twice where it may have run."""
        return drive(self._async.set_difference_from(name, elements, timeout_s=timeout_s))

    def set_contains(
        self, name: Key, elements: Iterable[Value], *, timeout_s: float | None = None
    ) -> r.SetContainsResponse:
        """Asks which of some elements are in a set."""
        return drive(self._async.set_contains(name, elements, timeout_s=timeout_s))

    def set_length(self, name: Key, *, timeout_s: float | None = None) -> r.SetLengthResponse:
        """Asks how many elements a set has."""
        return drive(self._async.set_length(name, timeout_s=timeout_s))

    def set_pop(self, name: Key, count: int = 1, *, timeout_s: float | None = None) -> r.SetPopResponse:
        """Gets some elements of a set and removes them; which, chance decides. Never sent twice where it may have
        run.
        """
        return drive(self._async.set_pop(name, count, timeout_s=timeout_s))
