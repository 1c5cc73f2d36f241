import { Buffer } from "node:buffer";
import { checkTtl, requireBytes, wholeTtl } from "../client/validation.js";
import type { Bytes } from "../operations/proto-writer.js";

/** The encoded value of a factory. */
export interface FactoryValue {
  /** The encoded value. The buffer is not shared. */
  readonly bytes: Buffer;
  /** The TTL that `ttlOf` returned, in whole milliseconds; null for the call's TTL. */
  readonly ttlMs: number | null;
}

/** How values are stored: as bytes, or encoded by a codec. */
export interface ValueForm<V> {
  /** Distinguishes loads of this form from loads of the same key in another form. */
  readonly flight: string;
  /**
   * Encodes a value into a buffer of its own.
   * @throws If the value is invalid.
   */
  encode(value: V): Buffer;
  /** Returns whether stored bytes can be decoded. Bytes that cannot be decoded count as a miss. */
  usable(bytes: Buffer): boolean;
}

/** The form of values that are text or bytes, stored unchanged. */
export const plainForm: ValueForm<Bytes> = {
  flight: "",
  encode(value) {
    requireBytes("value", value);
    return Buffer.from(value as string);
  },
  usable: () => true,
};

/**
 * Encodes the value of a factory (GOC-14).
 * @throws What the codec or `ttlOf` throws, or an error if the TTL is invalid.
 */
export function factoryValue<V>(
  value: V,
  form: ValueForm<V>,
  ttlOf: ((value: V) => number | undefined) | null,
): FactoryValue {
  const bytes = form.encode(value);
  const ttlMs = ttlOf?.(value);
  if (ttlMs === undefined) return { bytes, ttlMs: null };
  const invalid = checkTtl(ttlMs);
  if (invalid !== null) throw invalid.error;
  return { bytes, ttlMs: wholeTtl(ttlMs) };
}
