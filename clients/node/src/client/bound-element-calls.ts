import { BoundSortedSetCalls } from "../operations/_generated/bound-sorted-set-calls.js";
import type { Bytes } from "../operations/proto-writer.js";
import type { CallOptions, CollectionOptions, DictionaryItems, SortedSetElements } from "./client-options.js";
import type * as r from "./responses.js";

/** Calls on one field or element of a collection, and on several by the names that users know. */
export abstract class BoundElementCalls extends BoundSortedSetCalls {
  /** Stores a field of a dictionary, which is made where it is missing. */
  dictionarySetField(
    name: Bytes,
    field: Bytes,
    value: Bytes,
    options?: CollectionOptions,
  ): Promise<r.DictionarySetResponse> {
    return this.client.dictionarySetField(this.name, name, field, value, options);
  }

  /** Stores fields of a dictionary: `dictionarySet`. */
  dictionarySetFields(
    name: Bytes,
    items: DictionaryItems,
    options?: CollectionOptions,
  ): Promise<r.DictionarySetResponse> {
    return this.client.dictionarySetFields(this.name, name, items, options);
  }

  /** Gets a field of a dictionary; a miss where the dictionary or the field is not there. */
  dictionaryGetField(name: Bytes, field: Bytes, options?: CallOptions): Promise<r.DictionaryGetFieldResponse> {
    return this.client.dictionaryGetField(this.name, name, field, options);
  }

  /** Gets fields of a dictionary: `dictionaryGet`. */
  dictionaryGetFields(name: Bytes, fields: Iterable<Bytes>, options?: CallOptions): Promise<r.DictionaryGetResponse> {
    return this.client.dictionaryGetFields(this.name, name, fields, options);
  }

  /** Removes a field of a dictionary; it need not exist. */
  dictionaryRemoveField(name: Bytes, field: Bytes, options?: CallOptions): Promise<r.DictionaryDeleteResponse> {
    return this.client.dictionaryRemoveField(this.name, name, field, options);
  }

  /** Removes fields of a dictionary: `dictionaryRemove`. */
  dictionaryRemoveFields(
    name: Bytes,
    fields: Iterable<Bytes>,
    options?: CallOptions,
  ): Promise<r.DictionaryDeleteResponse> {
    return this.client.dictionaryRemoveFields(this.name, name, fields, options);
  }

  /** Adds an element to a set, which is made where it is missing. */
  setAddElement(name: Bytes, element: Bytes, options?: CollectionOptions): Promise<r.SetUnionResponse> {
    return this.client.setAddElement(this.name, name, element, options);
  }

  /** Adds elements to a set: `setUnion`. */
  setAddElements(name: Bytes, elements: Iterable<Bytes>, options?: CollectionOptions): Promise<r.SetUnionResponse> {
    return this.client.setAddElements(this.name, name, elements, options);
  }

  /** Removes an element from a set; it need not exist. */
  setRemoveElement(name: Bytes, element: Bytes, options?: CallOptions): Promise<r.SetDifferenceResponse> {
    return this.client.setRemoveElement(this.name, name, element, options);
  }

  /** Removes elements from a set: `setDifference`. */
  setRemoveElements(name: Bytes, elements: Iterable<Bytes>, options?: CallOptions): Promise<r.SetDifferenceResponse> {
    return this.client.setRemoveElements(this.name, name, elements, options);
  }

  /** Asks whether an element is in a set. */
  setContainsElement(name: Bytes, element: Bytes, options?: CallOptions): Promise<r.SetContainsElementResponse> {
    return this.client.setContainsElement(this.name, name, element, options);
  }

  /** Asks which of some elements are in a set: `setContains`. */
  setContainsElements(name: Bytes, elements: Iterable<Bytes>, options?: CallOptions): Promise<r.SetContainsResponse> {
    return this.client.setContainsElements(this.name, name, elements, options);
  }

  /** Adds an element to a sorted set, which is made where it is missing, or gives one that is there another score. */
  sortedSetPutElement(
    name: Bytes,
    element: Bytes,
    score: number,
    options?: CollectionOptions,
  ): Promise<r.SortedSetPutResponse> {
    return this.client.sortedSetPutElement(this.name, name, element, score, options);
  }

  /** Adds elements to a sorted set: `sortedSetPut`. */
  sortedSetPutElements(
    name: Bytes,
    elements: SortedSetElements,
    options?: CollectionOptions,
  ): Promise<r.SortedSetPutResponse> {
    return this.client.sortedSetPutElements(this.name, name, elements, options);
  }

  /** Gets the score of an element; a miss where the sorted set or the element is not there. */
  sortedSetGetElementScore(
    name: Bytes,
    element: Bytes,
    options?: CallOptions,
  ): Promise<r.SortedSetGetElementScoreResponse> {
    return this.client.sortedSetGetElementScore(this.name, name, element, options);
  }

  /** Removes an element of a sorted set; it need not exist. */
  sortedSetRemoveElement(name: Bytes, element: Bytes, options?: CallOptions): Promise<r.SortedSetRemoveResponse> {
    return this.client.sortedSetRemoveElement(this.name, name, element, options);
  }

  /** Removes elements of a sorted set: `sortedSetRemove`. */
  sortedSetRemoveElements(
    name: Bytes,
    elements: Iterable<Bytes>,
    options?: CallOptions,
  ): Promise<r.SortedSetRemoveResponse> {
    return this.client.sortedSetRemoveElements(this.name, name, elements, options);
  }
}
