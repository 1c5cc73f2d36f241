import type { BatchItems, CallOptions, SetOptions } from "../client/client-options.js";
import type { BatchResponses, ErrorResponse, Hit, Miss, SuccessResponse } from "../client/responses.js";
import { checkItem, checkKey, itemsOf, keysOf, maxBatchItems, tooManyItems } from "../client/validation.js";
import { GetBatchOperation, KeysExistOperation, SetBatchOperation } from "../operations/batch-operations.js";
import type { Bytes } from "../operations/proto-writer.js";
import { SetOperation } from "../operations/scalar-operations.js";
import { partsOf } from "./batch-parts.js";
import { TableCalls } from "./table-calls.js";

/** Calls on many items. All arguments are validated before the first request is sent (BATCH-9). */
export abstract class BatchCalls extends TableCalls {
  /**
   * Returns whether a key exists.
   * @returns `success` with `exists`, or `error`.
   */
  async keyExists(key: Bytes, options?: CallOptions): Promise<SuccessResponse<{ readonly exists: boolean }>> {
    const response = await this.keysExist([key], options);
    return response.result === "error" ? response : { result: "success", exists: response.exists[0] === true };
  }

  /**
   * Returns for each key whether it exists, in the order of the keys.
   * @returns `success` with `exists` (one boolean per key), or `error`.
   */
  async keysExist(
    keys: Iterable<Bytes>,
    options?: CallOptions,
  ): Promise<SuccessResponse<{ readonly exists: readonly boolean[] }>> {
    const all = keysOf(keys);
    if (all === null) return tooManyItems();
    const invalid = checkKeys(all) ?? this.invalidName;
    if (invalid !== null) return invalid;
    const parts = partsOf(all, KeysExistOperation.lengthOf);
    const answers = await this.calls.makeParts(parts, (part) => new KeysExistOperation(this.name, part), options);
    const failed = answers.find((answer) => answer.result === "error");
    const exists = () => answers.flatMap((answer) => (answer.result === "error" ? [] : answer.exists));
    return failed ?? { result: "success", exists: exists() };
  }

  /**
   * Gets the values of many keys in one call. The responses are in the order of the keys. If the call is larger than 11
   * MB, it is sent in several parts (BATCH-9). If a part fails, the response of each key in that part is the error. If
   * all parts fail, the call returns the error of the first part.
   */
  async getBatch(keys: Iterable<Bytes>, options?: CallOptions): Promise<SuccessResponse<BatchResponses>> {
    const all = keysOf(keys);
    if (all === null) return tooManyItems();
    const invalid = checkKeys(all) ?? this.invalidName;
    if (invalid !== null) return invalid;
    const parts = partsOf(all, GetBatchOperation.lengthOf);
    const answers = await this.calls.makeParts(parts, (part) => new GetBatchOperation(this.name, part), options);
    if (answers.every((answer) => answer.result === "error")) return answers[0] as ErrorResponse;
    const responses = answers.flatMap((answer, i): readonly (Hit | Miss | ErrorResponse)[] =>
      answer.result === "error" ? parts[i]!.map(() => answer) : answer.responses,
    );
    return { result: "success", responses };
  }

  /**
   * Stores many items in one call, in the given order. Each item may have its own time to live in milliseconds. If the
   * call is larger than 11 MB, it is sent in several parts (BATCH-9). If a part fails, the other parts are stored, and
   * the call returns the error of the first failed part.
   */
  async setBatch(items: BatchItems, options?: SetOptions): Promise<SuccessResponse> {
    const sets: SetOperation[] = [];
    for (const item of itemsOf(items)) {
      // Check that the item is an array. Destructuring a string would use its first two characters as the key and the
      // value.
      if (!Array.isArray(item) || item.length < 2 || item.length > 3)
        throw new TypeError("an item must be [key, value] or [key, value, ttlMs]");
      const [key, value, itemTtlMs] = item;
      if (sets.length === maxBatchItems) return tooManyItems();
      const ttlMs = itemTtlMs ?? this.calls.ttl(options);
      const invalid = checkItem(key, value, ttlMs);
      if (invalid !== null) return invalid;
      sets.push(new SetOperation(this.name, key, value, Math.ceil(ttlMs)));
    }
    if (this.invalidName !== null) return this.invalidName;
    const parts = partsOf(sets, SetBatchOperation.lengthOf);
    const answers = await this.calls.makeParts(parts, (part) => new SetBatchOperation(this.name, part), options);
    return answers.find((answer) => answer.result === "error") ?? answers[0]!;
  }
}

/** Returns the error if one of a batch's keys is invalid, otherwise null. */
export function checkKeys(keys: readonly Bytes[]): ErrorResponse | null {
  for (const key of keys) {
    const invalid = checkKey(key);
    if (invalid !== null) return invalid;
  }
  return null;
}
