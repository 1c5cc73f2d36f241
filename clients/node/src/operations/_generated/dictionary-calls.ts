// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
import type { CallMaker } from "../../calls/call-maker.js";
import type { CallOptions, CollectionOptions, DictionaryItems } from "../../client/client-options.js";
import type * as r from "../../client/responses.js";
import { checkedAmount, checkKey } from "../../client/validation.js";
import {
  bytesOf,
  checkField,
  checkFields,
  checkItems,
  dictionaryItemsOf,
} from "../../collections/collection-arguments.js";
import { checkWireTtl } from "../../collections/collection-ttl.js";
import type { Bytes } from "../proto-writer.js";
import * as op from "./dictionary-operations.js";

/** Calls on dictionaries. */
export abstract class DictionaryCalls {
  protected abstract readonly calls: CallMaker;

  /** Gets fields of a dictionary. */
  async dictionaryGet(
    cacheName: string,
    name: Bytes,
    fields: Iterable<Bytes>,
    options?: CallOptions,
  ): Promise<r.DictionaryGetResponse> {
    const all = bytesOf("fields", fields);
    const invalid = checkFields(all) ?? checkKey(cacheName, name);
    if (invalid !== null) return invalid;
    return this.calls.make(new op.DictionaryGetOperation(cacheName, name, all), options);
  }

  /** Gets all fields of a dictionary, in no order. */
  async dictionaryFetch(cacheName: string, name: Bytes, options?: CallOptions): Promise<r.DictionaryFetchResponse> {
    return checkKey(cacheName, name) ?? this.calls.make(new op.DictionaryFetchOperation(cacheName, name), options);
  }

  /** Stores fields of a dictionary, which is made where it is missing. The last of equal fields wins. */
  async dictionarySet(
    cacheName: string,
    name: Bytes,
    items: DictionaryItems,
    options?: CollectionOptions,
  ): Promise<r.DictionarySetResponse> {
    const ttl = this.calls.collectionTtl(options);
    const all = dictionaryItemsOf(items);
    const invalid = checkItems(all) ?? checkKey(cacheName, name) ?? checkWireTtl(ttl);
    if (invalid !== null) return invalid;
    return this.calls.make(new op.DictionarySetOperation(cacheName, name, all, ttl), options, "ttl");
  }

  /** Adds to an integer field, which is made at 0 where it is missing. Never sent twice where it may have run. */
  async dictionaryIncrement(
    cacheName: string,
    name: Bytes,
    field: Bytes,
    amount: number | bigint = 1,
    options?: CollectionOptions,
  ): Promise<r.DictionaryIncrementResponse> {
    const ttl = this.calls.collectionTtl(options);
    const bigAmount = checkedAmount(amount);
    const invalid = checkField(field) ?? checkKey(cacheName, name) ?? checkWireTtl(ttl);
    if (invalid !== null) return invalid;
    return this.calls.make(new op.DictionaryIncrementOperation(cacheName, name, field, bigAmount, ttl), options, "ttl");
  }

  /** Removes all fields of a dictionary, and so the dictionary; it need not exist. */
  async dictionaryDelete(cacheName: string, name: Bytes, options?: CallOptions): Promise<r.DictionaryDeleteResponse> {
    return checkKey(cacheName, name) ?? this.calls.make(new op.DictionaryDeleteOperation(cacheName, name), options);
  }

  /** Removes fields of a dictionary; they need not exist. */
  async dictionaryRemove(
    cacheName: string,
    name: Bytes,
    fields: Iterable<Bytes>,
    options?: CallOptions,
  ): Promise<r.DictionaryDeleteResponse> {
    const all = bytesOf("fields", fields);
    const invalid = checkFields(all) ?? checkKey(cacheName, name);
    if (invalid !== null) return invalid;
    return this.calls.make(new op.DictionaryRemoveOperation(cacheName, name, all), options);
  }

  /** Asks how many fields a dictionary has. */
  async dictionaryLength(cacheName: string, name: Bytes, options?: CallOptions): Promise<r.DictionaryLengthResponse> {
    return checkKey(cacheName, name) ?? this.calls.make(new op.DictionaryLengthOperation(cacheName, name), options);
  }
}
