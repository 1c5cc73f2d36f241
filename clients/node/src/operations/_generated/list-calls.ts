// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
import type { CallOptions, ListRange } from "../../client/client-options.js";
import type { LookupResponse, SuccessResponse } from "../../client/responses.js";
import { checkKey, checkText } from "../../client/validation.js";
import {
  bytesOf,
  checkCount,
  checkElements,
  checkIndex,
  checkRanges,
  rangesOf,
} from "../../collections/collection-arguments.js";
import type { PoppedHit, ValuesHit } from "../../collections/collection-hits.js";
import { checkWireTtl } from "../../collections/collection-ttl.js";
import type { Bytes } from "../proto-writer.js";
import type {
  ListConcatenateBackOptions,
  ListConcatenateFrontOptions,
  ListFetchOptions,
  ListPushBackOptions,
  ListPushFrontOptions,
  ListRetainOptions,
} from "./collection-options.js";
import * as op from "./list-operations.js";
import { SetCalls } from "./set-calls.js";

/** Calls on lists. */
export abstract class ListCalls extends SetCalls {
  /**
   * Adds an element at the front of a list, which is created if it does not exist. The client does not retry this call
   * if it may have run.
   * @returns `success` with `length` (the number of elements in the list after the call) or `error`.
   */
  async listPushFront(
    name: Bytes,
    value: Bytes,
    options?: ListPushFrontOptions,
  ): Promise<SuccessResponse<{ readonly length: number }>> {
    const ttl = this.calls.collectionTtl(options);
    const { truncateBackToSize = 0 } = options ?? {};
    const invalid =
      checkCount("truncateBackToSize", truncateBackToSize) ??
      checkText("value", value) ??
      checkKey(name) ??
      this.invalidName ??
      checkWireTtl(ttl);
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.ListPushFrontOperation(this.name, name, value, ttl, truncateBackToSize),
      options,
      "ttl",
      "truncateBackToSize",
    );
  }

  /**
   * Adds an element at the back of a list, which is created if it does not exist. The client does not retry this call
   * if it may have run.
   * @returns `success` with `length` (the number of elements in the list after the call) or `error`.
   */
  async listPushBack(
    name: Bytes,
    value: Bytes,
    options?: ListPushBackOptions,
  ): Promise<SuccessResponse<{ readonly length: number }>> {
    const ttl = this.calls.collectionTtl(options);
    const { truncateFrontToSize = 0 } = options ?? {};
    const invalid =
      checkCount("truncateFrontToSize", truncateFrontToSize) ??
      checkText("value", value) ??
      checkKey(name) ??
      this.invalidName ??
      checkWireTtl(ttl);
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.ListPushBackOperation(this.name, name, value, ttl, truncateFrontToSize),
      options,
      "ttl",
      "truncateFrontToSize",
    );
  }

  /**
   * Adds elements at the front of a list and keeps their order. The client does not retry this call if it may have run.
   * @returns `success` with `length` (the number of elements in the list after the call) or `error`.
   */
  async listConcatenateFront(
    name: Bytes,
    values: Iterable<Bytes>,
    options?: ListConcatenateFrontOptions,
  ): Promise<SuccessResponse<{ readonly length: number }>> {
    const ttl = this.calls.collectionTtl(options);
    const { truncateBackToSize = 0 } = options ?? {};
    const all = bytesOf("values", values);
    const invalid =
      checkElements(all) ??
      checkCount("truncateBackToSize", truncateBackToSize) ??
      checkKey(name) ??
      this.invalidName ??
      checkWireTtl(ttl);
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.ListConcatenateFrontOperation(this.name, name, all, ttl, truncateBackToSize),
      options,
      "ttl",
      "truncateBackToSize",
    );
  }

  /**
   * Adds elements at the back of a list and keeps their order. The client does not retry this call if it may have run.
   * @returns `success` with `length` (the number of elements in the list after the call) or `error`.
   */
  async listConcatenateBack(
    name: Bytes,
    values: Iterable<Bytes>,
    options?: ListConcatenateBackOptions,
  ): Promise<SuccessResponse<{ readonly length: number }>> {
    const ttl = this.calls.collectionTtl(options);
    const { truncateFrontToSize = 0 } = options ?? {};
    const all = bytesOf("values", values);
    const invalid =
      checkElements(all) ??
      checkCount("truncateFrontToSize", truncateFrontToSize) ??
      checkKey(name) ??
      this.invalidName ??
      checkWireTtl(ttl);
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.ListConcatenateBackOperation(this.name, name, all, ttl, truncateFrontToSize),
      options,
      "ttl",
      "truncateFrontToSize",
    );
  }

  /**
   * Removes the first element of a list and returns it. The client does not retry this call if it may have run.
   * @returns `hit`, `miss` or `error`.
   */
  async listPopFront(name: Bytes, options?: CallOptions): Promise<LookupResponse<PoppedHit>> {
    const invalid = checkKey(name) ?? this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(new op.ListPopFrontOperation(this.name, name), options);
  }

  /**
   * Removes the last element of a list and returns it. The client does not retry this call if it may have run.
   * @returns `hit`, `miss` or `error`.
   */
  async listPopBack(name: Bytes, options?: CallOptions): Promise<LookupResponse<PoppedHit>> {
    return checkKey(name) ?? this.invalidName ?? this.calls.make(new op.ListPopBackOperation(this.name, name), options);
  }

  /**
   * Gets a slice of a list, in order.
   * @returns `hit`, `miss` or `error`.
   */
  async listFetch(name: Bytes, options?: ListFetchOptions): Promise<LookupResponse<ValuesHit>> {
    const { start, end } = options ?? {};
    const invalid = checkIndex("start", start) ?? checkIndex("end", end) ?? checkKey(name) ?? this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(new op.ListFetchOperation(this.name, name, start, end), options, "start", "end");
  }

  /**
   * Keeps a slice of a list and removes the rest. The client does not retry this call if it may have run.
   * @returns `hit` with `length` (the number of elements), `miss` or `error`.
   */
  async listRetain(name: Bytes, options?: ListRetainOptions): Promise<LookupResponse<{ readonly length: number }>> {
    const ttl = this.calls.keptTtl(options);
    const { start, end } = options ?? {};
    const invalid =
      checkIndex("start", start) ?? checkIndex("end", end) ?? checkKey(name) ?? this.invalidName ?? checkWireTtl(ttl);
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.ListRetainOperation(this.name, name, start, end, ttl),
      options,
      "ttl",
      "start",
      "end",
    );
  }

  /**
   * Removes every element of a list that equals a value.
   * @returns `hit` with `length` (the number of elements), `miss` or `error`.
   */
  async listRemove(
    name: Bytes,
    value: Bytes,
    options?: CallOptions,
  ): Promise<LookupResponse<{ readonly length: number }>> {
    const invalid = checkText("value", value) ?? checkKey(name) ?? this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(new op.ListRemoveOperation(this.name, name, value), options);
  }

  /**
   * Removes ranges of a list. The client does not retry this call if it may have run.
   * @returns `hit` with `length` (the number of elements), `miss` or `error`.
   */
  async listErase(
    name: Bytes,
    ranges: Iterable<ListRange>,
    options?: CallOptions,
  ): Promise<LookupResponse<{ readonly length: number }>> {
    const all = rangesOf(ranges);
    const invalid = checkRanges(all) ?? checkKey(name) ?? this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(new op.ListEraseOperation(this.name, name, all), options);
  }

  /**
   * Gets the number of elements of a list.
   * @returns `hit` with `length` (the number of elements), `miss` or `error`.
   */
  async listLength(name: Bytes, options?: CallOptions): Promise<LookupResponse<{ readonly length: number }>> {
    return checkKey(name) ?? this.invalidName ?? this.calls.make(new op.ListLengthOperation(this.name, name), options);
  }
}
