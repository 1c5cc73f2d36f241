// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
import type { CallOptions, CollectionOptions } from "../../client/client-options.js";
import type * as r from "../../client/responses.js";
import { checkKey } from "../../client/validation.js";
import { bytesOf, checkCount, checkElements } from "../../collections/collection-arguments.js";
import { checkWireTtl } from "../../collections/collection-ttl.js";
import type { Bytes } from "../proto-writer.js";
import { DictionaryCalls } from "./dictionary-calls.js";
import * as op from "./set-operations.js";

/** Calls on sets. */
export abstract class SetCalls extends DictionaryCalls {
  /** Gets all elements of a set, in no order. */
  async setFetch(cacheName: string, name: Bytes, options?: CallOptions): Promise<r.SetFetchResponse> {
    return checkKey(cacheName, name) ?? this.calls.make(new op.SetFetchOperation(cacheName, name), options);
  }

  /** Gets some elements of a set, each once; which, chance decides. */
  async setSample(cacheName: string, name: Bytes, limit: number, options?: CallOptions): Promise<r.SetSampleResponse> {
    const invalid = checkCount("limit", limit, Number.MAX_SAFE_INTEGER) ?? checkKey(cacheName, name);
    if (invalid !== null) return invalid;
    return this.calls.make(new op.SetSampleOperation(cacheName, name, limit), options);
  }

  /** Adds elements to a set, which is made where it is missing. */
  async setUnion(
    cacheName: string,
    name: Bytes,
    elements: Iterable<Bytes>,
    options?: CollectionOptions,
  ): Promise<r.SetUnionResponse> {
    const ttl = this.calls.collectionTtl(options);
    const all = bytesOf("elements", elements);
    const invalid = checkElements(all) ?? checkKey(cacheName, name) ?? checkWireTtl(ttl);
    if (invalid !== null) return invalid;
    return this.calls.make(new op.SetUnionOperation(cacheName, name, all, ttl), options, "ttl");
  }

  /** Removes elements from a set; they need not exist. */
  async setDifference(
    cacheName: string,
    name: Bytes,
    elements: Iterable<Bytes>,
    options?: CallOptions,
  ): Promise<r.SetDifferenceResponse> {
    const all = bytesOf("elements", elements);
    const invalid = checkElements(all) ?? checkKey(cacheName, name);
    if (invalid !== null) return invalid;
    return this.calls.make(new op.SetDifferenceOperation(cacheName, name, all), options);
  }

  /** Makes a set those of some elements that it does not hold. Never sent twice where it may have run. */
  async setDifferenceFrom(
    cacheName: string,
    name: Bytes,
    elements: Iterable<Bytes>,
    options?: CallOptions,
  ): Promise<r.SetDifferenceResponse> {
    const all = bytesOf("elements", elements);
    const invalid = checkElements(all) ?? checkKey(cacheName, name);
    if (invalid !== null) return invalid;
    return this.calls.make(new op.SetDifferenceFromOperation(cacheName, name, all), options);
  }

  /** Asks which of some elements are in a set. */
  async setContains(
    cacheName: string,
    name: Bytes,
    elements: Iterable<Bytes>,
    options?: CallOptions,
  ): Promise<r.SetContainsResponse> {
    const all = bytesOf("elements", elements);
    const invalid = checkElements(all) ?? checkKey(cacheName, name);
    if (invalid !== null) return invalid;
    return this.calls.make(new op.SetContainsOperation(cacheName, name, all), options);
  }

  /** Asks how many elements a set has. */
  async setLength(cacheName: string, name: Bytes, options?: CallOptions): Promise<r.SetLengthResponse> {
    return checkKey(cacheName, name) ?? this.calls.make(new op.SetLengthOperation(cacheName, name), options);
  }

  /** Gets some elements of a set and removes them; which, chance decides. Never sent twice where it may have run. */
  async setPop(cacheName: string, name: Bytes, count: number = 1, options?: CallOptions): Promise<r.SetPopResponse> {
    const invalid = checkCount("count", count) ?? checkKey(cacheName, name);
    if (invalid !== null) return invalid;
    return this.calls.make(new op.SetPopOperation(cacheName, name, count), options);
  }
}
