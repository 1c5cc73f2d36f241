import { types } from "node:util";
import type { ErrorResponse } from "../client/responses.js";
import { checkText, refusal } from "../client/validation.js";
import { type Bytes, byteLength } from "./proto-writer.js";

export const maxTags = 128;
export const maxTagBytes = 1_024;

/**
 * Copies the tags into an array. Stops after one tag more than the maximum, because `checkTags` then rejects the tags.
 * @throws TypeError if the argument is not an iterable of tags.
 */
export function tagsOf(tags: Iterable<Bytes>): readonly Bytes[] {
  if (typeof tags !== "object" || tags === null || types.isUint8Array(tags) || !(Symbol.iterator in tags))
    throw new TypeError("the tags must be an array or another iterable of strings or Uint8Arrays");
  const read: Bytes[] = [];
  for (const tag of tags) {
    read.push(tag);
    if (read.length > maxTags) break;
  }
  return read;
}

/**
 * Returns the error if the tags are invalid. Returns null if they are valid (TAG-4).
 * @throws TypeError if a tag is neither a string nor bytes.
 */
export function checkTags(tags: readonly Bytes[]): ErrorResponse | null {
  if (tags.length === 0 || tags.length > maxTags) return refusal(`the number of tags must be from 1 to ${maxTags}`);
  for (const tag of tags) {
    const wrong = checkText("tag", tag);
    if (wrong !== null) return wrong;
    const bytes = byteLength(tag);
    if (bytes === 0 || bytes > maxTagBytes) return refusal(`a tag must have 1 to ${maxTagBytes} bytes`);
  }
  return null;
}
