import { Buffer } from "node:buffer";
import { checkTtl, requireBytes, wholeTtl } from "../client/validation.js";
import { type Bytes, copyBytes } from "../operations/proto-writer.js";
import { checkTags, tagsOf } from "../operations/tag-list.js";
import type { FactoryContext } from "./factory-context.js";

/** The encoded value that a factory returned, and how to store it. */
export interface FactoryValue {
  /** The encoded value. No other object uses the buffer. */
  readonly bytes: Buffer;
  /** The TTL of the context or of `ttlOf`, in whole milliseconds. Null if the value has the call's TTL. */
  readonly ttlMs: number | null;
  /** The tags of the call and of the context. */
  readonly tags: readonly Bytes[];
  readonly isStored: boolean;
}

/** How values are stored: as bytes, or encoded by a codec. `S` is the type of decoded values. */
export interface ValueForm<V, S extends V = V> {
  /** Prefix of the key in `SingleFlight`. Loads of one key in different forms are therefore not shared. */
  readonly flight: string;
  /**
   * Encodes a value into a buffer of its own.
   * @throws If the value is invalid.
   */
  encode(value: V): Buffer;
  /** Decodes stored bytes that are usable. Each call returns its own object. */
  decode(bytes: Buffer): S;
  /** Returns whether stored bytes can be decoded. If they cannot be decoded, the load treats them as a miss. */
  usable(bytes: Buffer): boolean;
}

/** The form of values that are text or bytes. They are stored unchanged. */
export const plainForm: ValueForm<Bytes, Buffer> = {
  flight: "",
  encode(value) {
    requireBytes("value", value);
    return Buffer.from(value as string);
  },
  decode: (bytes) => Buffer.from(bytes),
  usable: () => true,
};

/** The call for which a factory returned a value. */
export interface FactoryCall<V, S extends V> {
  readonly form: ValueForm<V, S>;
  readonly context: FactoryContext<S>;
  /** The stale value in the context, in a buffer that only this call uses. Null if there is none. */
  readonly stale: Buffer | null;
  readonly ttlOf: ((value: V) => number | undefined) | null;
  /** The tags of the call, which are valid. */
  readonly tags: readonly Bytes[];
}

/**
 * Encodes the value that a factory returned, and computes its TTL and its tags (GOC-14, GOC-18 to GOC-21).
 * @throws The exceptions of the codec and of `ttlOf`, or an error if the TTL or the tags are invalid.
 */
export function factoryValue<V, S extends V>(
  value: V,
  { form, context, stale, ttlOf, tags }: FactoryCall<V, S>,
): FactoryValue {
  const isKept = stale !== null && context.isNotModified;
  const bytes = isKept ? stale : form.encode(value);
  if (context.doNotStore) return { bytes, ttlMs: null, tags, isStored: false };
  const ttlMs = context.ttlMs ?? ttlOf?.(isKept ? context.staleValue : value);
  const invalid = ttlMs === undefined ? null : checkTtl(ttlMs);
  if (invalid !== null) throw invalid.error;
  const all = allTags(tags, context.tags);
  return { bytes, ttlMs: ttlMs === undefined ? null : wholeTtl(ttlMs), tags: all, isStored: true };
}

function allTags(ofCall: readonly Bytes[], ofContext: Iterable<Bytes>): readonly Bytes[] {
  const added = tagsOf(ofContext);
  if (added.length === 0) return ofCall;
  const all = [...ofCall, ...added];
  const invalid = checkTags(all);
  if (invalid !== null) throw invalid.error;
  return all.map(copyBytes);
}
