import { Buffer } from "node:buffer";
import { checkTtl, requireBytes, wholeTtl } from "../client/validation.js";
import type { Bytes } from "../operations/proto-writer.js";

/** The value of a factory, as it is stored. */
export interface FactoryValue {
  /** The encoded value, in memory of its own. */
  readonly bytes: Buffer;
  /** The time to live that `ttlOf` returned, in whole milliseconds; null: the call's. */
  readonly ttlMs: number | null;
}

/** How values are stored: as bytes, or encoded by a codec. */
export interface ValueForm<V> {
  /** Distinguishes loads of this form from loads of the same key in another form. */
  readonly flight: string;
  /** Encodes a value, into memory of its own. Throws if the value is invalid. */
  encode(value: V): Buffer;
  /** Returns whether stored bytes can be decoded; bytes that cannot are a miss. */
  usable(bytes: Buffer): boolean;
}

/** Values that are text or bytes, stored unchanged. */
export const plainForm: ValueForm<Bytes> = {
  flight: "",
  encode(value) {
    requireBytes("value", value);
    return Buffer.from(value as string);
  },
  usable: () => true,
};

/** Encodes the value of a factory (GOC-14). Throws the exception of the codec or `ttlOf`, and if the time is invalid. */
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
