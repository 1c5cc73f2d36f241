import { Buffer } from "node:buffer";
import { checkTtl, requireBytes, wholeTtl } from "../client/validation.js";
import type { Bytes } from "../operations/proto-writer.js";

/** The encoded value that a factory returned, with its TTL. */
export interface FactoryValue {
  /** The encoded value. No other object uses the buffer. */
  readonly bytes: Buffer;
  /** The TTL that `ttlOf` returned, in whole milliseconds. Null if the value has the call's TTL. */
  readonly ttlMs: number | null;
}

/** How values are stored: as bytes, or encoded by a codec. */
export interface ValueForm<V> {
  /** Prefix of the key in `SingleFlight`. Loads of one key in different forms are therefore not shared. */
  readonly flight: string;
  /**
   * Encodes a value into a buffer of its own.
   * @throws If the value is invalid.
   */
  encode(value: V): Buffer;
  /** Returns whether stored bytes can be decoded. If they cannot be decoded, the load treats them as a miss. */
  usable(bytes: Buffer): boolean;
}

/** The form of values that are text or bytes. They are stored unchanged. */
export const plainForm: ValueForm<Bytes> = {
  flight: "",
  encode(value) {
    requireBytes("value", value);
    return Buffer.from(value as string);
  },
  usable: () => true,
};

/**
 * Encodes the value that a factory returned and computes its TTL (GOC-14).
 * @throws The exceptions of the codec and of `ttlOf`, or an error if the TTL is invalid.
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
