// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
import type {
  CallOptions,
  CollectionOptions,
  SortedSetElements,
  SortedSetSources,
} from "../../client/client-options.js";
import type { LookupResponse, SuccessResponse } from "../../client/responses.js";
import { checkKey, checkText, checkTtl } from "../../client/validation.js";
import {
  boundOf,
  bytesOf,
  checkBound,
  checkCount,
  checkElements,
  checkIndex,
  checkNumber,
  checkScoredElements,
  checkSigned,
  checkSources,
  choiceOf,
  scoredElementsOf,
  sortedSetAggregates,
  sortedSetOrders,
  sourcesOf,
} from "../../collections/collection-arguments.js";
import type { ScoredElementsHit } from "../../collections/collection-hits.js";
import { checkWireTtl } from "../../collections/collection-ttl.js";
import type { Bytes } from "../proto-writer.js";
import type {
  SortedSetFetchByRankOptions,
  SortedSetFetchByScoreOptions,
  SortedSetGetRankOptions,
  SortedSetLengthByScoreOptions,
  SortedSetUnionStoreOptions,
} from "./collection-options.js";
import { ListCalls } from "./list-calls.js";
import * as op from "./sorted-set-operations.js";

/** Calls on sorted sets. */
export abstract class SortedSetCalls extends ListCalls {
  /** Adds elements to a sorted set, which is created if it does not exist, and replaces existing scores. If an element occurs twice, its last score wins. */
  async sortedSetPut(name: Bytes, elements: SortedSetElements, options?: CollectionOptions): Promise<SuccessResponse> {
    const ttl = this.calls.collectionTtl(options);
    const all = scoredElementsOf(elements);
    const invalid = checkScoredElements(all) ?? checkKey(name) ?? this.invalidName ?? checkWireTtl(ttl);
    if (invalid !== null) return invalid;
    return this.calls.make(new op.SortedSetPutOperation(this.name, name, all, ttl), options, "ttl");
  }

