import { Buffer } from "node:buffer";
import { CacheError } from "../client/errors.js";
import { type CheckedLimits, defaultLimits, tooDeep, tooManyElements } from "./decode-limits.js";

const quote = 0x22;
const backslash = 0x5c;
const arrayStart = 0x5b;
const arrayEnd = 0x5d;
const objectStart = 0x7b;
const objectEnd = 0x7d;
const colon = 0x3a;
const comma = 0x2c;
const space = 0x20;

/**
 * Returns an error message if JSON exceeds a limit, otherwise null. An element is counted when it begins, so the count
 * is exact for any prefix of valid JSON. Invalid JSON may pass, because the parser rejects it later.
 */
export function exceededJsonLimit(bytes: Uint8Array, limits: CheckedLimits = defaultLimits): string | null {
  const { maxElements, maxDepth } = limits;
  const { length } = bytes;
  // n bytes of JSON contain at most (n + 1) / 2 elements and at most n nesting levels, even if the JSON is truncated.
  // Short JSON therefore cannot exceed a limit.
  if (length <= maxDepth && length < 2 * maxElements) return null;
  let elements = 0;
  let depth = 0;
  let isInScalar = false;
  for (let i = 0; i < length; i++) {
    const byte = bytes[i]!;
    // Skip white space and separators.
    if (byte <= space || byte === comma || byte === colon) {
      isInScalar = false;
      continue;
    }
    if (byte === arrayEnd || byte === objectEnd) {
      depth--;
      isInScalar = false;
      continue;
    }
    if (byte === quote) {
      i = stringEnd(bytes, i);
      isInScalar = false;
    } else if (byte === arrayStart || byte === objectStart) {
      if (++depth > maxDepth) return tooDeep(limits);
      isInScalar = false;
    } else if (isInScalar) continue;
    else isInScalar = true;
    if (++elements > maxElements) return tooManyElements(limits);
  }
  return null;
}

/**
 * Parses JSON within the default limits.
 * @throws Error if the JSON is invalid or exceeds a limit.
 */
export function parseLimitedJson(bytes: Uint8Array): unknown {
  const excess = exceededJsonLimit(bytes);
  if (excess !== null) throw new RangeError(excess);
  return JSON.parse(utf8.decode(bytes));
}

/**
 * Writes JSON that `parseLimitedJson` can read.
 * @throws CacheError, `LimitExceeded`, if a limit is exceeded.
 */
export function serializeLimitedJson(value: unknown): Buffer {
  const bytes = Buffer.from(JSON.stringify(value));
  const excess = exceededJsonLimit(bytes);
  if (excess !== null)
    throw new CacheError("LimitExceeded", `the value cannot be stored, because decoding it would fail: ${excess}`);
  return bytes;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

// Returns the position of the quote that closes the string beginning at `start`. If there is none, returns the length
// of the bytes.
function stringEnd(bytes: Uint8Array, start: number): number {
  const { length } = bytes;
  for (let i = start + 1; i < length; i++) {
    const byte = bytes[i];
    if (byte === quote) return i;
    if (byte === backslash) i++;
  }
  return length;
}
