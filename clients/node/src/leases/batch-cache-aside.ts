import { Buffer } from "node:buffer";
import { checkKeys } from "../calls/batch-calls.js";
import { unlessAborted } from "../calls/unless-aborted.js";
import type { SetOptions } from "../client/client-options.js";
import type { BatchResponses, SuccessResponse } from "../client/responses.js";
import { checkTtl, keysOf, requireKnownOptions, requireSignal, toBuffer, tooManyItems } from "../client/validation.js";
import { type Bytes, copyBytes } from "../operations/proto-writer.js";
import type { CacheWarnings } from "../telemetry/cache-warnings.js";
import type { ValueForm } from "./factory-value.js";
import type { ItemCalls } from "./item-calls.js";

/**
 * Loads the values of the keys in `missing`, and returns them in the same order. `signal` is the caller's signal, or
 * undefined if the caller passed none.
 */
export type BatchFactory<V = Bytes> = (
  missing: readonly Bytes[],
  signal: AbortSignal | undefined,
) => readonly V[] | Promise<readonly V[]>;

/** One distinct key of a batch. The batch may contain the key several times. */
interface RequestedKey {
  /** The key as the caller passed it. */
  readonly given: Bytes;
  /** A copy of the key. Later changes by the caller do not affect it. */
  readonly own: Bytes;
  bytes: Buffer | null;
  /** Whether the cache could be read for this key. If it could not be read, the key's new value is not stored. */
  isRead: boolean;
}

/** Implements `getOrSetBatch`: one factory call for the missing keys of a batch (GOC-15). */
export class BatchCacheAside {
  constructor(private readonly warnings: CacheWarnings) {}

  /** Returns the bytes of each key's value. Each result has a buffer of its own. */
  async getOrSetBatch<V>(
    cache: ItemCalls,
    keys: Iterable<Bytes>,
    factory: BatchFactory<V>,
    options: SetOptions | undefined,
    form: ValueForm<V>,
  ): Promise<Buffer[]> {
    if (typeof factory !== "function") throw new TypeError("the factory must be a function");
    if (options !== undefined) requireKnownOptions(options);
    const signal = options?.signal;
    if (signal !== undefined) requireSignal(signal);
    const all = keysOf(keys);
    const invalid =
      all === null ? tooManyItems() : (checkKeys(all) ?? cache.invalidName ?? checkTtl(cache.calls.ttl(options)));
    if (invalid !== null) throw invalid.error;
    signal?.throwIfAborted();
    const asked = requestedKeys(all!);
    const unique = [...new Set(asked)];
    if (unique.length > 0) await this.#read(cache, unique, options, form);
    const missing = unique.filter(({ bytes }) => bytes === null);
    if (missing.length > 0) {
      await make(missing, factory, signal, form);
      await this.#store(cache, missing, options);
    }
    const answered = new Set<RequestedKey>();
    return asked.map((key) => {
      const bytes = answered.has(key) ? Buffer.from(key.bytes!) : key.bytes!;
      answered.add(key);
      return bytes;
    });
  }

  async #read<V>(
    cache: ItemCalls,
    keys: readonly RequestedKey[],
    options: SetOptions | undefined,
    form: ValueForm<V>,
  ): Promise<void> {
    const given = keys.map(({ own }) => own);
    const found: SuccessResponse<BatchResponses> = await cache.getBatch(given, options);
    options?.signal?.throwIfAborted();
    if (found.result === "error" && found.error.code === "InvalidArgument") throw found.error;
    keys.forEach((key, i) => {
      const each = found.result === "error" ? found : found.responses[i]!;
      key.isRead = each.result !== "error";
      if (each.result === "error") this.warnings.notStored(cache.name, each.error);
      else if (each.result === "hit" && form.usable(each.valueBytes)) key.bytes = each.valueBytes;
    });
  }

  async #store(cache: ItemCalls, made: readonly RequestedKey[], options: SetOptions | undefined): Promise<void> {
    const items = made.filter(({ isRead }) => isRead).map(({ own, bytes }) => [own, bytes!] as const);
    if (items.length === 0) return;
    const set = await cache.setBatch(items, options);
    options?.signal?.throwIfAborted();
    if (set.result === "error") this.warnings.notStored(cache.name, set.error);
  }
}

/** Returns one entry per requested key. Equal keys share one entry. */
function requestedKeys(keys: readonly Bytes[]): RequestedKey[] {
  const byName = new Map<string, RequestedKey>();
  return keys.map((given) => {
    const name = toBuffer(given).toString("latin1");
    const known = byName.get(name);
    if (known !== undefined) return known;
    const key = { given, own: copyBytes(given), bytes: null, isRead: false };
    byName.set(name, key);
    return key;
  });
}

// Encodes all values before any value is stored. If one value cannot be encoded, none is stored.
async function make<V>(
  missing: readonly RequestedKey[],
  factory: BatchFactory<V>,
  signal: AbortSignal | undefined,
  form: ValueForm<V>,
): Promise<void> {
  const given = missing.map((key) => key.given);
  const values = await unlessAborted((async () => factory(given, signal))(), signal);
  if (!Array.isArray(values)) throw new TypeError("the factory must return an array of values");
  if (values.length !== missing.length)
    throw new TypeError(`the factory must return one value per key (${missing.length}), but returned ${values.length}`);
  const encoded = Array.from(values as readonly V[], (value) => form.encode(value));
  missing.forEach((key, i) => {
    key.bytes = encoded[i]!;
  });
}