  /**
   * Gets the elements of a sorted set from one index to another, with scores, in the requested order.
   * @returns `hit`, `miss` or `error`.
   */
  async sortedSetFetchByRank(
    name: Bytes,
    options?: SortedSetFetchByRankOptions,
  ): Promise<LookupResponse<ScoredElementsHit>> {
    const { order = "ascending", start, end } = options ?? {};
    const invalid = checkIndex("start", start) ?? checkIndex("end", end) ?? checkKey(name) ?? this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.SortedSetFetchByRankOperation(this.name, name, choiceOf("order", order, sortedSetOrders), start, end),
      options,
      "order",
      "start",
      "end",
    );
  }

  /**
   * Gets the elements of a sorted set whose score is in a range, with scores, in the requested order.
   * @returns `hit`, `miss` or `error`.
   */
  async sortedSetFetchByScore(
    name: Bytes,
    options?: SortedSetFetchByScoreOptions,
  ): Promise<LookupResponse<ScoredElementsHit>> {
    const { order = "ascending", min, max, offset = 0, count = -1 } = options ?? {};
    const minBound = boundOf("min", min);
    const maxBound = boundOf("max", max);
    const invalid =
      checkBound("min", minBound) ??
      checkBound("max", maxBound) ??
      checkCount("offset", offset) ??
      checkSigned("count", count) ??
      checkKey(name) ??
      this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.SortedSetFetchByScoreOperation(
        this.name,
        name,
        choiceOf("order", order, sortedSetOrders),
        minBound,
        maxBound,
        offset,
        count,
      ),
      options,
      "order",
      "min",
      "max",
      "offset",
      "count",
    );
  }

  /**
   * Gets the scores of elements.
   * @returns `hit` with `scores` (one entry for each requested element, in the same order), `miss` or `error`.
   */
  async sortedSetGetScore(
    name: Bytes,
    elements: Iterable<Bytes>,
    options?: CallOptions,
  ): Promise<LookupResponse<{ readonly scores: readonly (number | null)[] }>> {
    const all = bytesOf("elements", elements);
    const invalid = checkElements(all) ?? checkKey(name) ?? this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(new op.SortedSetGetScoreOperation(this.name, name, all), options);
  }

  /**
   * Gets the rank of an element: the number of elements before it in the requested order.
   * @returns `hit` with `rank` (the number of elements before this element in the requested order), `miss` or `error`.
   */
  async sortedSetGetRank(
    name: Bytes,
    element: Bytes,
    options?: SortedSetGetRankOptions,
  ): Promise<LookupResponse<{ readonly rank: number }>> {
    const { order = "ascending" } = options ?? {};
    const invalid = checkText("element", element) ?? checkKey(name) ?? this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.SortedSetGetRankOperation(this.name, name, element, choiceOf("order", order, sortedSetOrders)),
      options,
      "order",
    );
  }

  /**
   * Adds an amount to the score of an element. A missing element is added with the amount as its score. The client does
   * not retry this call if it may have run.
   * @returns `success` with `score` (the score after the increment) or `error`.
   */
  async sortedSetIncrement(
    name: Bytes,
    element: Bytes,
    amount: number = 1,
    options?: CollectionOptions,
  ): Promise<SuccessResponse<{ readonly score: number }>> {
    const ttl = this.calls.collectionTtl(options);
    const invalid =
      checkText("element", element) ??
      checkNumber("amount", amount) ??
      checkKey(name) ??
      this.invalidName ??
      checkWireTtl(ttl);
    if (invalid !== null) return invalid;
    return this.calls.make(new op.SortedSetIncrementOperation(this.name, name, element, amount, ttl), options, "ttl");
  }

  /** Removes elements of a sorted set. Succeeds even if they do not exist. */
  async sortedSetRemove(name: Bytes, elements: Iterable<Bytes>, options?: CallOptions): Promise<SuccessResponse> {
    const all = bytesOf("elements", elements);
    const invalid = checkElements(all) ?? checkKey(name) ?? this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(new op.SortedSetRemoveOperation(this.name, name, all), options);
  }

  /**
   * Gets the number of elements of a sorted set.
   * @returns `hit` with `length` (the number of elements), `miss` or `error`.
   */
  async sortedSetLength(name: Bytes, options?: CallOptions): Promise<LookupResponse<{ readonly length: number }>> {
    const invalid = checkKey(name) ?? this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(new op.SortedSetLengthOperation(this.name, name), options);
  }

  /**
   * Gets the number of elements of a sorted set whose score is in a range.
   * @returns `hit` with `length` (the number of elements), `miss` or `error`.
   */
  async sortedSetLengthByScore(
    name: Bytes,
    options?: SortedSetLengthByScoreOptions,
  ): Promise<LookupResponse<{ readonly length: number }>> {
    const { min, max } = options ?? {};
    const minBound = boundOf("min", min);
    const maxBound = boundOf("max", max);
    const invalid = checkBound("min", minBound) ?? checkBound("max", maxBound) ?? checkKey(name) ?? this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.SortedSetLengthByScoreOperation(this.name, name, minBound, maxBound),
      options,
      "min",
      "max",
    );
  }

  /**
   * Stores the union of sorted sets with its own TTL, and replaces an existing sorted set. The client does not retry
   * this call if it may have run.
   * @returns `success` with `length` (the number of elements in the union; if it is 0, the sorted set no longer exists)
   * or `error`.
   */
  async sortedSetUnionStore(
    name: Bytes,
    sources: SortedSetSources,
    options?: SortedSetUnionStoreOptions,
  ): Promise<SuccessResponse<{ readonly length: number }>> {
    const ttlMs = this.calls.ttl(options);
    const { aggregate = "sum" } = options ?? {};
    const all = sourcesOf(sources);
    const invalid = checkSources(all) ?? checkKey(name) ?? this.invalidName ?? checkTtl(ttlMs);
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.SortedSetUnionStoreOperation(
        this.name,
        name,
        all,
        choiceOf("aggregate", aggregate, sortedSetAggregates),
        ttlMs,
      ),
      options,
      "aggregate",
    );
  }
}
