import { Buffer } from "node:buffer";
import { types } from "node:util";
import { checkedLimits, type DecodeLimits, refuse } from "./decode-limits.js";
import { jsonExcess } from "./json-outline.js";

/**
 * How the values of a typed cache become bytes, and bytes values. Null is no codec's: a typed cache stores it by itself.
 * `encode` throws for what it cannot write, `decode` for what it cannot read, whatever the bytes.
 */
export interface Codec<T> {
  /**
   * What is in the bytes, so that nothing else is read as it: 128 … 255 for a codec of your own. 1 is bytes, 2 UTF-8 text,
   * 3 JSON, 4 MessagePack (CODEC-2).
   */
  readonly content: number;
  encode(value: T): Uint8Array;
  decode(bytes: Uint8Array): T | null;
}

/** Bytes as they are. */
export const bytesCodec: Codec<Uint8Array> = {
  content: 1,
  encode(value) {
    if (!types.isUint8Array(value)) throw new TypeError("the value must be a Uint8Array");
    return value;
  },
  decode: (bytes) => bytes,
};

/** Text, as UTF-8. */
export const textCodec: Codec<string> = {
  content: 2,
  encode(value) {
    if (typeof value !== "string") throw new TypeError("the value must be a string");
    // Half of a surrogate pair would be stored as U+FFFD. In every Node since 20, not yet in its types.
    if (!(value as string & { isWellFormed(): boolean }).isWellFormed())
      throw new TypeError("the value is no well-formed Unicode text");
    return Buffer.from(value);
  },
  decode: textOf,
};

/** Whether what was parsed is a `T`: false, or throwing, says that it is none. */
export type JsonCheck<T> = ((value: unknown) => value is T) | ((value: unknown) => unknown);

/**
 * JSON, as `JSON.stringify` writes it and `JSON.parse` reads it: a Date becomes a text, and what it leaves out is gone.
 * `check` looks at what was parsed, and can narrow its type; without it nothing looks at the shape. Null is not checked.
 * `limits` are checked before a value is parsed: more than that is a decoding error, and an EnvelopeError when it is to be
 * stored.
 */
export function jsonCodec<T = unknown>(check?: JsonCheck<T>, limits?: DecodeLimits): Codec<T> {
  if (check !== undefined && typeof check !== "function") throw new TypeError("the check must be a function");
  const most = checkedLimits(limits);
  return {
    content: 3,
    encode(value) {
      const text = JSON.stringify(value) as string | undefined;
      if (text === undefined) throw new TypeError("the value cannot be written as JSON");
      const bytes = Buffer.from(text);
      refuse(jsonExcess(bytes, most));
      return bytes;
    },
    decode(bytes) {
      refuse(jsonExcess(bytes, most));
      const value: unknown = JSON.parse(textOf(bytes));
      if (value !== null && check?.(value) === false) throw new TypeError("the check refused it");
      return value as T | null;
    },
  };
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

// Throws for what is no UTF-8.
function textOf(bytes: Uint8Array): string {
  return utf8.decode(bytes);
}
