/**
 * A codec for MessagePack.
 *
 * @module larder-cache/messagepack
 */

import { decode, encode } from "@msgpack/msgpack";
import type { Codec, JsonCheck } from "./codec.js";
import { checkedLimits, type DecodeLimits, refuse } from "./decode-limits.js";
import { messagePackError } from "./messagepack-validator.js";

export type { DecodeLimits } from "./decode-limits.js";

/**
 * Returns a codec for MessagePack, based on `@msgpack/msgpack`. It supports the values of JSON, bytes (Uint8Array) and
 * Dates. Undefined is encoded as null. An integer over 2^53 is decoded as the nearest number. An object with the key
 * `__proto__` cannot be decoded.
 * @param check - See `jsonCodec`.
 * @param limits - See `jsonCodec`.
 */
export function messagePackCodec<T = unknown>(check?: JsonCheck<T>, limits?: DecodeLimits): Codec<T> {
  if (check !== undefined && typeof check !== "function") throw new TypeError("the check must be a function");
  const most = checkedLimits(limits);
  return {
    content: 4,
    encode(value) {
      // Without the option, the library's maximum depth is 100 levels.
      const bytes = encode(value, { maxDepth: most.maxDepth + 1 });
      refuse(messagePackError(bytes, most));
      return bytes;
    },
    decode(bytes) {
      refuse(messagePackError(bytes, most));
      const { length } = bytes;
      const value = decode(bytes, {
        maxStrLength: length,
        maxBinLength: length,
        maxArrayLength: length,
        maxMapLength: length,
        maxExtLength: length,
      });
      if (value !== null && check?.(value) === false) throw new TypeError("the check rejected the value");
      return value as T | null;
    },
  };
}
