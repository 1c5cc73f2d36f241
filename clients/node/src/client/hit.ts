import { Buffer, isAscii } from "node:buffer";
import { type InspectOptions, inspect } from "node:util";

/**
 * A copy of a value. If the value is short and ASCII, the copy is an immutable string. Otherwise it is a buffer with
 * the value's bytes and one extra byte.
 */
export type ValueCopy = string | Buffer;

// The maximum number of printed bytes. It prevents a large value from filling a log.
const printedBytes = 200;
// The maximum size of a value that is copied as a string. Up to this size, a string takes less memory than a Buffer and
// needs no decoding.
const copiedTextBytes = 1_024;

/** Returns a copy of a hit's value. */
export let copyOf: (hit: Hit) => ValueCopy;
/** Returns whether a hit's value equals a copy. */
export let equalsCopy: (hit: Hit, kept: ValueCopy) => boolean;

/**
 * The value of an item. Its bytes are copied from the connection's buffer when they are first read. Do not pass the
 * whole object to `structuredClone` or `deepStrictEqual`, because they use only the length and not the value. Pass
 * `value` or `valueBytes` instead (ADR-0055).
 */
export class Hit {
  readonly result = "hit";
  /** The value's size in bytes. */
  readonly valueLengthBytes: number;
  // If this is a string, it contains only ASCII.
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

  /** The value's bytes, in a buffer that belongs to the caller. */
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

  // Returns the bytes up to `end`. If the source is a buffer, the result is a view of it.
  #bytes(end: number): Buffer {
    const source = this.#source;
    return typeof source === "string"
      ? Buffer.from(source.slice(this.#start, end), "latin1")
      : source.subarray(this.#start, end);
  }

  #copy(): ValueCopy {
    const bytes = this.#bytes(this.#end);
    if (bytes.length <= copiedTextBytes && isAscii(bytes)) return bytes.toString("latin1");
    // Use allocUnsafeSlow, because a small buffer from the pool would keep the 8 KB of the pool alive. The extra byte
    // ensures that no hit spans the whole buffer. `valueBytes` would return such a buffer without copying it.
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

  /** Returns the value for `console.log`: as text, or as bytes if it is not UTF-8. A long value is truncated. */
  [inspect.custom](_depth: number, options: InspectOptions): string {
    const { bytes, cut } = this.#printed();
    const value = inspect(textOf(bytes, cut) ?? bytes, { ...options, breakLength: Infinity });
    return `Hit { value: ${value}${cut ? ` … of ${this.valueLengthBytes} bytes` : ""} }`;
  }
}

/**
 * A value and its hash, as returned by `getWithHash`. Pass the hash to a conditional set such as
 * `setIfPresentAndHashEqual`.
 */
export class HashHit extends Hit {
  /** @internal */
  constructor(
    value: Buffer,
    /** The value's hash, as opaque bytes. */
    readonly hash: Buffer,
  ) {
    super(value, 0, value.length);
  }
}

/**
 * Returns bytes as text, or null if they are not UTF-8. If the bytes are truncated, an incomplete last character is
 * omitted.
 */
function textOf(bytes: Buffer, cut: boolean): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: cut });
  } catch {
    return null;
  }
}
