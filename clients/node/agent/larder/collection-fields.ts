import { Buffer, isUtf8 } from "node:buffer";
import {
  type Bytes,
  type CallOptions,
  CollectionTtl,
  ElementsHit,
  FieldsHit,
  ItemsHit,
  type ListRange,
  PoppedHit,
  ScoreBound,
  ScoredElementsHit,
  ValuesHit,
} from "../../src/index.js";
import { AgentFailure } from "../line-agent.js";
import { bytesFields, ttlField } from "./fields.js";

// Parses and formats the collection fields of the agent protocol (conformance/AGENT.md).

type Fields = Readonly<Record<string, unknown>>;

/** Returns a list of bytes. Each element is a string or {"base64":…}. */
export function listField(fields: Fields, name: string): readonly Bytes[] {
  return list(fields, name).map(bytes);
}

/** Returns dictionary fields with their values. */
export function itemsField(fields: Fields, name: string): readonly (readonly [Bytes, Bytes])[] {
  return list(fields, name).map((item) => {
    const [field, value] = item as unknown[];
    return [bytes(field), bytes(value)];
  });
}

/** Returns elements with their scores. */
export function scoredField(fields: Fields, name: string): readonly (readonly [Bytes, number])[] {
  return list(fields, name).map((item) => {
    const [element, given] = item as unknown[];
    return [bytes(element), score(given)];
  });
}

/** Returns ranges of a list. */
export function rangesField(fields: Fields, name: string): readonly ListRange[] {
  return list(fields, name) as ListRange[];
}

/** Returns the source sorted sets. Each source is a key with a weight, or only a key. */
export function sourcesField(fields: Fields, name: string): readonly (Bytes | readonly [Bytes, number])[] {
  return list(fields, name).map((source) =>
    Array.isArray(source) ? ([bytes(source[0]), score(source[1])] as const) : bytes(source),
  );
}

/** Returns a score, or undefined if the field is absent. */
export function scoreField(fields: Fields, name: string): number | undefined {
  return fields[name] === undefined ? undefined : score(fields[name]);
}

/**
 * Returns the value of a field as a number. The request contains a number or decimal digits. Returns undefined if the
 * field is absent. A string above the largest safe integer, 2^53 - 1, becomes that integer.
 */
export function numberField(fields: Fields, name: string): number {
  const given = fields[name];
  return typeof given === "string" ? Math.min(Number(given), Number.MAX_SAFE_INTEGER) : (given as number);
}

/** Returns `options`, and adds the options in `names` that the request contains. */
export function optionFields(fields: Fields, options: CallOptions, ...names: readonly string[]): CallOptions {
  const given = names.flatMap((name): [string, unknown][] => {
    const value = optionField(fields, name);
    return value === undefined ? [] : [[name, value]];
  });
  return { ...options, ...Object.fromEntries(given) };
}

function optionField(fields: Fields, name: string): unknown {
  switch (name) {
    case "ttl":
      return collectionTtl(fields);
    case "ttlMs":
      return ttlField(fields);
    case "min":
    case "max":
      return bound(fields[name]);
    default:
      return fields[name];
  }
}

function collectionTtl(fields: Fields): CollectionTtl | undefined {
  const ttlMs = ttlField(fields);
  if (ttlMs === undefined && fields.refreshTtl === undefined) return undefined;
  const ttl = ttlMs === undefined ? CollectionTtl.fromCacheTtl() : CollectionTtl.of(ttlMs);
  return fields.refreshTtl === false ? ttl.withNoRefreshTtlOnUpdates() : ttl;
}

function bound(given: unknown): ScoreBound | number | undefined {
  if (given === undefined) return undefined;
  if (typeof given !== "object" || given === null) return score(given);
  const { score: value, exclusive } = given as Fields;
  return exclusive === true ? ScoreBound.exclusive(score(value)) : ScoreBound.inclusive(score(value));
}

/** Returns the protocol fields of a collection's response, or null for any other response. */
export function collectionFields(response: object): object | null {
  if (response instanceof ElementsHit) return { result: "hit", elements: told(response.elementsBytes) };
  if (response instanceof ValuesHit || response instanceof FieldsHit)
    return { result: "hit", values: told(response.valuesBytes) };
  if (response instanceof ItemsHit) return { result: "hit", items: told(response.itemsBytes) };
  if (response instanceof ScoredElementsHit) return { result: "hit", elements: told(response.elementsBytes) };
  if (response instanceof PoppedHit)
    return { result: "hit", ...bytesFields("value", response.valueBytes), length: response.length };
  if ("scores" in response) return { ...response, scores: told(response.scores as readonly (number | null)[]) };
  return "score" in response ? { ...response, score: told(response.score as number) } : null;
}

/** Bytes, a score, a missing value, or a list of these. */
export type Told = Buffer | number | null | readonly Told[];

/**
 * Returns a collection's content in protocol form: a string, or base64 for bytes that are not UTF-8. Infinite numbers
 * become "inf" and "-inf", because JSON cannot represent them.
 */
export function told(value: Told): unknown {
  if (typeof value === "number") return Number.isFinite(value) ? value : value > 0 ? "inf" : "-inf";
  if (Buffer.isBuffer(value)) return isUtf8(value) ? value.toString() : { base64: value.toString("base64") };
  return value === null ? null : value.map(told);
}

function score(value: unknown): number {
  if (value === "inf") return Number.POSITIVE_INFINITY;
  if (value === "-inf") return Number.NEGATIVE_INFINITY;
  return value === "nan" ? Number.NaN : (value as number);
}

function bytes(value: unknown): Bytes {
  if (typeof value === "string") return value;
  const { base64 } = (value ?? {}) as Fields;
  if (typeof base64 === "string") return Buffer.from(base64, "base64");
  throw new AgentFailure("AgentError", `${JSON.stringify(value)} must be a string or bytes`);
}

function list(fields: Fields, name: string): readonly unknown[] {
  const items = fields[name];
  if (Array.isArray(items)) return items;
  throw new AgentFailure("AgentError", `"${name}" must be a list`);
}
