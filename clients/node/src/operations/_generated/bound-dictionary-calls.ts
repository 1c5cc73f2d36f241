// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
import type { CacheClient } from "../../client/client.js";
import type { CallOptions, CollectionOptions, DictionaryItems } from "../../client/client-options.js";
import type * as r from "../../client/responses.js";
import type { Bytes } from "../proto-writer.js";

/** Calls on dictionaries. */
export abstract class BoundDictionaryCalls {
  constructor(
    readonly client: CacheClient,
    readonly name: string,
  ) {}

  /** Gets fields of a dictionary. */
  dictionaryGet(name: Bytes, fields: Iterable<Bytes>, options?: CallOptions): Promise<r.DictionaryGetResponse> {
    return this.client.dictionaryGet(this.name, name, fields, options);
  }

  /** Gets all fields of a dictionary, in no order. */
  dictionaryFetch(name: Bytes, options?: CallOptions): Promise<r.DictionaryFetchResponse> {
    return this.client.dictionaryFetch(this.name, name, options);
  }

  /** Stores fields of a dictionary, which is made where it is missing. The last of equal fields wins. */
  dictionarySet(name: Bytes, items: DictionaryItems, options?: CollectionOptions): Promise<r.DictionarySetResponse> {
    return this.client.dictionarySet(this.name, name, items, options);
  }

  /** Adds to an integer field, which is made at 0 where it is missing. Never sent twice where it may have run. */
  dictionaryIncrement(
    name: Bytes,
    field: Bytes,
    amount?: number | bigint,
    options?: CollectionOptions,
  ): Promise<r.DictionaryIncrementResponse> {
    return this.client.dictionaryIncrement(this.name, name, field, amount, options);
  }

  /** Removes all fields of a dictionary, and so the dictionary; it need not exist. */
  dictionaryDelete(name: Bytes, options?: CallOptions): Promise<r.DictionaryDeleteResponse> {
    return this.client.dictionaryDelete(this.name, name, options);
  }

  /** Removes fields of a dictionary; they need not exist. */
  dictionaryRemove(name: Bytes, fields: Iterable<Bytes>, options?: CallOptions): Promise<r.DictionaryDeleteResponse> {
    return this.client.dictionaryRemove(this.name, name, fields, options);
  }

  /** Asks how many fields a dictionary has. */
  dictionaryLength(name: Bytes, options?: CallOptions): Promise<r.DictionaryLengthResponse> {
    return this.client.dictionaryLength(this.name, name, options);
  }
}
