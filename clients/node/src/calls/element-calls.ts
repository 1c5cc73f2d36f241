import type { CallOptions, CollectionOptions, DictionaryItems, SortedSetElements } from "../client/client-options.js";
import { Hit, type LookupResponse, miss, type SuccessResponse } from "../client/responses.js";
import type { FieldsHit } from "../collections/collection-hits.js";
import { SortedSetCalls } from "../operations/_generated/sorted-set-calls.js";
import type { Bytes } from "../operations/proto-writer.js";

/** Calls on one field or element of a collection, and on several by the names that users know. */
export abstract class ElementCalls extends SortedSetCalls {
  /** Stores a field of a dictionary, which is made where it is missing. */
  dictionarySetField(name: Bytes, field: Bytes, value: Bytes, options?: CollectionOptions): Promise<SuccessResponse> {
    return this.dictionarySet(name, [[field, value]], options);
  }

  /** Stores fields of a dictionary: `dictionarySet`. */
  dictionarySetFields(name: Bytes, items: DictionaryItems, options?: CollectionOptions): Promise<SuccessResponse> {
    return this.dictionarySet(name, items, options);
  }

  /** Gets a field of a dictionary; a miss where the dictionary or the field is not there. */
  async dictionaryGetField(name: Bytes, field: Bytes, options?: CallOptions): Promise<LookupResponse<Hit>> {
    const response = await this.dictionaryGet(name, [field], options);
    if (response.result !== "hit") return response;
    const [bytes] = response.valuesBytes;
    return bytes ? new Hit(bytes, 0, bytes.length) : miss;
  }

  /** Gets fields of a dictionary: `dictionaryGet`. */
  dictionaryGetFields(name: Bytes, fields: Iterable<Bytes>, options?: CallOptions): Promise<LookupResponse<FieldsHit>> {
    return this.dictionaryGet(name, fields, options);
  }

  /** Removes a field of a dictionary; it need not exist. */
  dictionaryRemoveField(name: Bytes, field: Bytes, options?: CallOptions): Promise<SuccessResponse> {
    return this.dictionaryRemove(name, [field], options);
  }

  /** Removes fields of a dictionary: `dictionaryRemove`. */
  dictionaryRemoveFields(name: Bytes, fields: Iterable<Bytes>, options?: CallOptions): Promise<SuccessResponse> {
    return this.dictionaryRemove(name, fields, options);
  }

  /** Adds an element to a set, which is made where it is missing. */
  setAddElement(name: Bytes, element: Bytes, options?: CollectionOptions): Promise<SuccessResponse> {
    return this.setUnion(name, [element], options);
  }

  /** Adds elements to a set: `setUnion`. */
  setAddElements(name: Bytes, elements: Iterable<Bytes>, options?: CollectionOptions): Promise<SuccessResponse> {
    return this.setUnion(name, elements, options);
  }

  /** Removes an element from a set; it need not exist. */
  setRemoveElement(name: Bytes, element: Bytes, options?: CallOptions): Promise<LookupResponse> {
    return this.setDifference(name, [element], options);
  }

  /** Removes elements from a set: `setDifference`. */
  setRemoveElements(name: Bytes, elements: Iterable<Bytes>, options?: CallOptions): Promise<LookupResponse> {
    return this.setDifference(name, elements, options);
  }

  /** Asks whether an element is in a set. */
  async setContainsElement(
    name: Bytes,
    element: Bytes,
    options?: CallOptions,
  ): Promise<LookupResponse<{ readonly contains: boolean }>> {
    const response = await this.setContains(name, [element], options);
    return response.result === "hit" ? { result: "hit", contains: response.contains[0] === true } : response;
  }

  /** Asks which of some elements are in a set: `setContains`. */
  setContainsElements(
    name: Bytes,
    elements: Iterable<Bytes>,
    options?: CallOptions,
  ): Promise<LookupResponse<{ readonly contains: readonly boolean[] }>> {
    return this.setContains(name, elements, options);
  }

  /** Adds an element to a sorted set, which is made where it is missing, or gives one that is there another score. */
  sortedSetPutElement(
    name: Bytes,
    element: Bytes,
    score: number,
    options?: CollectionOptions,
  ): Promise<SuccessResponse> {
    return this.sortedSetPut(name, [[element, score]], options);
  }

  /** Adds elements to a sorted set: `sortedSetPut`. */
  sortedSetPutElements(
    name: Bytes,
    elements: SortedSetElements,
    options?: CollectionOptions,
  ): Promise<SuccessResponse> {
    return this.sortedSetPut(name, elements, options);
  }

  /** Gets the score of an element; a miss where the sorted set or the element is not there. */
  async sortedSetGetElementScore(
    name: Bytes,
    element: Bytes,
    options?: CallOptions,
  ): Promise<LookupResponse<{ readonly score: number }>> {
    const response = await this.sortedSetGetScore(name, [element], options);
    if (response.result !== "hit") return response;
    const score = response.scores[0] ?? null;
    return score === null ? miss : { result: "hit", score };
  }

  /** Removes an element of a sorted set; it need not exist. */
  sortedSetRemoveElement(name: Bytes, element: Bytes, options?: CallOptions): Promise<SuccessResponse> {
    return this.sortedSetRemove(name, [element], options);
  }

  /** Removes elements of a sorted set: `sortedSetRemove`. */
  sortedSetRemoveElements(name: Bytes, elements: Iterable<Bytes>, options?: CallOptions): Promise<SuccessResponse> {
    return this.sortedSetRemove(name, elements, options);
  }
}
