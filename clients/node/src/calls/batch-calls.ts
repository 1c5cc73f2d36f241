import type { BatchItems, CallOptions, SetOptions } from "../client/client-options.js";
import type {
  ErrorResponse,
  GetBatchResponse,
  Hit,
  KeysExistResponse,
  Miss,
  SetBatchResponse,
} from "../client/responses.js";
import {
  checkCacheName,
  checkItem,
  checkKey,
  itemsOf,
  keysOf,
  maxBatchItems,
  tooManyItems,
} from "../client/validation.js";
import { GetBatchOperation, KeysExistOperation, SetBatchOperation } from "../operations/batch-operations.js";
import type { Bytes } from "../operations/proto-writer.js";
import { SetOperation } from "../operations/scalar-operations.js";
import { partsOf } from "./batch-parts.js";
import type { CallMaker } from "./call-maker.js";

/** A client's calls on many items: checked whole before the first part is sent (BATCH-9). */
export class BatchCalls {
  constructor(private readonly calls: CallMaker) {}

  async keysExist(
    cacheName: string,
    keys: Iterable<Bytes>,
    options: CallOptions | undefined,
  ): Promise<KeysExistResponse> {
    const all = keysOf(keys);
    if (all === null) return tooManyItems();
    const invalid = checkKeys(cacheName, all);
    if (invalid !== null) return invalid;
    const parts = partsOf(all, KeysExistOperation.lengthOf);
    const answers = await this.calls.makeParts(parts, (part) => new KeysExistOperation(cacheName, part), options);
    const failed = answers.find((answer) => answer.result === "error");
    const exists = () => answers.flatMap((answer) => (answer.result === "error" ? [] : answer.exists));
    return failed ?? { result: "success", exists: exists() };
  }

  async getBatch(
    cacheName: string,
    keys: Iterable<Bytes>,
    options: CallOptions | undefined,
  ): Promise<GetBatchResponse> {
    const all = keysOf(keys);
    if (all === null) return tooManyItems();
    const invalid = checkKeys(cacheName, all);
    if (invalid !== null) return invalid;
    const parts = partsOf(all, GetBatchOperation.lengthOf);
    const answers = await this.calls.makeParts(parts, (part) => new GetBatchOperation(cacheName, part), options);
    if (answers.every((answer) => answer.result === "error")) return answers[0] as ErrorResponse;
    const responses = answers.flatMap((answer, i): readonly (Hit | Miss | ErrorResponse)[] =>
      answer.result === "error" ? parts[i]!.map(() => answer) : answer.responses,
    );
    return { result: "success", responses };
  }

  async setBatch(cacheName: string, items: BatchItems, options: SetOptions | undefined): Promise<SetBatchResponse> {
    const sets: SetOperation[] = [];
    for (const item of itemsOf(items)) {
      // Of a text the first two characters would be a key and a value.
      if (!Array.isArray(item) || item.length < 2 || item.length > 3)
        throw new TypeError("an item must be [key, value] or [key, value, ttlMs]");
      const [key, value, itemTtlMs] = item;
      if (sets.length === maxBatchItems) return tooManyItems();
      const ttlMs = itemTtlMs ?? this.calls.ttl(options);
      const invalid = checkItem(cacheName, key, value, ttlMs);
      if (invalid !== null) return invalid;
      sets.push(new SetOperation(cacheName, key, value, Math.ceil(ttlMs)));
    }
    const invalid = checkCacheName(cacheName);
    if (invalid !== null) return invalid;
    const parts = partsOf(sets, SetBatchOperation.lengthOf);
    const answers = await this.calls.makeParts(parts, (part) => new SetBatchOperation(cacheName, part), options);
    return answers.find((answer) => answer.result === "error") ?? answers[0]!;
  }
}

/** What is wrong with a batch's keys, or its cache's name; null: nothing. */
export function checkKeys(cacheName: string, keys: readonly Bytes[]): ErrorResponse | null {
  for (const key of keys) {
    const invalid = checkKey(cacheName, key);
    if (invalid !== null) return invalid;
  }
  return checkCacheName(cacheName);
}
