import { Buffer } from "node:buffer";
import type { FakeCache } from "./fake-cache.js";
import { elementOverhead, requireAnswerSize } from "./limits.js";
import { field, type Message, numberField } from "./message.js";

/**
 * Runs a call on a cache: takes the request message and returns the response message. If it throws a `CallRejection`,
 * nothing was changed.
 */
export type FakeCall = (cache: FakeCache, request: Message) => Buffer;

export const emptyAnswer = Buffer.alloc(0);

/** The two outcomes of most responses. */
export function foundAnswer(content: readonly Buffer[] = []): Buffer {
  return field(1, Buffer.concat(content));
}
export const missingAnswer = field(2);

export function lengthAnswer(length: number): Buffer {
  return foundAnswer([numberField(1, length)]);
}

/**
 * Returns a response with elements.
 * @param remedy - The call that returns a part of them, for the error message if they are too large.
 */
export function elementsAnswer(elements: readonly Buffer[], remedy: string): Buffer {
  requireAnswerSize(
    elements.map(({ length }) => length),
    elementOverhead,
    remedy,
  );
  return foundAnswer(elements.map((element) => field(1, element)));
}

/** Returns the part of a response for one of several requested elements. `CacheResult`: a hit or a miss. */
export function partOf(value: Buffer | null): Buffer {
  return value === null ? numberField(1, 3) : Buffer.concat([numberField(1, 2), value]);
}
