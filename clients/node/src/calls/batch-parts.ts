/**
 * The maximum size in bytes of a message that a server accepts (LIM-4). Larger batches are sent in parts (BATCH-9).
 */
export const maxMessageBytes = 11_010_048;

/**
 * Splits items, in order, into parts. The encoded items of a part have at most `maxMessageBytes`. An item that is
 * larger than this limit gets a part of its own.
 */
export function partsOf<I>(items: readonly I[], lengthOf: (item: I) => number): (readonly I[])[] {
  const parts: (readonly I[])[] = [];
  let start = 0;
  let bytes = 0;
  items.forEach((item, i) => {
    const length = lengthOf(item);
    if (i > start && bytes + length > maxMessageBytes) {
      parts.push(items.slice(start, i));
      start = i;
      bytes = 0;
    }
    bytes += length;
  });
  parts.push(items.slice(start));
  return parts;
}
