import type { Buffer } from "node:buffer";
import { type InspectOptions, inspect } from "node:util";

// Of a hit that is printed, so that a log does not fill with it.
const printedItems = 20;
const printedCharacters = 200;

/** What an answer holds: so many parts, each read as text or as bytes. */
export interface Parts<T, B> {
  readonly count: number;
  text(i: number): T;
  bytes(i: number): B;
}

/**
 * What the hits of collections have in common: their parts are read when they are first asked for, and then kept, so that
 * a copy or a comparison of the whole object has their number but not themselves (ADR-0055). Text is bytes read as UTF-8;
 * what is none is replaced by U+FFFD. Bytes are views of one copy of the answer, which is the caller's own.
 */
abstract class CollectionHit<T, B> {
  readonly result = "hit";
  /** How many there are. */
  readonly count: number;
  readonly #parts: Parts<T, B>;
  #text: readonly T[] | null = null;
  #bytes: readonly B[] | null = null;

  /** @internal */
  constructor(parts: Parts<T, B>) {
    this.count = parts.count;
    this.#parts = parts;
  }

  protected get text(): readonly T[] {
    this.#text ??= Array.from({ length: this.count }, (_, i) => this.#parts.text(i));
    return this.#text;
  }

  protected get bytes(): readonly B[] {
    this.#bytes ??= Array.from({ length: this.count }, (_, i) => this.#parts.bytes(i));
    return this.#bytes;
  }

  /** What the parts are called. */
  protected abstract get noun(): string;

  /** As `JSON.stringify` writes it: how many there are, and the first of them as text; of a page its cursor, too. */
  toJSON(): object {
    return { ...this, [this.noun]: this.#first() };
  }

  /** As `console.log` prints it: the first of them as text, a long text cut. */
  [inspect.custom](_depth: number, options: InspectOptions): string {
    const first = inspect(this.#first(), { ...options, breakLength: Infinity, maxStringLength: printedCharacters });
    const { result, count, ...page } = this;
    const more = Object.entries(page).map(([name, value]) => `, ${name}: ${inspect(value, options)}`);
    return `Hit { ${this.noun}: ${first}${count > printedItems ? ` … of ${count}` : ""}${more.join("")} }`;
  }

  #first(): readonly T[] {
    return Array.from({ length: Math.min(this.count, printedItems) }, (_, i) => this.#parts.text(i));
  }
}

/** A set's elements. */
export class ElementsHit extends CollectionHit<string, Buffer> {
  /** The elements as text. */
  get elements(): readonly string[] {
    return this.text;
  }
  /** The elements' bytes. */
  get elementsBytes(): readonly Buffer[] {
    return this.bytes;
  }
  protected get noun(): string {
    return "elements";
  }
}

/** A list's elements, in their order. */
export class ValuesHit extends CollectionHit<string, Buffer> {
  /** The elements as text. */
  get values(): readonly string[] {
    return this.text;
  }
  /** The elements' bytes. */
  get valuesBytes(): readonly Buffer[] {
    return this.bytes;
  }
  protected get noun(): string {
    return "values";
  }
}

/** The values of a dictionary's fields that were asked for, in that order; null where it has no such field. */
export class FieldsHit extends CollectionHit<string | null, Buffer | null> {
  /** The values as text. */
  get values(): readonly (string | null)[] {
    return this.text;
  }
  /** The values' bytes. */
  get valuesBytes(): readonly (Buffer | null)[] {
    return this.bytes;
  }
  protected get noun(): string {
    return "values";
  }
}

/** A dictionary's fields with their values; `new Map(hit.items)` is a map of them. */
export class ItemsHit extends CollectionHit<readonly [field: string, value: string], readonly [Buffer, Buffer]> {
  /** The fields and values as text. */
  get items(): readonly (readonly [field: string, value: string])[] {
    return this.text;
  }
  /** The fields' and values' bytes. */
  get itemsBytes(): readonly (readonly [field: Buffer, value: Buffer])[] {
    return this.bytes;
  }
  protected get noun(): string {
    return "items";
  }
}

/** A sorted set's elements with their scores, in the asked order. */
export class ScoredElementsHit extends CollectionHit<readonly [string, number], readonly [Buffer, number]> {
  /** The elements as text, with their scores. */
  get elements(): readonly (readonly [element: string, score: number])[] {
    return this.text;
  }
  /** The elements' bytes, with their scores. */
  get elementsBytes(): readonly (readonly [element: Buffer, score: number])[] {
    return this.bytes;
  }
  protected get noun(): string {
    return "elements";
  }
}

/** The element that a pop took from a list. */
export class PoppedHit {
  readonly result = "hit";

  constructor(
    /** The element's bytes; the caller's own. */
    readonly valueBytes: Buffer,
    /** How many elements the list has afterwards. */
    readonly length: number,
  ) {}

  /** The element as UTF-8 text; bytes that are not are replaced by U+FFFD. */
  get value(): string {
    return this.valueBytes.toString();
  }

  /** As `console.log` prints it: its text, cut where it is long. */
  [inspect.custom](_depth: number, options: InspectOptions): string {
    const value = inspect(this.value, { ...options, maxStringLength: printedCharacters });
    return `Hit { value: ${value}, length: ${this.length} }`;
  }

  /** As `JSON.stringify` writes it: the element as text, cut where it is long. */
  toJSON(): { result: "hit"; value: string; length: number } {
    return { result: "hit", value: this.value.slice(0, printedCharacters), length: this.length };
  }
}
