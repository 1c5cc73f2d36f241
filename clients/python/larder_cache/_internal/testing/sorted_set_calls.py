"""Calls on sorted sets (protocol/spec/sorted-set.md)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from larder_cache._internal.operations._generated.messages import cache as pb
from larder_cache._internal.testing.contents import SortedSet
from larder_cache._internal.testing.items import Items
from larder_cache._internal.testing.refused import Refused, invalid, too_large
from larder_cache._internal.testing.rules import BESIDE_SCORED, MOST_ELEMENTS, check_answer, check_elements, check_key
from larder_cache.errors import ErrorCode

_NONE = pb.Empty()


def _check_numbers(numbers: Iterable[float]) -> None:
    if any(map(math.isnan, numbers)):
        raise invalid("a score or an amount is NaN; pass a finite or infinite number")


def _check_order(order: int) -> bool:
    """Return whether the order is descending. Raises Refused if the order is unknown."""
    if order not in (0, 1):
        raise invalid("unknown order; it must be 0 (ascending) or 1 (descending)")
    return order == 1


class _Scores(NamedTuple):
    """A range of scores with inclusive or exclusive bounds."""

    least: float
    excludes_least: bool
    most: float
    excludes_most: bool

    def has(self, score: float) -> bool:
        above = score > self.least if self.excludes_least else score >= self.least
        return above and (score < self.most if self.excludes_most else score <= self.most)


def put(items: Items, q: pb.SortedSetPutRequest) -> pb.SortedSetPutResponse:
    check_elements(q.name, (each.value for each in q.elements), len(q.elements))
    _check_numbers(each.score for each in q.elements)
    items.ttl.check(q.ttl_ms)
    changed = items.open(q.name, SortedSet) or SortedSet()
    changed.update((each.value, each.score) for each in q.elements)
    items.settle(q.name, changed, q.ttl_ms, refresh=q.refresh_ttl)
    return pb.SortedSetPutResponse()


def fetch(items: Items, q: pb.SortedSetFetchRequest) -> pb.SortedSetFetchResponse:
    check_key(q.name)
    descending = _check_order(q.order)
    kind = q.WhichOneof("range")
    if kind is None:
        raise invalid("the request does not select any elements; set a selection")
    scores = _by_score(q.by_score)
    found = items.open(q.name, SortedSet)
    if found is None:
        return pb.SortedSetFetchResponse(missing=_NONE)
    ordered = found.ordered(descending=descending)
    if kind == "by_index":
        by = q.by_index
        start = by.inclusive_start if by.WhichOneof("start") == "inclusive_start" else None
        end = by.exclusive_end if by.WhichOneof("end") == "exclusive_end" else None
        ordered = ordered[start:end]
    else:
        ordered = [each for each in ordered if scores.has(each[1])][q.by_score.offset :]
        ordered = ordered if q.by_score.count < 0 else ordered[: q.by_score.count]
    check_answer((each[0] for each in ordered), len(ordered), BESIDE_SCORED)
    if q.with_scores:
        told = [pb.SortedSetElement(value=value, score=score) for value, score in ordered]
        answer = pb.SortedSetFetchResponse.Found(with_scores=pb.SortedSetFetchResponse.WithScores(elements=told))
    else:
        values = pb.SortedSetFetchResponse.Values(values=[value for value, _ in ordered])
        answer = pb.SortedSetFetchResponse.Found(values=values)
    return pb.SortedSetFetchResponse(found=answer)


def _by_score(by: pb.SortedSetFetchRequest.ByScore) -> _Scores:
    low = by.min_score if by.WhichOneof("min") == "min_score" else None
    high = by.max_score if by.WhichOneof("max") == "max_score" else None
    _check_numbers(each.score for each in (low, high) if each is not None)
    return _Scores(
        -math.inf if low is None else low.score,
        low is not None and low.exclusive,
        math.inf if high is None else high.score,
        high is not None and high.exclusive,
    )


def get_score(items: Items, q: pb.SortedSetGetScoreRequest) -> pb.SortedSetGetScoreResponse:
    check_elements(q.name, q.values, len(q.values))
    found = items.open(q.name, SortedSet)
    if found is None:
        return pb.SortedSetGetScoreResponse(missing=_NONE)
    check_answer((), len(q.values), BESIDE_SCORED)
    scores = [found.get(each) for each in q.values]
    parts = [
        pb.SortedSetGetScoreResponse.Part(result=pb.Miss if score is None else pb.Hit, score=score or 0.0)
        for score in scores
    ]
    return pb.SortedSetGetScoreResponse(found=pb.SortedSetGetScoreResponse.Found(parts=parts))


def get_rank(items: Items, q: pb.SortedSetGetRankRequest) -> pb.SortedSetGetRankResponse:
    check_elements(q.name, [q.value], 1)
    descending = _check_order(q.order)
    found = items.open(q.name, SortedSet)
    if found is None:
        return pb.SortedSetGetRankResponse(missing=_NONE)
    part = pb.SortedSetGetRankResponse.Part(result=pb.Miss)
    if q.value in found:
        rank = found.ordered(descending=descending).index((q.value, found[q.value]))
        part = pb.SortedSetGetRankResponse.Part(result=pb.Hit, rank=rank)
    return pb.SortedSetGetRankResponse(part=part)


def increment(items: Items, q: pb.SortedSetIncrementRequest) -> pb.SortedSetIncrementResponse:
    check_elements(q.name, [q.value], 1)
    _check_numbers([q.amount])
    items.ttl.check(q.ttl_ms)
    changed = items.open(q.name, SortedSet) or SortedSet()
    score = changed.get(q.value, 0.0) + q.amount
    if math.isnan(score):
        why = "the increment would add infinity and minus infinity; the value was not changed"
        raise Refused(ErrorCode.FAILED_PRECONDITION, why)
    changed[q.value] = score
    items.settle(q.name, changed, q.ttl_ms, refresh=q.refresh_ttl)
    return pb.SortedSetIncrementResponse(score=score)


def remove(items: Items, q: pb.SortedSetRemoveRequest) -> pb.SortedSetRemoveResponse:
    check_key(q.name)
    match q.WhichOneof("elements"):
        case "some":
            check_elements(q.name, q.some.values, len(q.some.values))
            found = items.open(q.name, SortedSet)
            if found is not None:
                for each in q.some.values:
                    found.pop(each, None)
                items.settle(q.name, found, 0, refresh=False)
        case "all":
            if items.open(q.name, SortedSet) is not None:
                items.remove(q.name)
        case _:
            raise invalid("the request does not select any elements; set a selection")
    return pb.SortedSetRemoveResponse()


def length(items: Items, q: pb.SortedSetLengthRequest) -> pb.SortedSetLengthResponse:
    found = items.open(q.name, SortedSet)
    if found is None:
        return pb.SortedSetLengthResponse(missing=_NONE)
    return pb.SortedSetLengthResponse(found=pb.LengthFound(length=len(found)))


def length_by_score(items: Items, q: pb.SortedSetLengthByScoreRequest) -> pb.SortedSetLengthByScoreResponse:
    check_key(q.name)
    low, high = q.WhichOneof("min"), q.WhichOneof("max")
    least: float = getattr(q, low) if low in ("inclusive_min", "exclusive_min") else -math.inf
    most: float = getattr(q, high) if high in ("inclusive_max", "exclusive_max") else math.inf
    _check_numbers([least, most])
    found = items.open(q.name, SortedSet)
    if found is None:
        return pb.SortedSetLengthByScoreResponse(missing=_NONE)
    scores = _Scores(least, low == "exclusive_min", most, high == "exclusive_max")
    count = sum(map(scores.has, found.values()))
    return pb.SortedSetLengthByScoreResponse(found=pb.LengthFound(length=count))


def union_store(items: Items, q: pb.SortedSetUnionStoreRequest) -> pb.SortedSetUnionStoreResponse:
    check_elements(q.name, (each.name for each in q.sources), len(q.sources))
    if not q.sources:
        raise invalid("the request has no source for the union; pass at least one")
    for each in q.sources:
        check_key(each.name)
    _check_numbers(each.weight for each in q.sources)
    aggregate = int(q.aggregate)
    if aggregate not in (0, 1, 2):
        raise invalid("unknown aggregate; it must be 0 (sum), 1 (min) or 2 (max)")
    items.ttl.check(q.ttl_ms)
    items.open(q.name, SortedSet)
    sources = [(items.open(each.name, SortedSet) or SortedSet(), each.weight) for each in q.sources]
    if sum(len(source) for source, _ in sources) > MOST_ELEMENTS:
        raise too_large(f"the sources have more than {MOST_ELEMENTS} elements in total; nothing was changed")
    made = SortedSet()
    for source, weight in sources:
        for element, score in source.items():
            made[element] = _joined(made.get(element), _number_or_0(score * weight), aggregate)
    items.remove(q.name)
    items.settle(q.name, made, q.ttl_ms, refresh=True)
    return pb.SortedSetUnionStoreResponse(length=len(made))


def _joined(there: float | None, score: float, aggregate: int) -> float:
    if there is None:
        return score
    if aggregate == 0:
        return _number_or_0(there + score)
    return min(there, score) if aggregate == 1 else max(there, score)


def _number_or_0(score: float) -> float:
    # ∞ − ∞ and 0 × ∞ result in 0, as on the server.
    return 0.0 if math.isnan(score) else score
