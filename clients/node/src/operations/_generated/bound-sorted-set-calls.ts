// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
import type {
  CallOptions,
  CollectionOptions,
  SortedSetElements,
  SortedSetSources,
} from "../../client/client-options.js";
import type * as r from "../../client/responses.js";
import type { Bytes } from "../proto-writer.js";
import { BoundListCalls } from "./bound-list-calls.js";
import type {
  SortedSetFetchByRankOptions,
  SortedSetFetchByScoreOptions,
  SortedSetGetRankOptions,
  SortedSetLengthByScoreOptions,
  SortedSetUnionStoreOptions,
} from "./collection-options.js";

/** Calls on sorted sets. */
export abstract class BoundSortedSetCalls extends BoundListCalls {
  /** Adds elements to a sorted set, which is made where it is missing, or gives those that are there other scores. The last of equal elements wins. */
  sortedSetPut(name: Bytes, elements: SortedSetElements, options?: CollectionOptions): Promise<r.SortedSetPutResponse> {
    return this.client.sortedSetPut(this.name, name, elements, options);
  }

  /** Gets the elements of a sorted set from one index to another, with their scores, in the asked order. */
  sortedSetFetchByRank(name: Bytes, options?: SortedSetFetchByRankOptions): Promise<r.SortedSetFetchResponse> {
    return this.client.sortedSetFetchByRank(this.name, name, options);
  }

  /** Gets the elements of a sorted set whose score is in a range, with their scores, in the asked order. */
  sortedSetFetchByScore(name: Bytes, options?: SortedSetFetchByScoreOptions): Promise<r.SortedSetFetchResponse> {
    return this.client.sortedSetFetchByScore(this.name, name, options);
  }

  /** Gets the scores of elements. */
  sortedSetGetScore(
    name: Bytes,
    elements: Iterable<Bytes>,
    options?: CallOptions,
  ): Promise<r.SortedSetGetScoreResponse> {
    return this.client.sortedSetGetScore(this.name, name, elements, options);
  }

  /** Asks how many elements stand before one. */
  sortedSetGetRank(
    name: Bytes,
    element: Bytes,
    options?: SortedSetGetRankOptions,
  ): Promise<r.SortedSetGetRankResponse> {
    return this.client.sortedSetGetRank(this.name, name, element, options);
  }

  /** Adds to an element's score; one that is not there gets the amount. Never sent twice where it may have run. */
  sortedSetIncrement(
    name: Bytes,
    element: Bytes,
    amount?: number,
    options?: CollectionOptions,
  ): Promise<r.SortedSetIncrementResponse> {
    return this.client.sortedSetIncrement(this.name, name, element, amount, options);
  }

  /** Removes elements of a sorted set; they need not exist. */
  sortedSetRemove(name: Bytes, elements: Iterable<Bytes>, options?: CallOptions): Promise<r.SortedSetRemoveResponse> {
    return this.client.sortedSetRemove(this.name, name, elements, options);
  }

  /** Asks how many elements a sorted set has. */
  sortedSetLength(name: Bytes, options?: CallOptions): Promise<r.SortedSetLengthResponse> {
    return this.client.sortedSetLength(this.name, name, options);
  }

  /** Asks how many elements of a sorted set have a score in a range. */
  sortedSetLengthByScore(
    name: Bytes,
    options?: SortedSetLengthByScoreOptions,
  ): Promise<r.SortedSetLengthByScoreResponse> {
    return this.client.sortedSetLengthByScore(this.name, name, options);
  }

  /** Puts the union of sorted sets in the place of one, which gets a time to live of its own. Never sent twice where it may have run. */
  sortedSetUnionStore(
    name: Bytes,
    sources: SortedSetSources,
    options?: SortedSetUnionStoreOptions,
  ): Promise<r.SortedSetUnionStoreResponse> {
    return this.client.sortedSetUnionStore(this.name, name, sources, options);
  }
}
