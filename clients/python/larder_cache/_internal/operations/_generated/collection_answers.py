# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
"""What the answers of collections say. Raises UnexpectedAnswer, Malformed or IndexError for foreign bytes."""

from __future__ import annotations

from larder_cache import responses as r
from larder_cache._internal.operations import answers
from larder_cache._internal.operations import pipeline_codec as codec
from larder_cache._internal.operations._generated.messages import cache as pb
from larder_cache._internal.operations.operation import UnexpectedAnswer


def dictionary_get(payload: bytes) -> r.DictionaryGetHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.DictionaryGetHit([answers.value_or_none(each) for each in codec.items(content, 1)])
    if outcome == 2:
        return r.MISS
    raise UnexpectedAnswer(f"dictionary_get has no outcome {outcome}")


def dictionary_fetch(payload: bytes) -> r.DictionaryFetchHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.DictionaryFetchHit([r.DictionaryField(*answers.pair(each)) for each in codec.items(content, 1)])
    if outcome == 2:
        return r.MISS
    raise UnexpectedAnswer(f"dictionary_fetch has no outcome {outcome}")


def dictionary_length(payload: bytes) -> r.DictionaryLengthHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.DictionaryLengthHit(answers.number(content, 1))
    if outcome == 2:
        return r.MISS
    raise UnexpectedAnswer(f"dictionary_length has no outcome {outcome}")


def set_fetch(payload: bytes) -> r.SetFetchHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.SetFetchHit(codec.items(content, 1))
    if outcome == 2:
        return r.MISS
    raise UnexpectedAnswer(f"set_fetch has no outcome {outcome}")


def set_sample(payload: bytes) -> r.SetSampleHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.SetSampleHit(codec.items(content, 1))
    if outcome == 2:
        return r.MISS
    raise UnexpectedAnswer(f"set_sample has no outcome {outcome}")


def set_difference(payload: bytes) -> r.SetDifferenceHit | r.Miss:
    outcome, _ = answers.outcome(payload)
    if outcome == 1:
        return r.SET_DIFFERENCE_HIT
    if outcome == 2:
        return r.MISS
    raise UnexpectedAnswer(f"set_difference has no outcome {outcome}")


def set_contains(payload: bytes) -> r.SetContainsHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.SetContainsHit(pb.SetContainsResponse.Found.FromString(content).contains)
    if outcome == 2:
        return r.MISS
    raise UnexpectedAnswer(f"set_contains has no outcome {outcome}")


def set_length(payload: bytes) -> r.SetLengthHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.SetLengthHit(answers.number(content, 1))
    if outcome == 2:
        return r.MISS
    raise UnexpectedAnswer(f"set_length has no outcome {outcome}")


def set_pop(payload: bytes) -> r.SetPopHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.SetPopHit(codec.items(content, 1))
    if outcome == 2:
        return r.MISS
    raise UnexpectedAnswer(f"set_pop has no outcome {outcome}")


def list_pop_front(payload: bytes) -> r.ListPopFrontHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.ListPopFrontHit(answers.data(content, 1), answers.number(content, 2))
    if outcome == 2:
        return r.MISS
    raise UnexpectedAnswer(f"list_pop_front has no outcome {outcome}")


def list_pop_back(payload: bytes) -> r.ListPopBackHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.ListPopBackHit(answers.data(content, 1), answers.number(content, 2))
    if outcome == 2:
        return r.MISS
    raise UnexpectedAnswer(f"list_pop_back has no outcome {outcome}")


def list_fetch(payload: bytes) -> r.ListFetchHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.ListFetchHit(codec.items(content, 1))
    if outcome == 2:
        return r.MISS
    raise UnexpectedAnswer(f"list_fetch has no outcome {outcome}")


def list_retain(payload: bytes) -> r.ListRetainHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.ListRetainHit(answers.number(content, 1))
    if outcome == 2:
        return r.MISS
    raise UnexpectedAnswer(f"list_retain has no outcome {outcome}")


def list_remove(payload: bytes) -> r.ListRemoveHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.ListRemoveHit(answers.number(content, 1))
    if outcome == 2:
        return r.MISS
    raise UnexpectedAnswer(f"list_remove has no outcome {outcome}")


def list_erase(payload: bytes) -> r.ListEraseHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.ListEraseHit(answers.number(content, 1))
    if outcome == 2:
        return r.MISS
    raise UnexpectedAnswer(f"list_erase has no outcome {outcome}")


def list_length(payload: bytes) -> r.ListLengthHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.ListLengthHit(answers.number(content, 1))
    if outcome == 2:
        return r.MISS
    raise UnexpectedAnswer(f"list_length has no outcome {outcome}")


def sorted_set_fetch(payload: bytes) -> r.SortedSetFetchHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.SortedSetFetchHit(
            [r.ScoredElement(*answers.scored(each)) for each in codec.items(answers.branch(content, 1), 1)]
        )
    if outcome == 2:
        return r.MISS
    raise UnexpectedAnswer(f"sorted_set_fetch has no outcome {outcome}")


def sorted_set_get_score(payload: bytes) -> r.SortedSetGetScoreHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.SortedSetGetScoreHit([answers.score_or_none(each) for each in codec.items(content, 1)])
    if outcome == 2:
        return r.MISS
    raise UnexpectedAnswer(f"sorted_set_get_score has no outcome {outcome}")


def sorted_set_get_rank(payload: bytes) -> r.SortedSetGetRankHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        if answers.is_hit(answers.number(content, 1)):
            return r.SortedSetGetRankHit(answers.number(content, 2))
        return r.MISS
    if outcome == 2:
        return r.MISS
    raise UnexpectedAnswer(f"sorted_set_get_rank has no outcome {outcome}")


def sorted_set_length(payload: bytes) -> r.SortedSetLengthHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.SortedSetLengthHit(answers.number(content, 1))
    if outcome == 2:
        return r.MISS
    raise UnexpectedAnswer(f"sorted_set_length has no outcome {outcome}")


def sorted_set_length_by_score(payload: bytes) -> r.SortedSetLengthByScoreHit | r.Miss:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.SortedSetLengthByScoreHit(answers.number(content, 1))
    if outcome == 2:
        return r.MISS
    raise UnexpectedAnswer(f"sorted_set_length_by_score has no outcome {outcome}")


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
