import { Buffer, isUtf8 } from "node:buffer";
import { toBuffer } from "../client/validation.js";
import type { Bytes } from "../operations/proto-writer.js";

// Half of a surrogate pair: no text that may be a key begins with it.
const bytesMark = "\ud800";

/** A key as text, one for each: bytes that are UTF-8 are the text that they say, others are marked. */
export function nearKeyOf(key: Bytes): string {
  if (typeof key === "string") return key;
  const bytes = toBuffer(key);
  return isUtf8(bytes) ? bytes.toString() : bytesMark + bytes.toString("latin1");
}

// Shorter text that is cut out of other text is copied by V8 itself.
const cutLength = 13;

/** A key that `nearKeyOf` made, in memory of its own: text that was cut out of a longer one would keep all of that. */
export function ownKeyOf(key: string): string {
  return key.length < cutLength || key.startsWith(bytesMark) ? key : Buffer.from(key).toString();
}
