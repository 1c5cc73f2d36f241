import { Buffer } from "node:buffer";
import { types } from "node:util";
import { checkedLimits, type DecodeLimits, refuse } from "./decode-limits.js";
import { exceededJsonLimit } from "./json-limits.js";

/**
 * Encodes and decodes the values of a typed cache. The typed cache stores null itself, without the codec. `encode`
 * throws if the value cannot be encoded. `decode` throws if the bytes cannot be decoded.
 */
export interface Codec<T> {
  /**
   * The numeric code of the format: 1 for bytes, 2 for UTF-8 text, 3 for JSON, 4 for MessagePack, 128 … 255 for your
   * own codecs (CODEC-2). The code is stored with each value and checked when the value is read.
   */
  readonly content: number;
  encode(value: T): Uint8Array;
  decode(bytes: Uint8Array): T | null;
}

/** The codec for bytes, which are stored unchanged. */
export const bytesCodec: Codec<Uint8Array> = {
  content: 1,
  encode(value) {
    if (!types.isUint8Array(value)) throw new TypeError("the value must be a Uint8Array");
    return value;
  },
  decode: (bytes) => bytes,
};

/** The codec for UTF-8 text. */
export const textCodec: Codec<string> = {
  content: 2,
  encode(value) {
    if (typeof value !== "string") throw new TypeError("the value must be a string");
    // Half of a surrogate pair would be stored as U+FFFD. `isWellFormed` is available in every Node.js since version
    // 20, but not yet declared in its types.
    if (!(value as string & { isWellFormed(): boolean }).isWellFormed())
      throw new TypeError("the value is not well-formed Unicode");
    return Buffer.from(value);
  },
  decode: textOf,
};

/** Checks whether a parsed value is a `T`. The value is rejected if the check returns false or throws. */
export type JsonCheck<T> = ((value: unknown) => value is T) | ((value: unknown) => unknown);

/**
 * Returns a codec that uses `JSON.stringify` and `JSON.parse`. A Date is read as text, and properties that JSON omits
 * are lost.
 * @param check - Validates a parsed value and can narrow its type. Null is not checked. By default values are not
 * checked.
 * @param limits - Limits on the number of elements and of nesting levels. The defaults are 1,000,000 elements and 512
 * levels. If a value exceeds a limit, storing it throws, and reading it returns a decoding error. The limits are
 * checked before the value is parsed.
 */
export function jsonCodec<T = unknown>(check?: JsonCheck<T>, limits?: DecodeLimits): Codec<T> {
  if (check !== undefined && typeof check !== "function") throw new TypeError("the check must be a function");
  const most = checkedLimits(limits);
  return {
    content: 3,
    encode(value) {
      const text = JSON.stringify(value) as string | undefined;
      if (text === undefined)
        throw new TypeError("the value cannot be encoded as JSON: JSON.stringify returned undefined");
      const bytes = Buffer.from(text);
      refuse(exceededJsonLimit(bytes, most));
      return bytes;
    },
    decode(bytes) {
      refuse(exceededJsonLimit(bytes, most));
      const value: unknown = JSON.parse(textOf(bytes));
      if (value !== null && check?.(value) === false) throw new TypeError("the check rejected the value");
      return value as T | null;
    },
  };
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

// Decodes UTF-8. Throws if the bytes are not valid UTF-8.
function textOf(bytes: Uint8Array): string {
  return utf8.decode(bytes);
}
