import { Buffer, isAscii } from "node:buffer";
import { type InspectOptions, inspect } from "node:util";

/** A value that is kept: as text where it is short and ASCII, which no caller can change; otherwise its bytes and one more. */
export type KeptValue = string | Buffer;

// Of a value that is printed, so that a log does not fill with it: that many bytes are looked at.
const printedBytes = 200;
// Up to here text takes less memory than bytes, which have an object of their own, and is read without being decoded.
const keptTextBytes = 1_024;

/** A hit's value in memory of its own, to be kept; `Hit` alone sees its bytes. */
export let keptValueOf: (hit: Hit) => KeptValue;
/** Whether a hit's value is the same as one that is kept. */
export let isKeptValue: (hit: Hit, kept: KeptValue) => boolean;

/**
 * A get found the item. Its bytes are copied out of the connection's buffer when they are first asked for, so that a
 * copy or a comparison of the whole object (`structuredClone`, `deepStrictEqual`) has its length but not its value:
 * clone or compare `value` or `valueBytes` (ADR-0055).
 */
export class Hit {
  readonly result = "hit";
  /** The value's size in bytes. */
  readonly valueLengthBytes: number;
  // Text is ASCII.
  #source: KeptValue;
  #start: number;
  #end: number;

  static {
    keptValueOf = (hit) => hit.#kept();
    isKeptValue = (hit, kept) => hit.#is(kept);
  }

  /** @internal */
  constructor(source: KeptValue, start: number, end: number) {
    this.valueLengthBytes = end - start;
    this.#source = source;
    this.#start = start;
    this.#end = end;
  }

  /** The value's bytes; the caller's own. */
  get valueBytes(): Buffer {
    const source = this.#source;
    if (typeof source !== "string" && this.#start === 0 && this.#end === source.length) return source;
    const own = typeof source === "string" ? Buffer.from(source, "latin1") : Buffer.from(this.#bytes(this.#end));
    this.#source = own;
    this.#start = 0;
    this.#end = own.length;
    return own;
  }

  /** The value as UTF-8 text; bytes that are not are replaced by U+FFFD. */
  get value(): string {
    const source = this.#source;
    return typeof source === "string" ? source : source.toString("utf8", this.#start, this.#end);
  }

  /** As `JSON.stringify` writes it: at most the value's first 200 bytes, as text or else in base64, and its length. */
  toJSON(): { result: "hit"; valueLengthBytes: number; value?: string; valueBase64?: string } {
    const { bytes, cut } = this.#printed();
    const text = textOf(bytes, cut);
    const value = text === null ? { valueBase64: bytes.toString("base64") } : { value: text };
    return { result: "hit", valueLengthBytes: this.valueLengthBytes, ...value };
  }

  #printed(): { readonly bytes: Buffer; readonly cut: boolean } {
    const bytes = this.#bytes(Math.min(this.#end, this.#start + printedBytes));
    return { bytes, cut: this.valueLengthBytes > printedBytes };
  }

  // Up to `end`: a view, where the source is bytes.
  #bytes(end: number): Buffer {
    const source = this.#source;
    return typeof source === "string"
      ? Buffer.from(source.slice(this.#start, end), "latin1")
      : source.subarray(this.#start, end);
  }

  #kept(): KeptValue {
    const bytes = this.#bytes(this.#end);
    if (bytes.length <= keptTextBytes && isAscii(bytes)) return bytes.toString("latin1");
    // Slow: of the pool, a few bytes would keep 8 KB. One more: no hit then has the whole of it, so that each copies.
    const kept = Buffer.allocUnsafeSlow(bytes.length + 1);
    bytes.copy(kept);
    return kept;
  }

  #is(kept: KeptValue): boolean {
    const length = this.valueLengthBytes;
    const isText = typeof kept === "string";
    if (length !== (isText ? kept.length : kept.length - 1)) return false;
    const bytes = this.#bytes(this.#end);
    return isText ? bytes.toString("latin1") === kept : bytes.compare(kept, 0, length) === 0;
  }

  /** As `console.log` prints it: its text, or its bytes where they are none; a long value is cut. */
  [inspect.custom](_depth: number, options: InspectOptions): string {
    const { bytes, cut } = this.#printed();
    const value = inspect(textOf(bytes, cut) ?? bytes, { ...options, breakLength: Infinity });
    return `Hit { value: ${value}${cut ? ` … of ${this.valueLengthBytes} bytes` : ""} }`;
  }
}

/** The value of `getWithHash`, with the hash that the conditional sets by hash take. */
export class HashHit extends Hit {
  /** @internal */
  constructor(
    value: Buffer,
    /** The value's hash; opaque. */
    readonly hash: Buffer,
  ) {
    super(value, 0, value.length);
  }
}

/** Bytes as text, null where they are none. What is cut may end within a character, which is then left out. */
function textOf(bytes: Buffer, cut: boolean): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: cut });
  } catch {
    return null;
  }
}
