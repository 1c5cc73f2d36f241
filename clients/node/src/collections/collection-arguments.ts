import { types } from "node:util";
import type {
  DictionaryItems,
  ListRange,
  SortedSetAggregate,
  SortedSetElements,
  SortedSetOrder,
  SortedSetSources,
} from "../client/client-options.js";
import { CacheError } from "../client/errors.js";
import { hasBrand } from "../client/package-brand.js";
import { ErrorResponse } from "../client/responses.js";
import { checkText, refusal, requireBytes } from "../client/validation.js";
import { type Bytes, byteLength } from "../operations/proto-writer.js";
import { ScoreBound, scoreBoundBrand } from "./score-bound.js";

/** Maximum number of elements in one request (COLL-6). */
export const maxElements = 1_048_576;
// Maximum total size of one request's elements (COLL-5). It is the size of the largest message that a server accepts.
const maxElementsBytes = 11_010_048;
// The cause that a server reports for this error (LIM-2).
const tooLargeCause = "request_size_limit_exceeded";
const int32 = { min: -(2 ** 31), max: 2 ** 31 - 1 };
const maxUint32 = 2 ** 32 - 1;

/** A field of a dictionary and its value, as arguments of a request. */
export type Item = readonly [field: Bytes, value: Bytes];
/** An element of a sorted set and its score, as arguments of a request. */
export type ScoredElement = readonly [element: Bytes, score: number];
/** A source set of a union and its weight, as arguments of a request. */
export type Source = readonly [name: Bytes, weight: number];

/** The sort orders of a sorted set. The index of an order in this array is its numeric code in the protocol. */
export const sortedSetOrders: readonly SortedSetOrder[] = ["ascending", "descending"];
export const sortedSetAggregates: readonly SortedSetAggregate[] = ["sum", "min", "max"];

// Iterables are copied once, before the call. Exceptions of an iterable are therefore thrown to the caller, and changes
// that the caller makes after the copy are not sent. Reading stops after the first element over the limit, because an
// iterable may be endless.

/**
 * Copies an iterable of bytes or strings into an array.
 * @throws TypeError if the argument is not such an iterable. A string is rejected, although it is iterable.
 */
export function bytesOf(what: string, list: Iterable<Bytes>): readonly Bytes[] {
  requireList(what, list, "strings or Uint8Arrays");
  if (!(Symbol.iterator in list)) throw notIterable(what, "strings or Uint8Arrays");
  return ownList(list, (item) => ownBytes(`an item of the ${what}`, item));
}

/** Copies fields with their values into an array. */
export function dictionaryItemsOf(items: DictionaryItems): readonly Item[] {
  requireList("items", items, "[field, value], an object, or a Map");
  return ownList(entriesOf(items), (item) => {
    const [field, value] = pairOf("an item", item);
    return [ownBytes("field", field), ownBytes("value", value)];
  });
}

/** Copies elements with their scores into an array. */
export function scoredElementsOf(elements: SortedSetElements): readonly ScoredElement[] {
  requireList("elements", elements, "[element, score], an object, or a Map");
  return ownList(entriesOf(elements), (item) => {
    const [element, score] = pairOf("an element", item);
    return [ownBytes("element", element), ownNumber("score", score)];
  });
}

/** Copies ranges of a list into an array. */
export function rangesOf(ranges: Iterable<ListRange>): readonly ListRange[] {
  requireList("ranges", ranges, "[begin, count]");
  if (!(Symbol.iterator in ranges)) throw notIterable("ranges", "[begin, count]");
  return ownList(ranges, (range) => {
    const [begin, count] = pairOf("a range", range);
    return [ownNumber("begin of a range", begin), ownNumber("count of a range", count)];
  });
}

/** Copies the source sets of a union, with their weights, into an array. */
export function sourcesOf(sources: SortedSetSources): readonly Source[] {
  requireList("sources", sources, "names or [name, weight] pairs, or an object, or a Map");
  return ownList(entriesOf(sources), (source) => {
    const [name, weight = 1] = Array.isArray(source) ? (source as unknown[]) : [source];
    return [ownBytes("source", name), ownNumber("weight", weight)];
  });
}

/** Returns the error for invalid dictionary fields, or null. */
export function checkFields(fields: readonly Bytes[]): ErrorResponse | null {
  return checkEach(fields, checkField, byteLength);
}

/** Returns the error for invalid elements, or null. An element may consist of any bytes. */
export function checkElements(elements: readonly Bytes[]): ErrorResponse | null {
  return checkEach(elements, (element) => checkText("element", element), byteLength);
}

export function checkItems(items: readonly Item[]): ErrorResponse | null {
  return checkEach(
    items,
    ([field, value]) => checkField(field) ?? checkText("value", value),
    ([field, value]) => byteLength(field) + byteLength(value),
  );
}

export function checkScoredElements(elements: readonly ScoredElement[]): ErrorResponse | null {
  return checkEach(
    elements,
    ([element, score]) => checkText("element", element) ?? checkNumber("score", score),
    ([element]) => byteLength(element),
  );
}

export function checkRanges(ranges: readonly ListRange[]): ErrorResponse | null {
  return checkEach(
    ranges,
    ([begin, count]) => checkCount("begin of a range", begin) ?? checkCount("count of a range", count),
    () => 0,
  );
}

