import type { CallOptions, CollectionOptions, DictionaryItems, SortedSetElements } from "../client/client-options.js";
import { Hit, type LookupResponse, miss, type SuccessResponse } from "../client/responses.js";
import type { FieldsHit } from "../collections/collection-hits.js";
import { SortedSetCalls } from "../operations/_generated/sorted-set-calls.js";
import type { Bytes } from "../operations/proto-writer.js";

/** Calls on one field or element of a collection, and aliases of calls on several fields or elements. */
export abstract class ElementCalls extends SortedSetCalls {
  /** Stores a field of a dictionary. The dictionary is created if it does not exist. */
  dictionarySetField(name: Bytes, field: Bytes, value: Bytes, options?: CollectionOptions): Promise<SuccessResponse> {
    return this.dictionarySet(name, [[field, value]], options);
  }

  /** Stores fields of a dictionary. An alias of `dictionarySet`. */
  dictionarySetFields(name: Bytes, items: DictionaryItems, options?: CollectionOptions): Promise<SuccessResponse> {
    return this.dictionarySet(name, items, options);
  }

  /** Gets a field of a dictionary. The result is a miss if the dictionary or the field does not exist. */
  async dictionaryGetField(name: Bytes, field: Bytes, options?: CallOptions): Promise<LookupResponse<Hit>> {
    const response = await this.dictionaryGet(name, [field], options);
    if (response.result !== "hit") return response;
    const [bytes] = response.valuesBytes;
    return bytes ? new Hit(bytes, 0, bytes.length) : miss;
  }

  /** Gets fields of a dictionary. An alias of `dictionaryGet`. */
  dictionaryGetFields(name: Bytes, fields: Iterable<Bytes>, options?: CallOptions): Promise<LookupResponse<FieldsHit>> {
    return this.dictionaryGet(name, fields, options);
  }

  /** Removes a field of a dictionary. Succeeds even if the field does not exist. */
  dictionaryRemoveField(name: Bytes, field: Bytes, options?: CallOptions): Promise<SuccessResponse> {
    return this.dictionaryRemove(name, [field], options);
  }

  /** Removes fields of a dictionary. An alias of `dictionaryRemove`. */
  dictionaryRemoveFields(name: Bytes, fields: Iterable<Bytes>, options?: CallOptions): Promise<SuccessResponse> {
    return this.dictionaryRemove(name, fields, options);
  }

  /** Adds an element to a set. The set is created if it does not exist. */
  setAddElement(name: Bytes, element: Bytes, options?: CollectionOptions): Promise<SuccessResponse> {
    return this.setUnion(name, [element], options);
  }

  /** Adds elements to a set. An alias of `setUnion`. */
  setAddElements(name: Bytes, elements: Iterable<Bytes>, options?: CollectionOptions): Promise<SuccessResponse> {
    return this.setUnion(name, elements, options);
  }

  /** Removes an element from a set. Succeeds even if the set does not contain the element. */
  setRemoveElement(name: Bytes, element: Bytes, options?: CallOptions): Promise<LookupResponse> {
    return this.setDifference(name, [element], options);
  }

  /** Removes elements from a set. An alias of `setDifference`. */
  setRemoveElements(name: Bytes, elements: Iterable<Bytes>, options?: CallOptions): Promise<LookupResponse> {
    return this.setDifference(name, elements, options);
  }

  /** Returns whether a set contains an element. The result is a miss if the set does not exist. */
  async setContainsElement(
    name: Bytes,
    element: Bytes,
    options?: CallOptions,
  ): Promise<LookupResponse<{ readonly contains: boolean }>> {
    const response = await this.setContains(name, [element], options);
    return response.result === "hit" ? { result: "hit", contains: response.contains[0] === true } : response;
  }

  /** Returns which of the elements a set contains. An alias of `setContains`. */
  setContainsElements(
    name: Bytes,
    elements: Iterable<Bytes>,
    options?: CallOptions,
  ): Promise<LookupResponse<{ readonly contains: readonly boolean[] }>> {
    return this.setContains(name, elements, options);
  }

  /** Sets the score of an element. The sorted set and the element are created if they do not exist. */
  sortedSetPutElement(
    name: Bytes,
    element: Bytes,
    score: number,
    options?: CollectionOptions,
  ): Promise<SuccessResponse> {
    return this.sortedSetPut(name, [[element, score]], options);
  }

  /** Sets the scores of elements. An alias of `sortedSetPut`. */
  sortedSetPutElements(
    name: Bytes,
    elements: SortedSetElements,
    options?: CollectionOptions,
  ): Promise<SuccessResponse> {
    return this.sortedSetPut(name, elements, options);
  }

  /** Gets the score of an element. The result is a miss if the sorted set or the element does not exist. */
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

  /** Removes an element of a sorted set. Succeeds even if the element does not exist. */
  sortedSetRemoveElement(name: Bytes, element: Bytes, options?: CallOptions): Promise<SuccessResponse> {
    return this.sortedSetRemove(name, [element], options);
  }

  /** Removes elements of a sorted set. An alias of `sortedSetRemove`. */
  sortedSetRemoveElements(name: Bytes, elements: Iterable<Bytes>, options?: CallOptions): Promise<SuccessResponse> {
    return this.sortedSetRemove(name, elements, options);
  }
}
