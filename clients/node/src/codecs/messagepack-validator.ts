import { type CheckedLimits, tooDeep, tooManyElements } from "./decode-limits.js";

const truncatedMessage = "the value is not valid MessagePack";

// The layout after the first byte of a value, for the types from C4 on. A value of a type in `sized` has a length field
// and that many bytes. A value of a type in `fixed` has a fixed number of bytes.
const sized: Readonly<Record<number, readonly [lengthBytes: number, more: number]>> = {
  // Binary values, extensions and strings. Each entry contains the size of the length field and the number of
  // additional bytes. An extension has one additional byte for its type.
  196: [1, 0],
  197: [2, 0],
  198: [4, 0],
  199: [1, 1],
  200: [2, 1],
  201: [4, 1],
  217: [1, 0],
  218: [2, 0],
  219: [4, 0],
};
// The types CA to D8, which are floats, integers, and extensions of fixed length. An extension includes its type byte.
const fixed: readonly number[] = [4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 2, 3, 5, 9, 17];
// Arrays and maps. Each entry contains the size of the length field and the number of nested values per element.
const nested: Readonly<Record<number, readonly [lengthBytes: number, each: number]>> = {
  220: [2, 1],
  221: [4, 1],
  222: [2, 2],
  223: [4, 2],
};

/** The header of one value. */
interface Head {
  /** The value's own size in bytes. It includes the first byte but not nested values. NaN if the value is truncated. */
  readonly ownBytes: number;
  /** Number of nested values. -1 if the value is neither an array nor a map. */
  readonly values: number;
}

/**
 * Returns why the bytes must not be decoded, or null if they may be decoded. The bytes must be exactly one value within
 * the limits. The declared lengths of all nested values together must fit in the remaining bytes. If each length were
 * checked separately, nested arrays could each declare as many elements as there are bytes, and the decoder would
 * allocate quadratic memory.
 */
export function messagePackError(bytes: Uint8Array, limits: CheckedLimits): string | null {
  const { length } = bytes;
  // `owed` is the number of values that must still follow. `open` contains this number for each open array or map.
  let owed = 1;
  const open: number[] = [];
  let elements = 1;
  let position = 0;
  while (owed > 0) {
    // Every value takes at least one byte, so there are too few bytes.
    if (owed > length - position) return truncatedMessage;
    const { ownBytes, values } = headAt(bytes, position);
    position += ownBytes;
    if (!(position <= length)) return truncatedMessage;
    owed--;
    if (open.length > 0) open[open.length - 1]!--;
    if (values >= 0) {
      // Count every declared value as an element, even if the bytes end before it.
      owed += values;
      elements += values;
      if (elements > limits.maxElements) return tooManyElements(limits);
      if (open.push(values) > limits.maxDepth) return tooDeep(limits);
    }
    while (open.at(-1) === 0) open.pop();
  }
  return position === length ? null : truncatedMessage;
}

function headAt(bytes: Uint8Array, position: number): Head {
  const head = bytes[position]!;
  if (head <= 0x7f || head >= 0xe0) return { ownBytes: 1, values: -1 };
  if (head <= 0x8f) return { ownBytes: 1, values: (head & 0x0f) * 2 };
  if (head <= 0x9f) return { ownBytes: 1, values: head & 0x0f };
  if (head <= 0xbf) return { ownBytes: 1 + (head & 0x1f), values: -1 };
  if (head <= 0xc3) return { ownBytes: head === 0xc1 ? Number.NaN : 1, values: -1 };
  const size = sized[head];
  if (size !== undefined) {
    const [lengthBytes, more] = size;
    return { ownBytes: 1 + lengthBytes + numberAt(bytes, position + 1, lengthBytes) + more, values: -1 };
  }
  const list = nested[head];
  if (list === undefined) return { ownBytes: 1 + fixed[head - 0xca]!, values: -1 };
  const [lengthBytes, each] = list;
  const count = numberAt(bytes, position + 1, lengthBytes);
  return { ownBytes: Number.isNaN(count) ? count : 1 + lengthBytes, values: count * each };
}

// Reads a big-endian integer. Returns NaN if it does not fit in the bytes.
function numberAt(bytes: Uint8Array, position: number, length: number): number {
  let number = 0;
  for (let i = 0; i < length; i++) number = number * 256 + (bytes[position + i] ?? Number.NaN);
  return number;
}
