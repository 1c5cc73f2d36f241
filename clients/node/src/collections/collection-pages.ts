import type { Buffer } from "node:buffer";
import { ElementsHit, ItemsHit, type Parts, ScoredElementsHit, ValuesHit } from "./collection-hits.js";

// Pages of a scan of a collection. `cursor`: what the next call is given; empty: this was the last page. Any page may
// have nothing though more follow.

/** A page of a dictionary's fields with their values, in no order that means anything. */
export class DictionaryPage extends ItemsHit {
  readonly type = "dictionary";
  /** @internal */
  constructor(
    parts: Parts<readonly [string, string], readonly [Buffer, Buffer]>,
    readonly cursor: Buffer,
  ) {
    super(parts);
  }
}

/** A page of a set's elements, in no order that means anything. */
export class SetPage extends ElementsHit {
  readonly type = "set";
  /** @internal */
  constructor(
    parts: Parts<string, Buffer>,
    readonly cursor: Buffer,
  ) {
    super(parts);
  }
}

/** A page of a list's elements, in their order. */
export class ListPage extends ValuesHit {
  readonly type = "list";
  /** @internal */
  constructor(
    parts: Parts<string, Buffer>,
    readonly cursor: Buffer,
  ) {
    super(parts);
  }
}

/** A page of a sorted set's elements with their scores, in no order that means anything: not that of the scores. */
export class SortedSetPage extends ScoredElementsHit {
  readonly type = "sortedSet";
  /** @internal */
  constructor(
    parts: Parts<readonly [string, number], readonly [Buffer, number]>,
    readonly cursor: Buffer,
  ) {
    super(parts);
  }
}

/** A page of any collection; `type` is the collection's. */
export type ItemsPage = DictionaryPage | SetPage | ListPage | SortedSetPage;