export function checkSources(sources: readonly Source[]): ErrorResponse | null {
  return checkEach(
    sources,
    ([name, weight]) => checkSource(name) ?? checkWeight(weight),
    ([name]) => byteLength(name),
  );
}

/**
 * Returns the error for an invalid dictionary field, or null. Throws a TypeError for a wrong type, like the other
 * checks in this file.
 */
export function checkField(field: Bytes): ErrorResponse | null {
  return checkText("field", field) ?? (field.length === 0 ? refusal("the field must not be empty") : null);
}

/** Returns the error for an invalid score or amount, or null. The number may be infinite. */
export function checkNumber(what: string, number: number): ErrorResponse | null {
  return Number.isNaN(ownNumber(what, number)) ? refusal(`the ${what} must not be NaN`) : null;
}

/** Returns the error for an invalid count, or null. The count must be an integer from 0 to `most`. */
export function checkCount(what: string, count: number, most = maxUint32): ErrorResponse | null {
  return checkWhole(what, count, 0, most);
}

/** Returns the error for a number that is not a signed 32-bit integer, or null. */
export function checkSigned(what: string, number: number): ErrorResponse | null {
  return checkWhole(what, number, int32.min, int32.max);
}

/**
 * Returns the error for an invalid index, or null. An undefined index is valid and means that the range is unbounded.
 */
export function checkIndex(what: string, index: number | undefined): ErrorResponse | null {
  return index === undefined ? null : checkSigned(what, index);
}

/**
 * Returns an argument as a score bound. A number becomes an inclusive bound, and undefined stays undefined.
 * @throws TypeError for any other argument.
 */
export function boundOf(what: string, bound: ScoreBound | number | undefined): ScoreBound | undefined {
  if (bound === undefined || isBound(bound)) return bound;
  if (typeof bound === "number") return ScoreBound.inclusive(bound);
  throw new TypeError(`${what} must be a number or a ScoreBound, for example ScoreBound.exclusive(1.5)`);
}

function isBound(bound: unknown): bound is ScoreBound {
  return hasBrand(bound, scoreBoundBrand);
}

/** Returns the error for a bound with an invalid score, or null. */
export function checkBound(what: string, bound: ScoreBound | undefined): ErrorResponse | null {
  return bound === undefined ? null : checkNumber(what, bound.score);
}

/**
 * Returns the index of `choice` in `choices`, which is its numeric code in the protocol.
 * @throws TypeError if `choices` does not contain `choice`.
 */
export function choiceOf<T extends string>(what: string, choice: T, choices: readonly T[]): number {
  const number = choices.indexOf(choice);
  if (number < 0) throw new TypeError(`${what} must be one of ${choices.join(", ")}`);
  return number;
}

function checkSource(name: Bytes): ErrorResponse | null {
  return checkText("source", name) ?? (name.length === 0 ? refusal("the name of a source must not be empty") : null);
}

// The weight is sent as a 32-bit float. A larger value would silently become infinite, so it is rejected.
function checkWeight(weight: number): ErrorResponse | null {
  const fits = Math.abs(weight) === Number.POSITIVE_INFINITY || Number.isFinite(Math.fround(weight));
  return (
    checkNumber("weight", weight) ??
    (fits ? null : refusal("the weight is out of range for a 32-bit floating-point number"))
  );
}

function checkWhole(what: string, number: number, least: number, most: number): ErrorResponse | null {
  ownNumber(what, number);
  if (Number.isInteger(number) && number >= least && number <= most) return null;
  return refusal(`the ${what} must be an integer from ${least} to ${most}, not ${number}`);
}

function checkEach<T>(
  list: readonly T[],
  check: (item: T) => ErrorResponse | null,
  bytesOf: (item: T) => number,
): ErrorResponse | null {
  if (list.length > maxElements) return tooLarge(`a request can have at most ${maxElements} elements; split it`);
  let bytes = 0;
  for (const item of list) {
    const invalid = check(item);
    if (invalid !== null) return invalid;
    bytes += bytesOf(item);
  }
  return bytes > maxElementsBytes ? tooLarge(`a request can have at most ${maxElementsBytes} bytes; split it`) : null;
}

function tooLarge(reason: string): ErrorResponse {
  return new ErrorResponse(new CacheError("LimitExceeded", reason, tooLargeCause));
}

function requireList(what: string, list: unknown, of: string): void {
  if (typeof list !== "object" || list === null || types.isUint8Array(list)) throw notIterable(what, of);
}

function notIterable(what: string, of: string): TypeError {
  return new TypeError(`the ${what} must be an iterable of ${of}`);
}

function entriesOf(list: object): Iterable<unknown> {
  return Symbol.iterator in list ? (list as Iterable<unknown>) : Object.entries(list);
}

function ownList<T, R>(list: Iterable<T>, own: (item: T) => R): readonly R[] {
  const all: R[] = [];
  for (const item of list) {
    all.push(own(item));
    if (all.length > maxElements) break;
  }
  return all;
}

// Check that the pair is an array. Destructuring a string would use its first two characters.
function pairOf(what: string, pair: unknown): readonly unknown[] {
  if (!Array.isArray(pair)) throw new TypeError(`${what} must be an array of length 2`);
  return pair as readonly unknown[];
}

function ownBytes(what: string, bytes: unknown): Bytes {
  requireBytes(what, bytes);
  return bytes as Bytes;
}

function ownNumber(what: string, number: unknown): number {
  if (typeof number !== "number") throw new TypeError(`the ${what} must be a number`);
  return number;
}
