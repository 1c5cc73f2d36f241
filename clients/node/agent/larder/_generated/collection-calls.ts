// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
import type { CacheClient, CallOptions } from "../src/index.js";
import {
  itemsField,
  listField,
  numberField,
  optionFields,
  rangesField,
  scoredField,
  scoreField,
  sourcesField,
} from "./collection-fields.js";
import { bigField, bytesField } from "./fields.js";
import type { Request } from "./line-agent.js";

/** As callOf, of those on collections. */
export function collectionCallOf(
  client: CacheClient,
  cache: string,
  request: Request,
  options: CallOptions,
): Promise<object> | null {
  switch (request.op) {
    case "dictionaryGet":
      return client.dictionaryGet(cache, bytesField(request, "key"), listField(request, "fields"), options);
    case "dictionaryFetch":
      return client.dictionaryFetch(cache, bytesField(request, "key"), options);
    case "dictionarySet":
      return client.dictionarySet(
        cache,
        bytesField(request, "key"),
        itemsField(request, "items"),
        optionFields(request, options, "ttl"),
      );
    case "dictionaryIncrement":
      return client.dictionaryIncrement(
        cache,
        bytesField(request, "key"),
        bytesField(request, "field"),
        bigField(request, "amount"),
        optionFields(request, options, "ttl"),
      );
    case "dictionaryDelete":
      return client.dictionaryDelete(cache, bytesField(request, "key"), options);
    case "dictionaryRemove":
      return client.dictionaryRemove(cache, bytesField(request, "key"), listField(request, "fields"), options);
    case "dictionaryLength":
      return client.dictionaryLength(cache, bytesField(request, "key"), options);
    case "setFetch":
      return client.setFetch(cache, bytesField(request, "key"), options);
    case "setSample":
      return client.setSample(cache, bytesField(request, "key"), numberField(request, "limit"), options);
    case "setUnion":
      return client.setUnion(
        cache,
        bytesField(request, "key"),
        listField(request, "elements"),
        optionFields(request, options, "ttl"),
      );
    case "setDifference":
      return client.setDifference(cache, bytesField(request, "key"), listField(request, "elements"), options);
    case "setDifferenceFrom":
      return client.setDifferenceFrom(cache, bytesField(request, "key"), listField(request, "elements"), options);
    case "setContains":
      return client.setContains(cache, bytesField(request, "key"), listField(request, "elements"), options);
    case "setLength":
      return client.setLength(cache, bytesField(request, "key"), options);
    case "setPop":
      return client.setPop(cache, bytesField(request, "key"), numberField(request, "count"), options);
    case "listPushFront":
      return client.listPushFront(
        cache,
        bytesField(request, "key"),
        bytesField(request, "value"),
        optionFields(request, options, "truncateBackToSize", "ttl"),
      );
    case "listPushBack":
      return client.listPushBack(
        cache,
        bytesField(request, "key"),
        bytesField(request, "value"),
        optionFields(request, options, "truncateFrontToSize", "ttl"),
      );
    case "listConcatenateFront":
      return client.listConcatenateFront(
        cache,
        bytesField(request, "key"),
        listField(request, "values"),
        optionFields(request, options, "truncateBackToSize", "ttl"),
      );
    case "listConcatenateBack":
      return client.listConcatenateBack(
        cache,
        bytesField(request, "key"),
        listField(request, "values"),
        optionFields(request, options, "truncateFrontToSize", "ttl"),
      );
    case "listPopFront":
      return client.listPopFront(cache, bytesField(request, "key"), options);
    case "listPopBack":
      return client.listPopBack(cache, bytesField(request, "key"), options);
    case "listFetch":
      return client.listFetch(cache, bytesField(request, "key"), optionFields(request, options, "start", "end"));
    case "listRetain":
      return client.listRetain(
        cache,
        bytesField(request, "key"),
        optionFields(request, options, "start", "end", "ttl"),
      );
    case "listRemove":
      return client.listRemove(cache, bytesField(request, "key"), bytesField(request, "value"), options);
    case "listErase":
      return client.listErase(cache, bytesField(request, "key"), rangesField(request, "ranges"), options);
    case "listLength":
      return client.listLength(cache, bytesField(request, "key"), options);
    case "sortedSetPut":
      return client.sortedSetPut(
        cache,
        bytesField(request, "key"),
        scoredField(request, "elements"),
        optionFields(request, options, "ttl"),
      );
    case "sortedSetFetchByRank":
      return client.sortedSetFetchByRank(
        cache,
        bytesField(request, "key"),
        optionFields(request, options, "order", "start", "end"),
      );
    case "sortedSetFetchByScore":
      return client.sortedSetFetchByScore(
        cache,
        bytesField(request, "key"),
        optionFields(request, options, "order", "min", "max", "offset", "count"),
      );
    case "sortedSetGetScore":
      return client.sortedSetGetScore(cache, bytesField(request, "key"), listField(request, "elements"), options);
    case "sortedSetGetRank":
      return client.sortedSetGetRank(
        cache,
        bytesField(request, "key"),
        bytesField(request, "element"),
        optionFields(request, options, "order"),
      );
    case "sortedSetIncrement":
      return client.sortedSetIncrement(
        cache,
        bytesField(request, "key"),
        bytesField(request, "element"),
        scoreField(request, "amount"),
        optionFields(request, options, "ttl"),
      );
    case "sortedSetRemove":
      return client.sortedSetRemove(cache, bytesField(request, "key"), listField(request, "elements"), options);
    case "sortedSetLength":
      return client.sortedSetLength(cache, bytesField(request, "key"), options);
    case "sortedSetLengthByScore":
      return client.sortedSetLengthByScore(
        cache,
        bytesField(request, "key"),
        optionFields(request, options, "min", "max"),
      );
    case "sortedSetUnionStore":
      return client.sortedSetUnionStore(
        cache,
        bytesField(request, "key"),
        sourcesField(request, "sources"),
        optionFields(request, options, "aggregate", "ttlMs"),
      );
    default:
      return null;
  }
}
