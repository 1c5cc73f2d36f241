# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
"""Decodes responses of collection calls. Raises UnexpectedResponse, Malformed or IndexError for invalid bytes."""

from __future__ import annotations

from larder_cache import responses as r
from larder_cache._internal.operations import answers
from larder_cache._internal.operations import pipeline_codec as codec
from larder_cache._internal.operations._generated.messages import cache as pb
from larder_cache._internal.operations.operation import UnexpectedResponse


def dictionary_get(payload: bytes) -> r.DictionaryGetHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.DictionaryGetHit([answers.value_or_none(each) for each in codec.items(content, 1)])
    if outcome == 2:
        return r.MISS
    raise UnexpectedResponse(f"unknown outcome {outcome} in the response of dictionary_get")


def dictionary_fetch(payload: bytes) -> r.DictionaryFetchHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.DictionaryFetchHit([r.DictionaryField(*answers.pair(each)) for each in codec.items(content, 1)])
    if outcome == 2:
        return r.MISS
    raise UnexpectedResponse(f"unknown outcome {outcome} in the response of dictionary_fetch")


def dictionary_length(payload: bytes) -> r.DictionaryLengthHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.DictionaryLengthHit(answers.number(content, 1))
    if outcome == 2:
        return r.MISS
    raise UnexpectedResponse(f"unknown outcome {outcome} in the response of dictionary_length")


def set_fetch(payload: bytes) -> r.SetFetchHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.SetFetchHit(codec.items(content, 1))
    if outcome == 2:
        return r.MISS
    raise UnexpectedResponse(f"unknown outcome {outcome} in the response of set_fetch")


def set_sample(payload: bytes) -> r.SetSampleHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.SetSampleHit(codec.items(content, 1))
    if outcome == 2:
        return r.MISS
    raise UnexpectedResponse(f"unknown outcome {outcome} in the response of set_sample")


def set_difference(payload: bytes) -> r.SetDifferenceHit | r.Miss:
    outcome, _ = answers.outcome(payload)
    if outcome == 1:
        return r.SET_DIFFERENCE_HIT
    if outcome == 2:
        return r.MISS
    raise UnexpectedResponse(f"unknown outcome {outcome} in the response of set_difference")


def set_contains(payload: bytes) -> r.SetContainsHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.SetContainsHit(pb.SetContainsResponse.Found.FromString(content).contains)
    if outcome == 2:
        return r.MISS
    raise UnexpectedResponse(f"unknown outcome {outcome} in the response of set_contains")


def set_length(payload: bytes) -> r.SetLengthHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.SetLengthHit(answers.number(content, 1))
    if outcome == 2:
        return r.MISS
    raise UnexpectedResponse(f"unknown outcome {outcome} in the response of set_length")


def set_pop(payload: bytes) -> r.SetPopHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.SetPopHit(codec.items(content, 1))
    if outcome == 2:
        return r.MISS
    raise UnexpectedResponse(f"unknown outcome {outcome} in the response of set_pop")


def list_pop_front(payload: bytes) -> r.ListPopFrontHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.ListPopFrontHit(answers.data(content, 1), answers.number(content, 2))
    if outcome == 2:
        return r.MISS
    raise UnexpectedResponse(f"unknown outcome {outcome} in the response of list_pop_front")


def list_pop_back(payload: bytes) -> r.ListPopBackHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.ListPopBackHit(answers.data(content, 1), answers.number(content, 2))
    if outcome == 2:
        return r.MISS
    raise UnexpectedResponse(f"unknown outcome {outcome} in the response of list_pop_back")


def list_fetch(payload: bytes) -> r.ListFetchHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.ListFetchHit(codec.items(content, 1))
    if outcome == 2:
        return r.MISS
    raise UnexpectedResponse(f"unknown outcome {outcome} in the response of list_fetch")


def list_retain(payload: bytes) -> r.ListRetainHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.ListRetainHit(answers.number(content, 1))
    if outcome == 2:
        return r.MISS
    raise UnexpectedResponse(f"unknown outcome {outcome} in the response of list_retain")


def list_remove(payload: bytes) -> r.ListRemoveHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.ListRemoveHit(answers.number(content, 1))
    if outcome == 2:
        return r.MISS
    raise UnexpectedResponse(f"unknown outcome {outcome} in the response of list_remove")


def list_erase(payload: bytes) -> r.ListEraseHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.ListEraseHit(answers.number(content, 1))
    if outcome == 2:
        return r.MISS
    raise UnexpectedResponse(f"unknown outcome {outcome} in the response of list_erase")


def list_length(payload: bytes) -> r.ListLengthHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.ListLengthHit(answers.number(content, 1))
    if outcome == 2:
        return r.MISS
    raise UnexpectedResponse(f"unknown outcome {outcome} in the response of list_length")


def sorted_set_fetch(payload: bytes) -> r.SortedSetFetchHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.SortedSetFetchHit(
            [r.ScoredElement(*answers.scored(each)) for each in codec.items(answers.branch(content, 1), 1)]
        )
    if outcome == 2:
        return r.MISS
    raise UnexpectedResponse(f"unknown outcome {outcome} in the response of sorted_set_fetch")


def sorted_set_get_score(payload: bytes) -> r.SortedSetGetScoreHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.SortedSetGetScoreHit([answers.score_or_none(each) for each in codec.items(content, 1)])
    if outcome == 2:
        return r.MISS
    raise UnexpectedResponse(f"unknown outcome {outcome} in the response of sorted_set_get_score")


def sorted_set_get_rank(payload: bytes) -> r.SortedSetGetRankHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        if answers.is_hit(answers.number(content, 1)):
            return r.SortedSetGetRankHit(answers.number(content, 2))
        return r.MISS
    if outcome == 2:
        return r.MISS
    raise UnexpectedResponse(f"unknown outcome {outcome} in the response of sorted_set_get_rank")


def sorted_set_length(payload: bytes) -> r.SortedSetLengthHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.SortedSetLengthHit(answers.number(content, 1))
    if outcome == 2:
        return r.MISS
    raise UnexpectedResponse(f"unknown outcome {outcome} in the response of sorted_set_length")


def sorted_set_length_by_score(payload: bytes) -> r.SortedSetLengthByScoreHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.SortedSetLengthByScoreHit(answers.number(content, 1))
    if outcome == 2:
        return r.MISS
    raise UnexpectedResponse(f"unknown outcome {outcome} in the response of sorted_set_length_by_score")


def dictionary_increment(payload: bytes) -> r.DictionaryIncrementSuccess:
    return r.DictionaryIncrementSuccess(answers.signed(payload, 1))


def list_push_front(payload: bytes) -> r.ListPushFrontSuccess:
    return r.ListPushFrontSuccess(answers.number(payload, 1))


def list_push_back(payload: bytes) -> r.ListPushBackSuccess:
    return r.ListPushBackSuccess(answers.number(payload, 1))


def list_concatenate_front(payload: bytes) -> r.ListConcatenateFrontSuccess:
    return r.ListConcatenateFrontSuccess(answers.number(payload, 1))


def list_concatenate_back(payload: bytes) -> r.ListConcatenateBackSuccess:
    return r.ListConcatenateBackSuccess(answers.number(payload, 1))


def sorted_set_increment(payload: bytes) -> r.SortedSetIncrementSuccess:
    return r.SortedSetIncrementSuccess(answers.double(payload, 1))


def sorted_set_union_store(payload: bytes) -> r.SortedSetUnionStoreSuccess:
    return r.SortedSetUnionStoreSuccess(answers.number(payload, 1))
