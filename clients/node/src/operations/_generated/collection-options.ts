// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
import type {
  CallOptions,
  CollectionOptions,
  SetOptions,
  SortedSetAggregate,
  SortedSetOrder,
} from "../../client/client-options.js";
import type { CollectionTtl } from "../../collections/collection-ttl.js";
import type { ScoreBound } from "../../collections/score-bound.js";

/** Settings of `listPushFront`. */
export interface ListPushFrontOptions extends CollectionOptions {
  /**
   * The maximum length of the list after the call; elements beyond it are removed from the back. 0: unlimited.
   * @defaultValue 0
   */
  readonly truncateBackToSize?: number | undefined;
}

/** Settings of `listPushBack`. */
export interface ListPushBackOptions extends CollectionOptions {
  /**
   * The maximum length of the list after the call; elements beyond it are removed from the front. 0: unlimited.
   * @defaultValue 0
   */
  readonly truncateFrontToSize?: number | undefined;
}

/** Settings of `listConcatenateFront`. */
export interface ListConcatenateFrontOptions extends CollectionOptions {
  /**
   * The maximum length of the list after the call; elements beyond it are removed from the back. 0: unlimited.
   * @defaultValue 0
   */
  readonly truncateBackToSize?: number | undefined;
}

/** Settings of `listConcatenateBack`. */
export interface ListConcatenateBackOptions extends CollectionOptions {
  /**
   * The maximum length of the list after the call; elements beyond it are removed from the front. 0: unlimited.
   * @defaultValue 0
   */
  readonly truncateFrontToSize?: number | undefined;
}

/** Settings of `listFetch`. */
export interface ListFetchOptions extends CallOptions {
  /** The index of the first element; a negative index counts from the end; undefined: from the first element. */
  readonly start?: number | undefined;
  /** The index after the last element; a negative index counts from the end; undefined: to the last element. */
  readonly end?: number | undefined;
}

/** Settings of `listRetain`. */
export interface ListRetainOptions extends CollectionOptions {
  /** The index of the first element; a negative index counts from the end; undefined: from the first element. */
  readonly start?: number | undefined;
  /** The index after the last element; a negative index counts from the end; undefined: to the last element. */
  readonly end?: number | undefined;
  /** The new time to live of the list. Ignored if its refresh flag is false. If undefined, the old one is kept. */
  readonly ttl?: CollectionTtl | undefined;
}

/** Settings of `sortedSetFetchByRank`. */
export interface SortedSetFetchByRankOptions extends CallOptions {
  /**
   * The order in which elements are counted and returned.
   * @defaultValue ascending
   */
  readonly order?: SortedSetOrder | undefined;
  /** The index of the first element; a negative index counts from the end; undefined: from the first element. */
  readonly start?: number | undefined;
  /** The index after the last element; a negative index counts from the end; undefined: to the last element. */
  readonly end?: number | undefined;
}

/** Settings of `sortedSetFetchByScore`. */
export interface SortedSetFetchByScoreOptions extends CallOptions {
  /**
   * The order in which elements are counted and returned.
   * @defaultValue ascending
   */
  readonly order?: SortedSetOrder | undefined;
  /** The lowest score, inclusive or exclusive. If undefined, there is no lower bound. */
  readonly min?: ScoreBound | number | undefined;
  /** The highest score, inclusive or exclusive. If undefined, there is no upper bound. */
  readonly max?: ScoreBound | number | undefined;
  /**
   * The number of elements to skip first, in the requested order.
   * @defaultValue 0
   */
  readonly offset?: number | undefined;
  /**
   * The maximum number of elements; unlimited if negative.
   * @defaultValue -1
   */
  readonly count?: number | undefined;
}

/** Settings of `sortedSetGetRank`. */
export interface SortedSetGetRankOptions extends CallOptions {
  /**
   * The order in which elements are counted.
   * @defaultValue ascending
   */
  readonly order?: SortedSetOrder | undefined;
}

/** Settings of `sortedSetLengthByScore`. */
export interface SortedSetLengthByScoreOptions extends CallOptions {
  /** The lowest score, inclusive or exclusive. If undefined, there is no lower bound. */
  readonly min?: ScoreBound | number | undefined;
  /** The highest score, inclusive or exclusive. If undefined, there is no upper bound. */
  readonly max?: ScoreBound | number | undefined;
}

/** Settings of `sortedSetUnionStore`. */
export interface SortedSetUnionStoreOptions extends SetOptions {
  /**
   * How the weighted scores of one element in several sources are combined.
   * @defaultValue sum
   */
  readonly aggregate?: SortedSetAggregate | undefined;
}
