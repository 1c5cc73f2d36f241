import { requireKnownNames } from "../client/validation.js";
import { EnvelopeError } from "./envelope.js";

/**
 * Limits of the values that a codec reads and writes. They are checked on the bytes before any object is created
 * (CODEC-10).
 */
export interface DecodeLimits {
  /**
   * The maximum number of elements of one value. The value itself, each array item, and each key and each value of an
   * object count as elements. 1 … 2,147,483,647.
   * @defaultValue 1,000,000
   */
  readonly maxElements?: number | undefined;
  /**
   * The maximum nesting depth of arrays and objects. 1 … 1,024.
   * @defaultValue 512
   */
  readonly maxDepth?: number | undefined;
}

// An empty object takes 56 bytes, and its array slot takes 8 bytes. 1,000,000 of them take less than 100 MB. An item of
// maximum size (5,000,192 bytes, LIM-1) could contain five times as many.
const defaultMaxElements = 1_000_000;
const largestMaxElements = 2_147_483_647;
// The libraries of the other languages allow at most 511 levels when writing and 1,024 levels when reading.
const defaultMaxDepth = 512;
const largestMaxDepth = 1_024;

/** The limits with defaults applied. */
export interface CheckedLimits {
  readonly maxElements: number;
  readonly maxDepth: number;
}

export const defaultLimits: CheckedLimits = { maxElements: defaultMaxElements, maxDepth: defaultMaxDepth };

/**
 * Returns the limits with defaults applied.
 * @throws TypeError or RangeError for invalid limits.
 */
export function checkedLimits(limits: DecodeLimits = {}): CheckedLimits {
  requireKnownNames("limit", limits, Object.keys(defaultLimits));
  return {
    maxElements: checked("maxElements", limits.maxElements ?? defaultMaxElements, largestMaxElements),
    maxDepth: checked("maxDepth", limits.maxDepth ?? defaultMaxDepth, largestMaxDepth),
  };
}

/**
 * Throws an EnvelopeError with the message `fault`. Does nothing if `fault` is null. When a value is read, the error
 * that the caller gets contains this message.
 */
export function refuse(fault: string | null): void {
  if (fault !== null) throw new EnvelopeError(fault);
}

export function tooManyElements({ maxElements }: CheckedLimits): string {
  return `the value has more than ${maxElements} elements (maxElements)`;
}

export function tooDeep({ maxDepth }: CheckedLimits): string {
  return `the value is nested more than ${maxDepth} levels deep (maxDepth)`;
}

function checked(name: string, given: number, most: number): number {
  if (typeof given !== "number") throw new TypeError(`${name} must be a number`);
  if (!(Number.isInteger(given) && given >= 1 && given <= most))
    throw new RangeError(`${name} must be an integer from 1 to ${most}, not ${given}`);
  return given;
}
