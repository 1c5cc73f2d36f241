import type { Buffer } from "node:buffer";
import { tooLarge } from "./call-rejection.js";
import type { Message } from "./message.js";

// LIM-1: maximum size of an item.
const maxItemBytes = 5_000_192;
/** Maximum size of an item in KiB, as `ListCaches` reports it (LIM-1). */
export const maxItemKiB = 4_883;
/** Maximum number of elements in one request (COLL-6), and in all source sets of a union together (ZSET-14). */
export const maxElements = 1_048_576;
// COLL-8: maximum size of a response.
const maxAnswerBytes = 11_009_024;

/** Maximum overhead of an element in a response, in addition to the element's own bytes (COLL-7). */
export const elementOverhead = 5;
export const fieldOverhead = 15;
export const scoreOverhead = 19;

/** Throws if the parts that a call stores exceed the maximum size of an item (LIM-2, COLL-5). */
export function requireItemSize(parts: readonly Buffer[]): void {
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  if (bytes > maxItemBytes) throw tooLarge(`the request has ${bytes} bytes; at most ${maxItemBytes} are allowed`);
}

/** Returns the elements in a request. Throws if their number or their total size exceeds the limit (COLL-5, COLL-6). */
export function elementsIn(request: Message, field: number): readonly Buffer[] {
  const elements = request.list(field);
  requireCount(elements.length);
  requireItemSize([request.bytes(1), ...elements]);
  return elements;
}

/** Throws if there are more elements than one request may have (COLL-6). */
export function requireCount(count: number): void {
  if (count > maxElements) throw tooLarge(`the request has ${count} elements; at most ${maxElements} are allowed`);
}

/** Throws if a response with these elements would be too large for one message (COLL-8). */
export function requireAnswerSize(lengths: Iterable<number>, overhead: number, remedy: string): void {
  let bytes = 0;
  for (const length of lengths) bytes += length + overhead;
  if (bytes > maxAnswerBytes)
    throw tooLarge(`the response would exceed ${maxAnswerBytes} bytes; use ${remedy} to request fewer elements`);
}
