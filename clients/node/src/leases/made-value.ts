import { Buffer } from "node:buffer";
import { checkTtl, requireBytes, wholeTtl } from "../client/validation.js";
import type { Bytes } from "../operations/proto-writer.js";

/** What a factory made, as it is stored. */
export interface MadeValue {
  /** In memory of its own. */
  readonly bytes: Buffer;
  /** The whole time to live that the value asks for, in whole milliseconds; null: that of the call. */
  readonly ttlMs: number | null;
}

/** How values stand in a cache: as they are, or by a codec. */
export interface ValueForm<V> {
  /** What sets the loads of this form apart from another's of the same key. */
  readonly flight: string;
  /** A value's bytes, in memory of their own. Throws for what is none. */
  encode(value: V): Buffer;
  /** Whether what is stored can be read; what cannot is a miss. */
  usable(bytes: Buffer): boolean;
}

/** Values that are bytes, stored as they are. */
export const plainForm: ValueForm<Bytes> = {
  flight: "",
  encode(value) {
    requireBytes("value", value);
    return Buffer.from(value as string);
  },
  usable: () => true,
};

/** What a factory gave, as it is stored (GOC-14). Throws what the codec or `ttlOf` does, and for a time that is none. */
export function madeValue<V>(
  value: V,
  form: ValueForm<V>,
  ttlOf: ((value: V) => number | undefined) | null,
): MadeValue {
  const bytes = form.encode(value);
  const ttlMs = ttlOf?.(value);
  if (ttlMs === undefined) return { bytes, ttlMs: null };
  const invalid = checkTtl(ttlMs);
  if (invalid !== null) throw invalid.error;
  return { bytes, ttlMs: wholeTtl(ttlMs) };
}
