import { type CheckedLimits, tooDeep, tooManyElements } from "./decode-limits.js";

const notWhole = "it is not one whole MessagePack value";

// What follows the first byte, for those from C4 on: bytes of the length that stands there (`sized`), or that many bytes.
const sized: Readonly<Record<number, readonly [lengthBytes: number, more: number]>> = {
  // Binary, extensions (whose type is one byte more), and text.
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
// Floats, integers, and extensions of a fixed length with their type: CA to D8.
const fixed: readonly number[] = [4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 2, 3, 5, 9, 17];
// Arrays and maps: the bytes of their length, and the values that an element is.
const nested: Readonly<Record<number, readonly [lengthBytes: number, each: number]>> = {
  220: [2, 1],
  221: [4, 1],
  222: [2, 2],
  223: [4, 2],
};

/** One value's first byte and what stands after it. */
interface Head {
  /** Bytes of the value's own, the first included; NaN where they are cut short. */
  readonly ownBytes: number;
  /** Values in it; -1 where it is no array and no map. */
  readonly values: number;
}

/**
 * Why bytes are not decoded, or null: they are not one value with nothing after it, or exceed a limit. No length in it is
 * more than what is left can hold, all of them together. A decoder that trusts each by itself makes room for arrays in
 * arrays of as many elements as there are bytes: their square.
 */
export function messagePackFault(bytes: Uint8Array, limits: CheckedLimits): string | null {
  const { length } = bytes;
  // Values to come, of all arrays and maps that are open, and of each.
  let owed = 1;
  const open: number[] = [];
  let elements = 1;
  let position = 0;
  while (owed > 0) {
    // Each takes a byte at least.
    if (owed > length - position) return notWhole;
    const { ownBytes, values } = headAt(bytes, position);
    position += ownBytes;
    if (!(position <= length)) return notWhole;
    owed--;
    if (open.length > 0) open[open.length - 1]!--;
    if (values >= 0) {
      // Each of its values is an element, whether it comes or not.
      owed += values;
      elements += values;
      if (elements > limits.maxElements) return tooManyElements(limits);
      if (open.push(values) > limits.maxDepth) return tooDeep(limits);
    }
    while (open.at(-1) === 0) open.pop();
  }
  return position === length ? null : notWhole;
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

// Big-endian; NaN past the end.
function numberAt(bytes: Uint8Array, position: number, length: number): number {
  let number = 0;
  for (let i = 0; i < length; i++) number = number * 256 + (bytes[position + i] ?? Number.NaN);
  return number;
}
