// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
import { CacheCalls } from "../../calls/cache-calls.js";
import type { CallOptions, CollectionOptions, DictionaryItems } from "../../client/client-options.js";
import type { LookupResponse, SuccessResponse } from "../../client/responses.js";
import { checkedAmount, checkKey } from "../../client/validation.js";
import {
  bytesOf,
  checkField,
  checkFields,
  checkItems,
  dictionaryItemsOf,
} from "../../collections/collection-arguments.js";
import type { FieldsHit, ItemsHit } from "../../collections/collection-hits.js";
import { checkWireTtl } from "../../collections/collection-ttl.js";
import type { Bytes } from "../proto-writer.js";
import * as op from "./dictionary-operations.js";

/** Calls on dictionaries. */
export abstract class DictionaryCalls extends CacheCalls {
  /**
   * Gets fields of a dictionary.
   * @returns `hit`, `miss` or `error`.
   */
  async dictionaryGet(name: Bytes, fields: Iterable<Bytes>, options?: CallOptions): Promise<LookupResponse<FieldsHit>> {
    const all = bytesOf("fields", fields);
    const invalid = checkFields(all) ?? checkKey(name) ?? this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(new op.DictionaryGetOperation(this.name, name, all), options);
  }

  /**
   * Gets all fields of a dictionary, in no particular order.
   * @returns `hit`, `miss` or `error`.
   */
  async dictionaryFetch(name: Bytes, options?: CallOptions): Promise<LookupResponse<ItemsHit>> {
    const invalid = checkKey(name) ?? this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(new op.DictionaryFetchOperation(this.name, name), options);
  }

  /** Stores fields of a dictionary, which is created if it does not exist. If a field occurs twice, its last value wins. */
  async dictionarySet(name: Bytes, items: DictionaryItems, options?: CollectionOptions): Promise<SuccessResponse> {
    const ttl = this.calls.collectionTtl(options);
    const all = dictionaryItemsOf(items);
    const invalid = checkItems(all) ?? checkKey(name) ?? this.invalidName ?? checkWireTtl(ttl);
    if (invalid !== null) return invalid;
    return this.calls.make(new op.DictionarySetOperation(this.name, name, all, ttl), options, "ttl");
  }

  /**
   * Adds to an integer field, which is created with the value 0 if it does not exist. The client does not retry this
   * call if it may have run.
   * @returns `success` with `value` (the field's value after the increment) or `error`.
   */
  async dictionaryIncrement(
    name: Bytes,
    field: Bytes,
    amount: number | bigint = 1,
    options?: CollectionOptions,
  ): Promise<SuccessResponse<{ readonly value: bigint }>> {
    const ttl = this.calls.collectionTtl(options);
    const bigAmount = checkedAmount(amount);
    const invalid = checkField(field) ?? checkKey(name) ?? this.invalidName ?? checkWireTtl(ttl);
    if (invalid !== null) return invalid;
    return this.calls.make(new op.DictionaryIncrementOperation(this.name, name, field, bigAmount, ttl), options, "ttl");
  }

  /** Deletes a dictionary. Succeeds even if it does not exist. */
  async dictionaryDelete(name: Bytes, options?: CallOptions): Promise<SuccessResponse> {
    const invalid = checkKey(name) ?? this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(new op.DictionaryDeleteOperation(this.name, name), options);
  }

  /** Removes fields of a dictionary. Succeeds even if they do not exist. */
  async dictionaryRemove(name: Bytes, fields: Iterable<Bytes>, options?: CallOptions): Promise<SuccessResponse> {
    const all = bytesOf("fields", fields);
    const invalid = checkFields(all) ?? checkKey(name) ?? this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(new op.DictionaryRemoveOperation(this.name, name, all), options);
  }

  /**
   * Gets the number of fields of a dictionary.
   * @returns `hit` with `length` (the number of elements), `miss` or `error`.
   */
  async dictionaryLength(name: Bytes, options?: CallOptions): Promise<LookupResponse<{ readonly length: number }>> {
    const invalid = checkKey(name) ?? this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(new op.DictionaryLengthOperation(this.name, name), options);
  }
}
