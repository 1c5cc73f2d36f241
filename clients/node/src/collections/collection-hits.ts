import type { Buffer } from "node:buffer";
import { type InspectOptions, inspect } from "node:util";

// Limits of the printed parts of a hit. They prevent a large hit from filling a log.
const printedItems = 20;
const printedCharacters = 200;

/** The elements of a collection that a response contains. Each can be read as text or as bytes. */
export interface Parts<T, B> {
  readonly count: number;
  text(i: number): T;
  bytes(i: number): B;
}

/**
 * Base class of the hits of collections. Parts are decoded when they are first read. Cloning or comparing the whole
 * object uses only the number of parts and not their contents (ADR-0055). Text is decoded as UTF-8, and invalid bytes
 * are replaced with U+FFFD. Bytes are views of one copy of the response, which belongs to the caller.
 */
abstract class CollectionHit<T, B> {
  readonly result = "hit";
  /** Number of parts. */
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

  /** The noun for the parts, for example "elements". */
  protected abstract get noun(): string;

  /**
   * Returns the number of parts and the text of the first parts, for `JSON.stringify`. Includes the cursor if the hit
   * is a page.
   */
  toJSON(): object {
    return { ...this, [this.noun]: this.#first() };
  }

  /** Returns the text of the first parts for `console.log`. A long text is truncated. */
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

/** A hit with the elements of a set. */
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

/** A hit with the elements of a list, in order. */
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

/**
 * A hit with the values of the requested fields of a dictionary, in the order of the request. If a field does not
 * exist, its value is null.
 */
export class FieldsHit extends CollectionHit<string | null, Buffer | null> {
  /** The values as text. A value is null if the dictionary does not contain its field. */
  get values(): readonly (string | null)[] {
    return this.text;
  }
  /** The values' bytes. A value is null if the dictionary does not contain its field. */
  get valuesBytes(): readonly (Buffer | null)[] {
    return this.bytes;
  }
  protected get noun(): string {
    return "values";
  }
}

/** A hit with the fields and values of a dictionary. `new Map(hit.items)` converts them to a Map. */
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

/** A hit with the elements of a sorted set and their scores, in the requested order. */
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

/** A hit with the element that a pop removed from a list. */
export class PoppedHit {
  readonly result = "hit";

  constructor(
    /** The element's bytes, in a buffer that belongs to the caller. */
    readonly valueBytes: Buffer,
    /** Number of elements in the list after the call. */
    readonly length: number,
  ) {}

  /** The element as UTF-8 text. Invalid bytes are replaced with U+FFFD. */
  get value(): string {
    return this.valueBytes.toString();
  }

  /** Returns the element as text for `console.log`. A long text is truncated. */
  [inspect.custom](_depth: number, options: InspectOptions): string {
    const value = inspect(this.value, { ...options, maxStringLength: printedCharacters });
    return `Hit { value: ${value}, length: ${this.length} }`;
  }

  /** Returns the element as text for `JSON.stringify`. A long text is truncated. */
  toJSON(): { result: "hit"; value: string; length: number } {
    return { result: "hit", value: this.value.slice(0, printedCharacters), length: this.length };
  }
}
