import { Buffer } from "node:buffer";
import { checkText, checkTtl, refusal, requireBytes, wholeTtl } from "../client/validation.js";
import { maxValidatorBytes } from "../operations/lease-operations.js";
import { type Bytes, byteLength, copyBytes } from "../operations/proto-writer.js";
import { checkTags, tagsOf } from "../operations/tag-list.js";
import type { FactoryContext, KnownStale } from "./factory-context.js";

/** The encoded value that a factory returned, and how to store it. */
export interface FactoryValue {
  /** The encoded value. No other object uses the buffer. */
  readonly bytes: Buffer;
  /** The TTL of the context or of `ttlOf`, in whole milliseconds. Null if the value has the call's TTL. */
  readonly ttlMs: number | null;
  /** The tags of the call and of the context. */
  readonly tags: readonly Bytes[];
  /** The ETag of the context. Empty if there is none. */
  readonly validator: Bytes;
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
  /** The stale value in the context. Null if there is none. */
  readonly stale: KnownStale | null;
  readonly ttlOf: ((value: V) => number | undefined) | null;
  /** The tags of the call, which are valid. */
  readonly tags: readonly Bytes[];
}

/**
 * Encodes the value that a factory returned, and computes its TTL, its tags and its ETag (GOC-14, GOC-18 to GOC-22).
 * @throws The exceptions of the codec and of `ttlOf`, or an error if the TTL, the tags or the ETag are invalid.
 */
export function factoryValue<V, S extends V>(
  value: V,
  { form, context, stale, ttlOf, tags }: FactoryCall<V, S>,
): FactoryValue {
  const isKept = stale !== null && context.isNotModified;
  const bytes = isKept ? stale.value : form.encode(value);
  if (context.doNotStore) return { bytes, ttlMs: null, tags, validator: "", isStored: false };
  const ttlMs = context.ttlMs ?? ttlOf?.(isKept ? form.decode(stale.value) : value);
  const invalid = ttlMs === undefined ? null : checkTtl(ttlMs);
  if (invalid !== null) throw invalid.error;
  const all = allTags(tags, context.tags);
  const validator =
    (context.etag ?? undefined) === undefined ? (isKept ? stale.validator : "") : checkedEtag(context.etag as string);
  return { bytes, ttlMs: ttlMs === undefined ? null : wholeTtl(ttlMs), tags: all, validator, isStored: true };
}

function checkedEtag(etag: string): string {
  if (typeof etag !== "string") throw new TypeError("the etag must be a string");
  const tooLong = byteLength(etag) > maxValidatorBytes;
  const invalid = tooLong ? refusal(`the etag must have at most ${maxValidatorBytes} bytes`) : checkText("etag", etag);
  if (invalid !== null) throw invalid.error;
  return etag;
}

function allTags(ofCall: readonly Bytes[], ofContext: Iterable<Bytes>): readonly Bytes[] {
  const added = tagsOf(ofContext);
  if (added.length === 0) return ofCall;
  const all = [...ofCall, ...added];
  const invalid = checkTags(all);
  if (invalid !== null) throw invalid.error;
  return all.map(copyBytes);
}
