// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
import type { CallOptions, CollectionOptions } from "../../client/client-options.js";
import type { LookupResponse, SuccessResponse } from "../../client/responses.js";
import { checkKey } from "../../client/validation.js";
import { bytesOf, checkCount, checkElements } from "../../collections/collection-arguments.js";
import type { ElementsHit } from "../../collections/collection-hits.js";
import { checkWireTtl } from "../../collections/collection-ttl.js";
import type { Bytes } from "../proto-writer.js";
import { DictionaryCalls } from "./dictionary-calls.js";
import * as op from "./set-operations.js";

/** Calls on sets. */
export abstract class SetCalls extends DictionaryCalls {
  /**
   * Gets all elements of a set, in no particular order.
   * @returns `hit`, `miss` or `error`.
   */
  async setFetch(name: Bytes, options?: CallOptions): Promise<LookupResponse<ElementsHit>> {
    return checkKey(name) ?? this.invalidName ?? this.calls.make(new op.SetFetchOperation(this.name, name), options);
  }

  /**
   * Gets distinct random elements of a set.
   * @returns `hit`, `miss` or `error`.
   */
  async setSample(name: Bytes, limit: number, options?: CallOptions): Promise<LookupResponse<ElementsHit>> {
    const invalid = checkCount("limit", limit, Number.MAX_SAFE_INTEGER) ?? checkKey(name) ?? this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(new op.SetSampleOperation(this.name, name, limit), options);
  }

  /** Adds elements to a set, which is created if it does not exist. */
  async setUnion(name: Bytes, elements: Iterable<Bytes>, options?: CollectionOptions): Promise<SuccessResponse> {
    const ttl = this.calls.collectionTtl(options);
    const all = bytesOf("elements", elements);
    const invalid = checkElements(all) ?? checkKey(name) ?? this.invalidName ?? checkWireTtl(ttl);
    if (invalid !== null) return invalid;
    return this.calls.make(new op.SetUnionOperation(this.name, name, all, ttl), options, "ttl");
  }

  /**
   * Removes elements from a set. Succeeds even if they do not exist.
   * @returns `hit`, `miss` or `error`.
   */
  async setDifference(name: Bytes, elements: Iterable<Bytes>, options?: CallOptions): Promise<LookupResponse> {
    const all = bytesOf("elements", elements);
    const invalid = checkElements(all) ?? checkKey(name) ?? this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(new op.SetDifferenceOperation(this.name, name, all), options);
  }

  /**
   * Replaces a set with the given elements that the set does not contain. The client does not retry this call if it may
   * have run.
   * @returns `hit`, `miss` or `error`.
   */
  async setDifferenceFrom(name: Bytes, elements: Iterable<Bytes>, options?: CallOptions): Promise<LookupResponse> {
    const all = bytesOf("elements", elements);
    const invalid = checkElements(all) ?? checkKey(name) ?? this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(new op.SetDifferenceFromOperation(this.name, name, all), options);
  }

  /**
   * Checks which elements a set contains.
   * @returns `hit` with `contains` (whether the set contains each element, in the order of the elements), `miss` or
   * `error`.
   */
  async setContains(
    name: Bytes,
    elements: Iterable<Bytes>,
    options?: CallOptions,
  ): Promise<LookupResponse<{ readonly contains: readonly boolean[] }>> {
    const all = bytesOf("elements", elements);
    const invalid = checkElements(all) ?? checkKey(name) ?? this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(new op.SetContainsOperation(this.name, name, all), options);
  }

  /**
   * Gets the number of elements of a set.
   * @returns `hit` with `length` (the number of elements), `miss` or `error`.
   */
  async setLength(name: Bytes, options?: CallOptions): Promise<LookupResponse<{ readonly length: number }>> {
    return checkKey(name) ?? this.invalidName ?? this.calls.make(new op.SetLengthOperation(this.name, name), options);
  }

  /**
   * Removes distinct random elements of a set and returns them. The client does not retry this call if it may have run.
   * @returns `hit`, `miss` or `error`.
   */
  async setPop(name: Bytes, count: number = 1, options?: CallOptions): Promise<LookupResponse<ElementsHit>> {
    const invalid = checkCount("count", count) ?? checkKey(name) ?? this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(new op.SetPopOperation(this.name, name, count), options);
  }
}
