import type { CallOptions, CollectionOptions, DictionaryItems, SortedSetElements } from "../client/client-options.js";
import type * as r from "../client/responses.js";
import { Hit, miss } from "../client/responses.js";
import { SortedSetCalls } from "../operations/_generated/sorted-set-calls.js";
import type { Bytes } from "../operations/proto-writer.js";

/** Calls on one field or element of a collection, and on several by the names that users know. */
export abstract class ElementCalls extends SortedSetCalls {
  /** Stores a field of a dictionary, which is made where it is missing. */
  dictionarySetField(
    cacheName: string,
    name: Bytes,
    field: Bytes,
    value: Bytes,
    options?: CollectionOptions,
  ): Promise<r.DictionarySetResponse> {
    return this.dictionarySet(cacheName, name, [[field, value]], options);
  }

  /** Stores fields of a dictionary: `dictionarySet`. */
  dictionarySetFields(
    cacheName: string,
    name: Bytes,
    items: DictionaryItems,
    options?: CollectionOptions,
  ): Promise<r.DictionarySetResponse> {
    return this.dictionarySet(cacheName, name, items, options);
  }

  /** Gets a field of a dictionary; a miss where the dictionary or the field is not there. */
  async dictionaryGetField(
    cacheName: string,
    name: Bytes,
    field: Bytes,
    options?: CallOptions,
  ): Promise<r.DictionaryGetFieldResponse> {
    const response = await this.dictionaryGet(cacheName, name, [field], options);
    if (response.result !== "hit") return response;
    const [bytes] = response.valuesBytes;
    return bytes ? new Hit(bytes, 0, bytes.length) : miss;
  }

  /** Gets fields of a dictionary: `dictionaryGet`. */
  dictionaryGetFields(
    cacheName: string,
    name: Bytes,
    fields: Iterable<Bytes>,
    options?: CallOptions,
  ): Promise<r.DictionaryGetResponse> {
    return this.dictionaryGet(cacheName, name, fields, options);
  }

  /** Removes a field of a dictionary; it need not exist. */
  dictionaryRemoveField(
    cacheName: string,
    name: Bytes,
    field: Bytes,
    options?: CallOptions,
  ): Promise<r.DictionaryDeleteResponse> {
    return this.dictionaryRemove(cacheName, name, [field], options);
  }

  /** Removes fields of a dictionary: `dictionaryRemove`. */
  dictionaryRemoveFields(
    cacheName: string,
    name: Bytes,
    fields: Iterable<Bytes>,
    options?: CallOptions,
  ): Promise<r.DictionaryDeleteResponse> {
    return this.dictionaryRemove(cacheName, name, fields, options);
  }

  /** Adds an element to a set, which is made where it is missing. */
  setAddElement(
    cacheName: string,
    name: Bytes,
    element: Bytes,
    options?: CollectionOptions,
  ): Promise<r.SetUnionResponse> {
    return this.setUnion(cacheName, name, [element], options);
  }

  /** Adds elements to a set: `setUnion`. */
  setAddElements(
    cacheName: string,
    name: Bytes,
    elements: Iterable<Bytes>,
    options?: CollectionOptions,
  ): Promise<r.SetUnionResponse> {
    return this.setUnion(cacheName, name, elements, options);
  }

  /** Removes an element from a set; it need not exist. */
  setRemoveElement(
    cacheName: string,
    name: Bytes,
    element: Bytes,
    options?: CallOptions,
  ): Promise<r.SetDifferenceResponse> {
    return this.setDifference(cacheName, name, [element], options);
  }

  /** Removes elements from a set: `setDifference`. */
  setRemoveElements(
    cacheName: string,
    name: Bytes,
    elements: Iterable<Bytes>,
    options?: CallOptions,
  ): Promise<r.SetDifferenceResponse> {
    return this.setDifference(cacheName, name, elements, options);
  }

  /** Asks whether an element is in a set. */
  async setContainsElement(
    cacheName: string,
    name: Bytes,
    element: Bytes,
    options?: CallOptions,
  ): Promise<r.SetContainsElementResponse> {
    const response = await this.setContains(cacheName, name, [element], options);
    return response.result === "hit" ? { result: "hit", contains: response.contains[0] === true } : response;
  }

  /** Asks which of some elements are in a set: `setContains`. */
  setContainsElements(
    cacheName: string,
    name: Bytes,
    elements: Iterable<Bytes>,
    options?: CallOptions,
  ): Promise<r.SetContainsResponse> {
    return this.setContains(cacheName, name, elements, options);
  }

  /** Adds an element to a sorted set, which is made where it is missing, or gives one that is there another score. */
  sortedSetPutElement(
    cacheName: string,
    name: Bytes,
    element: Bytes,
    score: number,
    options?: CollectionOptions,
  ): Promise<r.SortedSetPutResponse> {
    return this.sortedSetPut(cacheName, name, [[element, score]], options);
  }

  /** Adds elements to a sorted set: `sortedSetPut`. */
  sortedSetPutElements(
    cacheName: string,
    name: Bytes,
    elements: SortedSetElements,
    options?: CollectionOptions,
  ): Promise<r.SortedSetPutResponse> {
    return this.sortedSetPut(cacheName, name, elements, options);
  }

  /** Gets the score of an element; a miss where the sorted set or the element is not there. */
  async sortedSetGetElementScore(
    cacheName: string,
    name: Bytes,
    element: Bytes,
    options?: CallOptions,
  ): Promise<r.SortedSetGetElementScoreResponse> {
    const response = await this.sortedSetGetScore(cacheName, name, [element], options);
    if (response.result !== "hit") return response;
    const score = response.scores[0] ?? null;
    return score === null ? miss : { result: "hit", score };
  }

  /** Removes an element of a sorted set; it need not exist. */
  sortedSetRemoveElement(
    cacheName: string,
    name: Bytes,
    element: Bytes,
    options?: CallOptions,
  ): Promise<r.SortedSetRemoveResponse> {
    return this.sortedSetRemove(cacheName, name, [element], options);
  }

  /** Removes elements of a sorted set: `sortedSetRemove`. */
  sortedSetRemoveElements(
    cacheName: string,
    name: Bytes,
    elements: Iterable<Bytes>,
    options?: CallOptions,
  ): Promise<r.SortedSetRemoveResponse> {
    return this.sortedSetRemove(cacheName, name, elements, options);
  }
}
