import { Buffer, isUtf8 } from "node:buffer";
import { toBuffer } from "../client/validation.js";
import type { Bytes } from "../operations/proto-writer.js";

// The first half of a surrogate pair. No valid string key begins with it.
const bytesMark = "\ud800";

/**
 * Returns a string that identifies a key. If the key's bytes are UTF-8, the string is the text of these bytes.
 * Otherwise the string begins with `bytesMark`.
 */
export function nearKeyOf(key: Bytes): string {
  if (typeof key === "string") return key;
  const bytes = toBuffer(key);
  return isUtf8(bytes) ? bytes.toString() : bytesMark + bytes.toString("latin1");
}

// A substring that is shorter than this is copied by V8 itself.
const cutLength = 13;

/**
 * Returns a key without a reference to a longer string. `key` is a result of `nearKeyOf`. If `key` was cut from a
 * longer string, it would keep that whole string in memory.
 */
export function copyKey(key: string): string {
  return key.length < cutLength || key.startsWith(bytesMark) ? key : Buffer.from(key).toString();
}
