import { Buffer, isAscii } from "node:buffer";
import { type InspectOptions, inspect } from "node:util";

/**
 * A copy of a value: an immutable string if it is short and ASCII; otherwise a buffer with its bytes and one extra
 * byte.
 */
export type ValueCopy = string | Buffer;

// Limit of printed bytes, so that a large value does not fill a log.
const printedBytes = 200;
// Up to this size, a string takes less memory than a Buffer object and needs no decoding.
const copiedTextBytes = 1_024;

/** Copies a hit's value. */
export let copyOf: (hit: Hit) => ValueCopy;
/** Returns whether a hit's value equals a copy. */
export let equalsCopy: (hit: Hit, kept: ValueCopy) => boolean;

/**
 * The value of an item. Its bytes are copied out of the connection's buffer when they are first read. Copies and
 * comparisons of the whole object (`structuredClone`, `deepStrictEqual`) therefore see its length but not its value:
 * clone or compare `value` or `valueBytes` (ADR-0055).
 */
export class Hit {
  readonly result = "hit";
  /** The value's size in bytes. */
  readonly valueLengthBytes: number;
  // A string contains only ASCII.
  #source: ValueCopy;
  #start: number;
  #end: number;

  static {
    copyOf = (hit) => hit.#copy();
    equalsCopy = (hit, copy) => hit.#equals(copy);
  }

  /** @internal */
  constructor(source: ValueCopy, start: number, end: number) {
    this.valueLengthBytes = end - start;
    this.#source = source;
    this.#start = start;
    this.#end = end;
  }

  /** The value's bytes, in memory that belongs to the caller. */
  get valueBytes(): Buffer {
    const source = this.#source;
    if (typeof source !== "string" && this.#start === 0 && this.#end === source.length) return source;
    const own = typeof source === "string" ? Buffer.from(source, "latin1") : Buffer.from(this.#bytes(this.#end));
    this.#source = own;
    this.#start = 0;
    this.#end = own.length;
    return own;
  }

  /** The value as UTF-8 text. Invalid bytes are replaced with U+FFFD. */
  get value(): string {
    const source = this.#source;
    return typeof source === "string" ? source : source.toString("utf8", this.#start, this.#end);
  }

  /** Returns the value's length and its first 200 bytes, as text or base64, for `JSON.stringify`. */
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

  // Returns the bytes up to `end`: a view if the source is a buffer.
  #bytes(end: number): Buffer {
    const source = this.#source;
    return typeof source === "string"
      ? Buffer.from(source.slice(this.#start, end), "latin1")
      : source.subarray(this.#start, end);
  }

  #copy(): ValueCopy {
    const bytes = this.#bytes(this.#end);
    if (bytes.length <= copiedTextBytes && isAscii(bytes)) return bytes.toString("latin1");
    // allocUnsafeSlow: a few bytes from the pool would keep 8 KB alive. The extra byte ensures that no hit spans the
    // whole buffer, so that each hit copies its bytes.
    const copy = Buffer.allocUnsafeSlow(bytes.length + 1);
    bytes.copy(copy);
    return copy;
  }

  #equals(copy: ValueCopy): boolean {
    const length = this.valueLengthBytes;
    const isText = typeof copy === "string";
    if (length !== (isText ? copy.length : copy.length - 1)) return false;
    const bytes = this.#bytes(this.#end);
    return isText ? bytes.toString("latin1") === copy : bytes.compare(copy, 0, length) === 0;
  }

  /** Returns the value for `console.log`: text, or bytes if it is not text; a long value is truncated. */
  [inspect.custom](_depth: number, options: InspectOptions): string {
    const { bytes, cut } = this.#printed();
    const value = inspect(textOf(bytes, cut) ?? bytes, { ...options, breakLength: Infinity });
    return `Hit { value: ${value}${cut ? ` … of ${this.valueLengthBytes} bytes` : ""} }`;
  }
}

/** The value that `getWithHash` returns, with the hash to pass to the conditional sets by hash. */
export class HashHit extends Hit {
  /** @internal */
  constructor(
    value: Buffer,
    /** The value's hash. Opaque. */
    readonly hash: Buffer,
  ) {
    super(value, 0, value.length);
  }
}

/** Returns bytes as text; null if they are not UTF-8. An incomplete last character of truncated bytes is omitted. */
function textOf(bytes: Buffer, cut: boolean): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: cut });
  } catch {
    return null;
  }
}
