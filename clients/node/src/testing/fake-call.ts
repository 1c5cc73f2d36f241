import { Buffer } from "node:buffer";
import type { FakeCache } from "./fake-cache.js";
import { elementOverhead, requireAnswerSize } from "./limits.js";
import { field, type Message, numberField } from "./message.js";

/** What a call on a cache does: a request's message to its answer's. Throws a `Refusal`, and has then changed nothing. */
export type FakeCall = (cache: FakeCache, request: Message) => Buffer;

export const emptyAnswer = Buffer.alloc(0);

/** The two outcomes that most answers have. */
export function foundAnswer(content: readonly Buffer[] = []): Buffer {
  return field(1, Buffer.concat(content));
}
export const missingAnswer = field(2);

export function lengthAnswer(length: number): Buffer {
  return foundAnswer([numberField(1, length)]);
}

/** An answer with elements; `remedy`: the call for a part of them, where they are too large. */
export function elementsAnswer(elements: readonly Buffer[], remedy: string): Buffer {
  requireAnswerSize(
    elements.map(({ length }) => length),
    elementOverhead,
    remedy,
  );
  return foundAnswer(elements.map((element) => field(1, element)));
}

/** A part of an answer for one of several that were asked for. `CacheResult`: a hit or a miss. */
export function partOf(value: Buffer | null): Buffer {
  return value === null ? numberField(1, 3) : Buffer.concat([numberField(1, 2), value]);
}
