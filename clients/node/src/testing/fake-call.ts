import { Buffer } from "node:buffer";
import type { FakeCache } from "./fake-cache.js";
import { elementOverhead, requireAnswerSize } from "./limits.js";
import { field, type Message, numberField } from "./message.js";

/**
 * Runs a call on a cache. It takes the request message and returns the response message. If it throws a
 * `CallRejection`, it has changed nothing.
 */
export type FakeCall = (cache: FakeCache, request: Message) => Buffer;

export const emptyAnswer = Buffer.alloc(0);

/** Encodes a response with the outcome "found" and this content. For the outcome "missing", use `missingAnswer`. */
export function foundAnswer(content: readonly Buffer[] = []): Buffer {
  return field(1, Buffer.concat(content));
}
export const missingAnswer = field(2);

export function lengthAnswer(length: number): Buffer {
  return foundAnswer([numberField(1, length)]);
}

/**
 * Returns a response with elements. Throws if they are too large for one response.
 * @param remedy - What the error message suggests if the elements are too large, for example "a shorter slice".
 */
export function elementsAnswer(elements: readonly Buffer[], remedy: string): Buffer {
  requireAnswerSize(
    elements.map(({ length }) => length),
    elementOverhead,
    remedy,
  );
  return foundAnswer(elements.map((element) => field(1, element)));
}

/**
 * Encodes the part of a response for one of several requested elements. The part contains a `CacheResult` (a hit or a
 * miss) and, for a hit, the value.
 */
export function partOf(value: Buffer | null): Buffer {
  return value === null ? numberField(1, 3) : Buffer.concat([numberField(1, 2), value]);
}
