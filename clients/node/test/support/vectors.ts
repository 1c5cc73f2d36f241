import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/** One case of the protocol vectors (protocol/vectors). */
export interface Vector {
  readonly file: string;
  readonly rule: string;
  readonly case: string;
  readonly given: readonly JsonObject[];
  readonly when: JsonObject;
  readonly then: JsonObject;
  readonly open?: JsonObject;
  readonly server?: readonly string[];
  readonly transports?: readonly string[];
  readonly stores?: readonly string[];
}

const folder = join(import.meta.dirname, "..", "..", "..", "..", "..", "protocol", "vectors");

/** Returns every case, ordered by file name and then by position in the file. */
export function vectors(): readonly Vector[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return files.sort().flatMap((name) => {
    const cases = JSON.parse(readFileSync(join(folder, name), "utf8")) as Omit<Vector, "file">[];
    return cases.map((each) => ({ ...each, file: name.slice(0, -".json".length) }));
  });
}

export function isObject(json: Json | undefined): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

/**
 * Replaces the variable parts of a case, as the conformance runner does: the name of the run, saved fields, and values
 * that are specified by their size.
 */
export class Substitution {
  readonly #kept = new Map<string, Json>();

  /**
   * Saves fields of a response for later steps. For example, with `{"events.0.page":"p"}`, "$p" is replaced with the
   * page of the first event.
   */
  keep(save: JsonObject, answer: JsonObject): void {
    for (const [path, name] of Object.entries(save)) {
      const at = (json: Json | undefined, part: string) => (json as JsonObject | undefined)?.[part];
      this.#kept.set(`$${name}`, path.split(".").reduce(at, answer as Json | undefined) ?? null);
    }
  }

  fill<T extends Json>(json: T): T {
    return this.#filled(json) as T;
  }

  #filled(json: Json): Json {
    if (typeof json === "string") return this.#text(json);
    if (Array.isArray(json)) return json.flatMap(repeated).map((each) => this.#filled(each));
    if (!isObject(json)) return json;
    return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, this.#filled(value)]));
  }

  #text(text: string): Json {
    const kept = this.#kept.get(text);
    if (kept !== undefined) return kept;
    const pad = /\{pad(255|256)\}$/.exec(text);
    const named = text.replaceAll("{run}", "run");
    return pad === null ? named : named.slice(0, -pad[0].length).padEnd(Number(pad[1]), "x");
  }
}

// Expands {"repeat":N,"of":…} to N copies, and replaces {i} in each copy with the copy's index, from 0.
function repeated(json: Json): readonly Json[] {
  if (!isObject(json) || json.repeat === undefined) return [json];
  return Array.from({ length: json.repeat as number }, (_, i) => numbered(json.of!, i));
}

function numbered(json: Json, i: number): Json {
  if (Array.isArray(json)) return json.map((each) => numbered(each, i));
  if (typeof json !== "string") return json;
  return json === "{i}" ? i : json.replaceAll("{i}", `${i}`);
}

/** Creates the values of the sizes that a request and its items specify. */
export function expandSizes(request: JsonObject): JsonObject {
  const { valueSizeBytes, items, ...rest } = request;
  const value = typeof valueSizeBytes === "number" ? { value: "x".repeat(valueSizeBytes) } : {};
  if (!Array.isArray(items)) return { ...rest, ...value };
  return { ...rest, ...value, items: items.map((item: Json) => (isObject(item) ? expandSizes(item) : item)) };
}

/**
 * Returns the first difference between an expected and an actual response as a sentence. Returns null if they are
 * equal.
 */
export function difference(expected: Json, actual: Json | undefined, path = "the answer"): string | null {
  if (isObject(expected)) {
    if ("atLeast" in expected || "below" in expected) return outOfBounds(expected, actual, path);
    if (Array.isArray(expected.anyOrder)) return anyOrder(expected.anyOrder, actual, path);
    if (Array.isArray(expected.someOf)) return someOf(expected.someOf, expected.count as number, actual, path);
    if (isObject(actual)) return first(Object.entries(expected), ([name, each]) => inField(name, each, actual, path));
  }
  if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length !== actual.length) return `${path} has ${actual.length} items, not ${expected.length}`;
    return first([...expected.entries()], ([i, each]) => difference(each, actual[i], `${path}[${i}]`));
  }
  return textOf(expected) === textOf(actual) ? null : `${path} is ${textOf(actual)}, not ${textOf(expected)}`;
}

function first<T>(all: readonly T[], difference: (each: T) => string | null): string | null {
  for (const each of all) {
    const found = difference(each);
    if (found !== null) return found;
  }
  return null;
}

function inField(name: string, expected: Json, actual: JsonObject, path: string): string | null {
  if (name !== "valueSizeBytes") return difference(expected, actual[name], `${path}.${name}`);
  const value = String(actual.value ?? "");
  return value === "x".repeat(expected as number) ? null : `${path}.value is not the ${expected} bytes that were set`;
}

function outOfBounds({ atLeast, below }: JsonObject, actual: Json | undefined, path: string): string | null {
  if (typeof actual !== "number") return `${path} is ${textOf(actual)}, not a number`;
  if (typeof atLeast === "number" && actual < atLeast) return `${path} is ${actual}, below ${atLeast}`;
  return typeof below === "number" && actual >= below ? `${path} is ${actual}, not below ${below}` : null;
}

function anyOrder(items: readonly Json[], actual: Json | undefined, path: string): string | null {
  if (!Array.isArray(actual)) return `${path} is ${textOf(actual)}, not a list`;
  return difference([...items].sort(byText), [...actual].sort(byText), path);
}

function someOf(items: readonly Json[], count: number, actual: Json | undefined, path: string): string | null {
  if (!Array.isArray(actual)) return `${path} is ${textOf(actual)}, not a list`;
  const texts = new Set(actual.map(textOf));
  if (actual.length !== count) return `${path} has ${actual.length} items, not ${count}`;
  if (texts.size !== count) return `${path} has an item twice`;
  const expected = new Set(items.map(textOf));
  return first([...texts], (text) =>
    expected.has(text) ? null : `${path} has ${text}, which is none of those expected`,
  );
}

function byText(one: Json, other: Json): number {
  return textOf(one) < textOf(other) ? -1 : 1;
}

function textOf(json: Json | undefined): string {
  return JSON.stringify(json) ?? "absent";
}
