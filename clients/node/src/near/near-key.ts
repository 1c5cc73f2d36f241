import { Buffer, isUtf8 } from "node:buffer";
import { toBuffer } from "../client/validation.js";
import type { Bytes } from "../operations/proto-writer.js";

// Half of a surrogate pair. No valid string key begins with it.
const bytesMark = "\ud800";

/** Returns a unique string for a key: the text if the bytes are UTF-8, otherwise a marked string. */
export function nearKeyOf(key: Bytes): string {
  if (typeof key === "string") return key;
  const bytes = toBuffer(key);
  return isUtf8(bytes) ? bytes.toString() : bytesMark + bytes.toString("latin1");
}

// V8 copies shorter substrings itself.
const cutLength = 13;

/** Returns a copy of a key of `nearKeyOf`. A substring would keep the longer string alive from which it was cut. */
export function copyKey(key: string): string {
  return key.length < cutLength || key.startsWith(bytesMark) ? key : Buffer.from(key).toString();
}
