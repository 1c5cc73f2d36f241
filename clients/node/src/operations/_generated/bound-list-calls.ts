// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
import type { CallOptions, ListRange } from "../../client/client-options.js";
import type * as r from "../../client/responses.js";
import type { Bytes } from "../proto-writer.js";
import { BoundSetCalls } from "./bound-set-calls.js";
import type {
  ListConcatenateBackOptions,
  ListConcatenateFrontOptions,
  ListFetchOptions,
  ListPushBackOptions,
  ListPushFrontOptions,
  ListRetainOptions,
} from "./collection-options.js";

/** Calls on lists. */
export abstract class BoundListCalls extends BoundSetCalls {
  /** Adds an element before the first of a list, which is made where it is missing. Never sent twice where it may have run. */
  listPushFront(name: Bytes, value: Bytes, options?: ListPushFrontOptions): Promise<r.ListPushFrontResponse> {
    return this.client.listPushFront(this.name, name, value, options);
  }

  /** Adds an element behind the last of a list, which is made where it is missing. Never sent twice where it may have run. */
  listPushBack(name: Bytes, value: Bytes, options?: ListPushBackOptions): Promise<r.ListPushBackResponse> {
    return this.client.listPushBack(this.name, name, value, options);
  }

  /** Adds elements before the first of a list, in their order. Never sent twice where it may have run. */
  listConcatenateFront(
    name: Bytes,
    values: Iterable<Bytes>,
    options?: ListConcatenateFrontOptions,
  ): Promise<r.ListConcatenateFrontResponse> {
    return this.client.listConcatenateFront(this.name, name, values, options);
  }

  /** Adds elements behind the last of a list, in their order. Never sent twice where it may have run. */
  listConcatenateBack(
    name: Bytes,
    values: Iterable<Bytes>,
    options?: ListConcatenateBackOptions,
  ): Promise<r.ListConcatenateBackResponse> {
    return this.client.listConcatenateBack(this.name, name, values, options);
  }

  /** Gets the first element of a list and removes it. Never sent twice where it may have run. */
  listPopFront(name: Bytes, options?: CallOptions): Promise<r.ListPopFrontResponse> {
    return this.client.listPopFront(this.name, name, options);
  }

  /** Gets the last element of a list and removes it. Never sent twice where it may have run. */
  listPopBack(name: Bytes, options?: CallOptions): Promise<r.ListPopBackResponse> {
    return this.client.listPopBack(this.name, name, options);
  }

  /** Gets a slice of a list, in order. */
  listFetch(name: Bytes, options?: ListFetchOptions): Promise<r.ListFetchResponse> {
    return this.client.listFetch(this.name, name, options);
  }

  /** Keeps a slice of a list and drops the rest. Never sent twice where it may have run. */
  listRetain(name: Bytes, options?: ListRetainOptions): Promise<r.ListRetainResponse> {
    return this.client.listRetain(this.name, name, options);
  }

  /** Removes every element of a list that has a value. */
  listRemove(name: Bytes, value: Bytes, options?: CallOptions): Promise<r.ListRemoveResponse> {
    return this.client.listRemove(this.name, name, value, options);
  }

  /** Removes ranges of a list. Never sent twice where it may have run. */
  listErase(name: Bytes, ranges: Iterable<ListRange>, options?: CallOptions): Promise<r.ListEraseResponse> {
    return this.client.listErase(this.name, name, ranges, options);
  }

  /** Asks how many elements a list has. */
  listLength(name: Bytes, options?: CallOptions): Promise<r.ListLengthResponse> {
    return this.client.listLength(this.name, name, options);
  }
}
