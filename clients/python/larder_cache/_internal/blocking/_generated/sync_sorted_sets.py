"""The blocking twins of sorted_sets.py.

Written by tools/python-sync; not edited by hand. Safe to use from many threads.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from larder_cache import responses as r
from larder_cache._internal.blocking.background_loop import drive
from larder_cache._internal.operations.arguments import Key, Value
from larder_cache._internal.operations.collection_fields import ScoredElements, SortedSetSources
from larder_cache.collection_ttl import AnyTtl
from larder_cache.score_bound import AnyBound
from larder_cache.sorted_set_options import SortedSetAggregate, SortedSetOrder
from larder_cache.ttl import Ttl

if TYPE_CHECKING:
    from larder_cache import bound_cache, client


class ClientSortedSets:
    """ClientSortedSets of sorted_sets.py, blocking."""

    _async: client.CacheClient

    def sorted_set_put(
        self,
        cache: str,
        name: Key,
        elements: ScoredElements,
        *,
        ttl: AnyTtl | None = None,
        timeout_s: float | None = None,
    ) -> r.SortedSetPutResponse:
        """Adds elements to a sorted set, which is made where it is missing, or gives those that are there other scores.
        The last of equal elements wins.

        `elements`: The elements with their scores, in this order; may be none.

        `ttl`: The sorted set's time to live, and whether one that is there gets it too; None: the client's default, and
        it does.
        """
        return drive(self._async.sorted_set_put(cache, name, elements, ttl=ttl, timeout_s=timeout_s))

    def sorted_set_fetch_by_rank(
        self,
        cache: str,
        name: Key,
        *,
        order: SortedSetOrder = SortedSetOrder.ASCENDING,
        start: int | None = None,
        end: int | None = None,
        timeout_s: float | None = None,
    ) -> r.SortedSetFetchResponse:
        """Gets the elements of a sorted set from one index to another, with their scores, in the asked order.

        `order`: The order in which elements are counted and answered.

        `start`: The first index; a negative one counts from the end; None: from the beginning.

        `end`: The index behind the last; a negative one counts from the end; None: to the end.
        """
        return drive(
            self._async.sorted_set_fetch_by_rank(cache, name, order=order, start=start, end=end, timeout_s=timeout_s)
        )

    def sorted_set_fetch_by_score(
        self,
        cache: str,
        name: Key,
        *,
        order: SortedSetOrder = SortedSetOrder.ASCENDING,
        min: AnyBound | None = None,
        max: AnyBound | None = None,
        offset: int = 0,
        count: int = -1,
        timeout_s: float | None = None,
    ) -> r.SortedSetFetchResponse:
        """Gets the elements of a sorted set whose score is in a range, with their scores, in the asked order.

        `order`: The order in which elements are counted and answered.

        `min`: From this score, which is in the range or not; None: from the lowest.

        `max`: To this score, which is in the range or not; None: to the highest.

        `offset`: How many elements are passed over first, in the asked order.

        `count`: How many elements at most; below 0: all.
        """
        return drive(
            self._async.sorted_set_fetch_by_score(
                cache, name, order=order, min=min, max=max, offset=offset, count=count, timeout_s=timeout_s
            )
        )

    def sorted_set_get_score(
        self, cache: str, name: Key, elements: Iterable[Value], *, timeout_s: float | None = None
    ) -> r.SortedSetGetScoreResponse:
        """Gets the scores of elements.

        `elements`: The elements, in the order in which they are to be answered.
        """
        return drive(self._async.sorted_set_get_score(cache, name, elements, timeout_s=timeout_s))

    def sorted_set_get_rank(
        self,
        cache: str,
        name: Key,
        element: Value,
        *,
        order: SortedSetOrder = SortedSetOrder.ASCENDING,
        timeout_s: float | None = None,
    ) -> r.SortedSetGetRankResponse:
        """Asks how many elements stand before one.

        `element`: The element.

        `order`: The order in which elements are counted.
        """
        return drive(self._async.sorted_set_get_rank(cache, name, element, order=order, timeout_s=timeout_s))

    def sorted_set_increment(
        self,
        cache: str,
        name: Key,
        element: Value,
        amount: float = 1.0,
        *,
        ttl: AnyTtl | None = None,
        timeout_s: float | None = None,
    ) -> r.SortedSetIncrementResponse:
        """Adds to an element's score; one that is not there gets the amount. Never sent twice where it may have run.

        `element`: The element.

        `amount`: What is added: a number, or infinite.

        `ttl`: The sorted set's time to live, and whether one that is there gets it too; None: the client's default, and
        it does.
        """
        return drive(self._async.sorted_set_increment(cache, name, element, amount, ttl=ttl, timeout_s=timeout_s))

    def sorted_set_remove(
        self, cache: str, name: Key, elements: Iterable[Value], *, timeout_s: float | None = None
    ) -> r.SortedSetRemoveResponse:
        """Removes elements of a sorted set; they need not exist.

        `elements`: The elements; they need not exist.
        """
        return drive(self._async.sorted_set_remove(cache, name, elements, timeout_s=timeout_s))

    def sorted_set_length(self, cache: str, name: Key, *, timeout_s: float | None = None) -> r.SortedSetLengthResponse:
        """Asks how many elements a sorted set has."""
        return drive(self._async.sorted_set_length(cache, name, timeout_s=timeout_s))

    def sorted_set_length_by_score(
        self,
        cache: str,
        name: Key,
        *,
        min: AnyBound | None = None,
        max: AnyBound | None = None,
        timeout_s: float | None = None,
    ) -> r.SortedSetLengthByScoreResponse:
        """Asks how many elements of a sorted set have a score in a range.

        `min`: From this score, which is in the range or not; None: from the lowest.

        `max`: To this score, which is in the range or not; None: to the highest.
        """
        return drive(self._async.sorted_set_length_by_score(cache, name, min=min, max=max, timeout_s=timeout_s))

    def sorted_set_union_store(
        self,
        cache: str,
        name: Key,
        sources: SortedSetSources,
        *,
        aggregate: SortedSetAggregate = SortedSetAggregate.SUM,
        ttl: Ttl | None = None,
        timeout_s: float | None = None,
    ) -> r.SortedSetUnionStoreResponse:
        """Puts the union of sorted sets in the place of one, which gets a time to live of its own. Never sent twice
        where it may have run.

        `sources`: The sorted sets that are united, each with its weight: at least one.

        `aggregate`: What is done with the weighted scores of one element.

        `ttl`: Time to live, over 0 and at most 365 days, or what the server allows; None: the client's default.
        """
        return drive(
            self._async.sorted_set_union_store(cache, name, sources, aggregate=aggregate, ttl=ttl, timeout_s=timeout_s)
        )


class BoundSortedSets:
    """BoundSortedSets of sorted_sets.py, blocking."""

    _async: bound_cache.BoundCache

    def sorted_set_put(
        self, name: Key, elements: ScoredElements, *, ttl: AnyTtl | None = None, timeout_s: float | None = None
    ) -> r.SortedSetPutResponse:
        """Adds elements to a sorted set, which is made where it is missing, or gives those that are there other scores.
        The last of equal elements wins.
        """
        return drive(self._async.sorted_set_put(name, elements, ttl=ttl, timeout_s=timeout_s))

    def sorted_set_fetch_by_rank(
        self,
        name: Key,
        *,
        order: SortedSetOrder = SortedSetOrder.ASCENDING,
        start: int | None = None,
        end: int | None = None,
        timeout_s: float | None = None,
    ) -> r.SortedSetFetchResponse:
        """Gets the elements of a sorted set from one index to another, with their scores, in the asked order."""
        return drive(self._async.sorted_set_fetch_by_rank(name, order=order, start=start, end=end, timeout_s=timeout_s))

    def sorted_set_fetch_by_score(
        self,
        name: Key,
        *,
        order: SortedSetOrder = SortedSetOrder.ASCENDING,
        min: AnyBound | None = None,
        max: AnyBound | None = None,
        offset: int = 0,
        count: int = -1,
        timeout_s: float | None = None,
    ) -> r.SortedSetFetchResponse:
        """Gets the elements of a sorted set whose score is in a range, with their scores, in the asked order."""
        return drive(
            self._async.sorted_set_fetch_by_score(
                name, order=order, min=min, max=max, offset=offset, count=count, timeout_s=timeout_s
            )
        )

    def sorted_set_get_score(
        self, name: Key, elements: Iterable[Value], *, timeout_s: float | None = None
    ) -> r.SortedSetGetScoreResponse:
        """Gets the scores of elements."""
        return drive(self._async.sorted_set_get_score(name, elements, timeout_s=timeout_s))

    def sorted_set_get_rank(
        self,
        name: Key,
        element: Value,
        *,
        order: SortedSetOrder = SortedSetOrder.ASCENDING,
        timeout_s: float | None = None,
    ) -> r.SortedSetGetRankResponse:
        """Asks how many elements stand before one."""
        return drive(self._async.sorted_set_get_rank(name, element, order=order, timeout_s=timeout_s))

    def sorted_set_increment(
        self,
        name: Key,
        element: Value,
        amount: float = 1.0,
        *,
        ttl: AnyTtl | None = None,
        timeout_s: float | None = None,
    ) -> r.SortedSetIncrementResponse:
        """Adds to an element's score; one that is not there gets the amount. Never sent twice where it may have run."""
        return drive(self._async.sorted_set_increment(name, element, amount, ttl=ttl, timeout_s=timeout_s))

    def sorted_set_remove(
        self, name: Key, elements: Iterable[Value], *, timeout_s: float | None = None
    ) -> r.SortedSetRemoveResponse:
        """Removes elements of a sorted set; they need not exist."""
        return drive(self._async.sorted_set_remove(name, elements, timeout_s=timeout_s))

    def sorted_set_length(self, name: Key, *, timeout_s: float | None = None) -> r.SortedSetLengthResponse:
        """Asks how many elements a sorted set has."""
        return drive(self._async.sorted_set_length(name, timeout_s=timeout_s))

    def sorted_set_length_by_score(
        self, name: Key, *, min: AnyBound | None = None, max: AnyBound | None = None, timeout_s: float | None = None
    ) -> r.SortedSetLengthByScoreResponse:
        """Asks how many elements of a sorted set have a score in a range."""
        return drive(self._async.sorted_set_length_by_score(name, min=min, max=max, timeout_s=timeout_s))

    def sorted_set_union_store(
        self,
        name: Key,
        sources: SortedSetSources,
        *,
        aggregate: SortedSetAggregate = SortedSetAggregate.SUM,
        ttl: Ttl | None = None,
        timeout_s: float | None = None,
    ) -> r.SortedSetUnionStoreResponse:
        """Puts the union of sorted sets in the place of one, which gets a time to live of its own. Never sent twice
        where it may have run.
        """
        return drive(
            self._async.sorted_set_union_store(name, sources, aggregate=aggregate, ttl=ttl, timeout_s=timeout_s)
        )
