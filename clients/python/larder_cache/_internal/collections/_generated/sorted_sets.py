# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
"""Calls on sorted sets."""

from __future__ import annotations

from collections.abc import Iterable

from larder_cache import responses as r
from larder_cache._internal.client.cache_calls import CacheCalls
from larder_cache._internal.operations._generated import operations as op
from larder_cache._internal.operations.arguments import Key, Value
from larder_cache._internal.operations.collection_fields import ScoredElements, SortedSetSources
from larder_cache.collection_ttl import AnyTtl
from larder_cache.score_bound import AnyBound
from larder_cache.sorted_set_options import SortedSetAggregate, SortedSetOrder
from larder_cache.ttl import Ttl


class SortedSets(CacheCalls):
    """Calls on sorted sets."""

    async def sorted_set_put(
        self, name: Key, elements: ScoredElements, *, ttl: AnyTtl | None = None
    ) -> r.SortedSetPutResponse:
        """Add elements to a sorted set, which is created if it does not exist, and replace existing scores. If an
        element occurs twice, its last score wins.

        `elements`: The elements with their scores, in this order. There may be none.

        `ttl`: The time to live of the sorted set, and whether an existing sorted set gets it too. If None, the client's
        default is used, and an existing sorted set gets it too.
        """
        return await self._send(op.SORTED_SET_PUT, self._requests.sorted_set_put, name, elements, ttl)

    async def sorted_set_fetch_by_rank(
        self,
        name: Key,
        *,
        order: SortedSetOrder = SortedSetOrder.ASCENDING,
        start: int | None = None,
        end: int | None = None,
    ) -> r.SortedSetFetchResponse:
        """Get the elements of a sorted set from one index to another, with scores, in the requested order.

        `order`: The order in which elements are counted and returned.

        `start`: The index of the first element; a negative index counts from the end; None: from the first element.

        `end`: The index after the last element; a negative index counts from the end; None: to the last element.
        """
        return await self._send(
            op.SORTED_SET_FETCH_BY_RANK, self._requests.sorted_set_fetch_by_rank, name, order, start, end
        )

    async def sorted_set_fetch_by_score(
        self,
        name: Key,
        *,
        order: SortedSetOrder = SortedSetOrder.ASCENDING,
        min: AnyBound | None = None,
        max: AnyBound | None = None,
        offset: int = 0,
        count: int = -1,
    ) -> r.SortedSetFetchResponse:
        """Get the elements of a sorted set whose score is in a range, with scores, in the requested order.

        `order`: The order in which elements are counted and returned.

        `min`: The lowest score, inclusive or exclusive. If None, there is no lower bound.

        `max`: The highest score, inclusive or exclusive. If None, there is no upper bound.

        `offset`: The number of elements to skip first, in the requested order.

        `count`: The maximum number of elements; unlimited if negative.
        """
        return await self._send(
            op.SORTED_SET_FETCH_BY_SCORE, self._requests.sorted_set_fetch_by_score, name, order, min, max, offset, count
        )

    async def sorted_set_get_score(self, name: Key, elements: Iterable[Value]) -> r.SortedSetGetScoreResponse:
        """Get the scores of elements.

        `elements`: The elements, in the order of the results.
        """
        return await self._send(op.SORTED_SET_GET_SCORE, self._requests.sorted_set_get_score, name, elements)

    async def sorted_set_get_rank(
        self, name: Key, element: Value, *, order: SortedSetOrder = SortedSetOrder.ASCENDING
    ) -> r.SortedSetGetRankResponse:
        """Get the rank of an element: the number of elements before it in the requested order.

        `element`: The element.

        `order`: The order in which elements are counted.
        """
        return await self._send(op.SORTED_SET_GET_RANK, self._requests.sorted_set_get_rank, name, element, order)

    async def sorted_set_increment(
        self, name: Key, element: Value, amount: float = 1.0, *, ttl: AnyTtl | None = None
    ) -> r.SortedSetIncrementResponse:
        """Add an amount to the score of an element. A missing element is added with the amount as its score. The client
        does not retry this call if it may have run.

        `element`: The element.

        `amount`: The amount to add: finite or infinite, but not NaN.

        `ttl`: The time to live of the sorted set, and whether an existing sorted set gets it too. If None, the client's
        default is used, and an existing sorted set gets it too.
        """
        return await self._send(
            op.SORTED_SET_INCREMENT, self._requests.sorted_set_increment, name, element, amount, ttl
        )

    async def sorted_set_remove(self, name: Key, elements: Iterable[Value]) -> r.SortedSetRemoveResponse:
        """Remove elements of a sorted set. Succeeds even if they do not exist.

        `elements`: The elements, which need not exist.
        """
        return await self._send(op.SORTED_SET_REMOVE, self._requests.sorted_set_remove, name, elements)

    async def sorted_set_length(self, name: Key) -> r.SortedSetLengthResponse:
        """Get the number of elements of a sorted set."""
        return await self._send(op.SORTED_SET_LENGTH, self._requests.key, name)

    async def sorted_set_length_by_score(
        self, name: Key, *, min: AnyBound | None = None, max: AnyBound | None = None
    ) -> r.SortedSetLengthByScoreResponse:
        """Get the number of elements of a sorted set whose score is in a range.

        `min`: The lowest score, inclusive or exclusive. If None, there is no lower bound.

        `max`: The highest score, inclusive or exclusive. If None, there is no upper bound.
        """
        return await self._send(
            op.SORTED_SET_LENGTH_BY_SCORE, self._requests.sorted_set_length_by_score, name, min, max
        )

    async def sorted_set_union_store(
        self,
        name: Key,
        sources: SortedSetSources,
        *,
        aggregate: SortedSetAggregate = SortedSetAggregate.SUM,
        ttl: Ttl | None = None,
    ) -> r.SortedSetUnionStoreResponse:
        """Store the union of sorted sets with its own TTL, and replace an existing sorted set. The client does not
        retry this call if it may have run.

        `sources`: The sorted sets to unite, each with its weight. At least one.

        `aggregate`: How the weighted scores of one element in several sources are combined.

        `ttl`: The time to live. It must be above 0 and at most 365 days, or the server's limit if that is lower. If
        None, the client's default is used.
        """
        return await self._send(
            op.SORTED_SET_UNION_STORE, self._requests.sorted_set_union_store, name, sources, aggregate, ttl
        )
