import { decode, encode } from "@msgpack/msgpack";
import type { Codec, JsonCheck } from "./codec.js";
import { isMessagePackOutline } from "./messagepack-outline.js";

/**
 * MessagePack, by `@msgpack/msgpack`: as JSON, and bytes (Uint8Array) and Dates too. Undefined is written as null, and an
 * integer past 2^53 is read as the nearest number; an object with the key `__proto__` is not read. `check` is as that of
 * `jsonCodec`.
 */
export function messagePackCodec<T = unknown>(check?: JsonCheck<T>): Codec<T> {
  if (check !== undefined && typeof check !== "function") throw new TypeError("the check must be a function");
  return {
    content: 4,
    encode: (value) => encode(value),
    decode(bytes) {
      if (!isMessagePackOutline(bytes)) throw new RangeError("it is no MessagePack value, or has bytes left over");
      const { length } = bytes;
      const value = decode(bytes, {
        maxStrLength: length,
        maxBinLength: length,
        maxArrayLength: length,
        maxMapLength: length,
        maxExtLength: length,
      });
      if (value !== null && check?.(value) === false) throw new TypeError("the check refused it");
      return value as T | null;
    },
  };
}
