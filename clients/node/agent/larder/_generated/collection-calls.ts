// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
import type { Cache, CallOptions } from "../../../src/index.js";
import type { Request } from "../../line-agent.js";
import {
  itemsField,
  listField,
  numberField,
  optionFields,
  rangesField,
  scoredField,
  scoreField,
  sourcesField,
} from "../collection-fields.js";
import { bigField, bytesField } from "../fields.js";

/** Like callOf, for operations on collections. */
export function collectionCallOf(cache: Cache, request: Request, options: CallOptions): Promise<object> | null {
  switch (request.op) {
    case "dictionaryGet":
      return cache.dictionaryGet(bytesField(request, "key"), listField(request, "fields"), options);
    case "dictionaryFetch":
      return cache.dictionaryFetch(bytesField(request, "key"), options);
    case "dictionarySet":
      return cache.dictionarySet(
        bytesField(request, "key"),
        itemsField(request, "items"),
        optionFields(request, options, "ttl"),
      );
    case "dictionaryIncrement":
      return cache.dictionaryIncrement(
        bytesField(request, "key"),
        bytesField(request, "field"),
        bigField(request, "amount"),
        optionFields(request, options, "ttl"),
      );
    case "dictionaryDelete":
      return cache.dictionaryDelete(bytesField(request, "key"), options);
    case "dictionaryRemove":
      return cache.dictionaryRemove(bytesField(request, "key"), listField(request, "fields"), options);
    case "dictionaryLength":
      return cache.dictionaryLength(bytesField(request, "key"), options);
    case "setFetch":
      return cache.setFetch(bytesField(request, "key"), options);
    case "setSample":
      return cache.setSample(bytesField(request, "key"), numberField(request, "limit"), options);
    case "setUnion":
      return cache.setUnion(
        bytesField(request, "key"),
        listField(request, "elements"),
        optionFields(request, options, "ttl"),
      );
    case "setDifference":
      return cache.setDifference(bytesField(request, "key"), listField(request, "elements"), options);
    case "setDifferenceFrom":
      return cache.setDifferenceFrom(bytesField(request, "key"), listField(request, "elements"), options);
    case "setContains":
      return cache.setContains(bytesField(request, "key"), listField(request, "elements"), options);
    case "setLength":
      return cache.setLength(bytesField(request, "key"), options);
    case "setPop":
      return cache.setPop(bytesField(request, "key"), numberField(request, "count"), options);
    case "listPushFront":
      return cache.listPushFront(
        bytesField(request, "key"),
        bytesField(request, "value"),
        optionFields(request, options, "truncateBackToSize", "ttl"),
      );
    case "listPushBack":
      return cache.listPushBack(
        bytesField(request, "key"),
        bytesField(request, "value"),
        optionFields(request, options, "truncateFrontToSize", "ttl"),
      );
    case "listConcatenateFront":
      return cache.listConcatenateFront(
        bytesField(request, "key"),
        listField(request, "values"),
        optionFields(request, options, "truncateBackToSize", "ttl"),
      );
    case "listConcatenateBack":
      return cache.listConcatenateBack(
        bytesField(request, "key"),
        listField(request, "values"),
        optionFields(request, options, "truncateFrontToSize", "ttl"),
      );
    case "listPopFront":
      return cache.listPopFront(bytesField(request, "key"), options);
    case "listPopBack":
      return cache.listPopBack(bytesField(request, "key"), options);
    case "listFetch":
      return cache.listFetch(bytesField(request, "key"), optionFields(request, options, "start", "end"));
    case "listRetain":
      return cache.listRetain(bytesField(request, "key"), optionFields(request, options, "start", "end", "ttl"));
    case "listRemove":
      return cache.listRemove(bytesField(request, "key"), bytesField(request, "value"), options);
    case "listErase":
      return cache.listErase(bytesField(request, "key"), rangesField(request, "ranges"), options);
    case "listLength":
      return cache.listLength(bytesField(request, "key"), options);
    case "sortedSetPut":
      return cache.sortedSetPut(
        bytesField(request, "key"),
        scoredField(request, "elements"),
        optionFields(request, options, "ttl"),
      );
    case "sortedSetFetchByRank":
      return cache.sortedSetFetchByRank(
        bytesField(request, "key"),
        optionFields(request, options, "order", "start", "end"),
      );
    case "sortedSetFetchByScore":
      return cache.sortedSetFetchByScore(
        bytesField(request, "key"),
        optionFields(request, options, "order", "min", "max", "offset", "count"),
      );
    case "sortedSetGetScore":
      return cache.sortedSetGetScore(bytesField(request, "key"), listField(request, "elements"), options);
    case "sortedSetGetRank":
      return cache.sortedSetGetRank(
        bytesField(request, "key"),
        bytesField(request, "element"),
        optionFields(request, options, "order"),
      );
    case "sortedSetIncrement":
      return cache.sortedSetIncrement(
        bytesField(request, "key"),
        bytesField(request, "element"),
        scoreField(request, "amount"),
        optionFields(request, options, "ttl"),
      );
    case "sortedSetRemove":
      return cache.sortedSetRemove(bytesField(request, "key"), listField(request, "elements"), options);
    case "sortedSetLength":
      return cache.sortedSetLength(bytesField(request, "key"), options);
    case "sortedSetLengthByScore":
      return cache.sortedSetLengthByScore(bytesField(request, "key"), optionFields(request, options, "min", "max"));
    case "sortedSetUnionStore":
      return cache.sortedSetUnionStore(
        bytesField(request, "key"),
        sourcesField(request, "sources"),
        optionFields(request, options, "aggregate", "ttlMs"),
      );
    default:
      return null;
  }
}
