import type { Buffer } from "node:buffer";
import { ElementsHit, ItemsHit, type Parts, ScoredElementsHit, ValuesHit } from "./collection-hits.js";

// Pages of a scan of a collection. To get the next page, the caller passes the page's `cursor` to the next call. The
// cursor of the last page is empty. A page may be empty even if more pages follow.

/** A page of a dictionary's fields and values, in no particular order. */
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

/** A page of a set's elements, in no particular order. */
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

/** A page of a list's elements, in order. */
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

/**
 * A page of a sorted set's elements with their scores. The elements are not sorted by score, and their order is
 * unspecified.
 */
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

/** A page of any collection. `type` is the type of the collection. */
export type ItemsPage = DictionaryPage | SetPage | ListPage | SortedSetPage;
