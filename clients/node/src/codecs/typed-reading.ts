import type { Buffer } from "node:buffer";
import { isError } from "../client/or-throw.js";
import type { ValueForm } from "../leases/factory-value.js";
import type { TypedValues } from "./typed-values.js";

/** One caller's reading of what loads come to: each value is its own, and no bytes are decoded twice. */
export class TypedReading<T> {
  readonly #read = new Map<Buffer, T | null>();
  /** Whether what a load came to could not be read. */
  hasFailed = false;

  constructor(private readonly values: TypedValues<T>) {}

  form(flight: string): ValueForm<T | null> {
    return { flight, encode: (value) => this.#encode(value), usable: (bytes) => this.#isUsable(bytes) };
  }

  /** What a load came to. Throws a CacheError, `DecodingFailed`, for what the codec does not read. */
  valueOf(bytes: Buffer): T | null {
    // What others were given too is a copy, and so not here.
    if (this.#read.has(bytes)) return this.#read.get(bytes) as T | null;
    try {
      return this.values.decode(bytes);
    } catch (error) {
      this.hasFailed = true;
      throw error;
    }
  }

  #encode(value: T | null): Buffer {
    const bytes = this.values.encode(value);
    if (isError(bytes)) throw bytes.error;
    return bytes;
  }

  #isUsable(bytes: Buffer): boolean {
    try {
      this.#read.set(bytes, this.values.decode(bytes));
      return true;
    } catch {
      return false;
    }
  }
}
