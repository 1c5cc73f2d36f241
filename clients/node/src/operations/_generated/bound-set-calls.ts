// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
import type { CallOptions, CollectionOptions } from "../../client/client-options.js";
import type * as r from "../../client/responses.js";
import type { Bytes } from "../proto-writer.js";
import { BoundDictionaryCalls } from "./bound-dictionary-calls.js";

/** Calls on sets. */
export abstract class BoundSetCalls extends BoundDictionaryCalls {
  /** Gets all elements of a set, in no order. */
  setFetch(name: Bytes, options?: CallOptions): Promise<r.SetFetchResponse> {
    return this.client.setFetch(this.name, name, options);
  }

  /** Gets some elements of a set, each once; which, chance decides. */
  setSample(name: Bytes, limit: number, options?: CallOptions): Promise<r.SetSampleResponse> {
    return this.client.setSample(this.name, name, limit, options);
  }

  /** Adds elements to a set, which is made where it is missing. */
  setUnion(name: Bytes, elements: Iterable<Bytes>, options?: CollectionOptions): Promise<r.SetUnionResponse> {
    return this.client.setUnion(this.name, name, elements, options);
  }

  /** Removes elements from a set; they need not exist. */
  setDifference(name: Bytes, elements: Iterable<Bytes>, options?: CallOptions): Promise<r.SetDifferenceResponse> {
    return this.client.setDifference(this.name, name, elements, options);
  }

  /** Makes a set those of some elements that it does not hold. Never sent twice where it may have run. */
  setDifferenceFrom(name: Bytes, elements: Iterable<Bytes>, options?: CallOptions): Promise<r.SetDifferenceResponse> {
    return this.client.setDifferenceFrom(this.name, name, elements, options);
  }

  /** Asks which of some elements are in a set. */
  setContains(name: Bytes, elements: Iterable<Bytes>, options?: CallOptions): Promise<r.SetContainsResponse> {
    return this.client.setContains(this.name, name, elements, options);
  }

  /** Asks how many elements a set has. */
  setLength(name: Bytes, options?: CallOptions): Promise<r.SetLengthResponse> {
    return this.client.setLength(this.name, name, options);
  }

  /** Gets some elements of a set and removes them; which, chance decides. Never sent twice where it may have run. */
  setPop(name: Bytes, count?: number, options?: CallOptions): Promise<r.SetPopResponse> {
    return this.client.setPop(this.name, name, count, options);
  }
}
