import { Buffer } from "node:buffer";
import { isError } from "../client/or-throw.js";
import type { ValueForm } from "../leases/factory-value.js";
import type { TypedValues } from "./typed-values.js";

/**
 * Decodes the results of one caller's loads. Each caller gets its own object. A result that was already decoded is not
 * decoded again.
 */
export class TypedLoadDecoder<T> {
  readonly #decoded = new Map<Buffer, T | null>();
  /** Whether the result of a load could not be decoded. */
  hasFailed = false;

  constructor(private readonly values: TypedValues<T>) {}

  form(flight: string): ValueForm<T | null> {
    return {
      flight,
      encode: (value) => this.#encode(value),
      // A codec may return a view of the bytes, and a factory may change it.
      decode: (bytes) => this.values.decode(Buffer.from(bytes)),
      usable: (bytes) => this.#isUsable(bytes),
    };
  }

  /**
   * Returns the decoded result of a load.
   * @throws CacheError with the code `DecodingFailed` if the codec cannot decode the bytes.
   */
  decode(bytes: Buffer): T | null {
    // If the result is shared with other callers, the bytes are a copy and therefore not in this map.
    if (this.#decoded.has(bytes)) return this.#decoded.get(bytes) as T | null;
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
      this.#decoded.set(bytes, this.values.decode(bytes));
      return true;
    } catch {
      return false;
    }
  }
}
