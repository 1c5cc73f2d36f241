import { requireKnownNames } from "../client/validation.js";
import { EnvelopeError } from "./envelope.js";

/** Limits of the values that a codec reads and writes, checked on the bytes before any object is created (CODEC-10). */
export interface DecodeLimits {
  /**
   * The largest number of elements of one value: the value itself, each item of an array, and each key and each value of
   * an object. 1 … 2,147,483,647.
   *
   * @defaultValue 1,000,000
   */
  readonly maxElements?: number | undefined;
  /**
   * The largest number of nested arrays and objects. 1 … 1,024.
   *
   * @defaultValue 512
   */
  readonly maxDepth?: number | undefined;
}

// An empty object takes 56 bytes, and its place in an array 8: 1,000,000 of them stay below 100 MB. An item (5,000,192
// bytes, LIM-1) could hold five times as many.
const defaultMaxElements = 1_000_000;
const largestMaxElements = 2_147_483_647;
// What the other languages' libraries write and read: 511 and 1,024 levels at most.
const defaultMaxDepth = 512;
const largestMaxDepth = 1_024;

/** Limits with their defaults filled in. */
export interface CheckedLimits {
  readonly maxElements: number;
  readonly maxDepth: number;
}

export const defaultLimits: CheckedLimits = { maxElements: defaultMaxElements, maxDepth: defaultMaxDepth };

/** Fills in defaults. Throws a TypeError or a RangeError for invalid limits. */
export function checkedLimits(limits: DecodeLimits = {}): CheckedLimits {
  requireKnownNames("limit", limits, Object.keys(defaultLimits));
  return {
    maxElements: checked("maxElements", limits.maxElements ?? defaultMaxElements, largestMaxElements),
    maxDepth: checked("maxDepth", limits.maxDepth ?? defaultMaxDepth, largestMaxDepth),
  };
}

/** Throws where a value has a fault: while reading an EnvelopeError, whose text is given to the caller. */
export function refuse(fault: string | null): void {
  if (fault !== null) throw new EnvelopeError(fault);
}

export function tooManyElements({ maxElements }: CheckedLimits): string {
  return `it has more than ${maxElements} elements (maxElements)`;
}

export function tooDeep({ maxDepth }: CheckedLimits): string {
  return `it is nested more than ${maxDepth} levels deep (maxDepth)`;
}

function checked(name: string, given: number, most: number): number {
  if (typeof given !== "number") throw new TypeError(`${name} must be a number`);
  if (!(Number.isInteger(given) && given >= 1 && given <= most))
    throw new RangeError(`${name} must be a whole number from 1 to ${most}, not ${given}`);
  return given;
}
