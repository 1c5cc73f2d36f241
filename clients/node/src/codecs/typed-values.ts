import type { Buffer } from "node:buffer";
import { types } from "node:util";
import { CacheError } from "../client/errors.js";
import type { ErrorResponse } from "../client/responses.js";
import { refusal, requireKnownNames } from "../client/validation.js";
import type { Codec } from "./codec.js";
import { decodeEnvelope, EnvelopeError, encodeEnvelope, noContent } from "./envelope.js";

/** Options of a typed cache. */
export interface TypedCacheOptions {
  /**
   * Encoded values larger than this are compressed with zlib if compression makes them smaller. Compression is
   * synchronous and takes tens of milliseconds for a large value. Bytes, 0 or more.
   * @defaultValue no compression
   */
  readonly compressAbove?: number | undefined;
  /**
   * Maximum size of an encoded, uncompressed value. Larger values are neither read nor stored. Bytes, 1 …
   * 4,294,967,295. The codec has separate limits of elements and nesting levels (`DecodeLimits`).
   * @defaultValue 8,388,608 (8 MiB)
   */
  readonly maxDecodedBytes?: number | undefined;
  /**
   * Whether the near cache keeps decoded values, so that a hit of the near cache does not decode the value again. If
   * true, values of every type are kept. All callers then get the same object, so they must not change it. If false, no
   * decoded value is kept. An object is kept for the codec that decoded it, so create the codec once. Without a near
   * cache, this option has no effect.
   * @defaultValue only values that cannot be changed are kept: strings, numbers, booleans, bigints and null
   */
  readonly keepObjects?: boolean | undefined;
  /**
   * Returns the memory that a kept value uses. Bytes, 0 or more. It counts against the near cache's `maxBytes`, in
   * addition to the encoded value. If the function throws, the call rejects.
   * @defaultValue the size of the encoded value
   */
  readonly objectBytes?: ((value: unknown) => number) | undefined;
}

const optionNames = ["compressAbove", "maxDecodedBytes", "keepObjects", "objectBytes"];
// CODEC-5. An item has at most 5,000,192 bytes (LIM-1). The default therefore allows every value that is not
// compressed. It also allows a compressed value whose uncompressed size is at most 1.6 times the maximum size of an
// item.
const defaultMaxDecodedBytes = 8_388_608;
// The field with the uncompressed length has 32 bits.
const maxAllowedDecodedBytes = 4_294_967_295;
const builtInContents: readonly number[] = [1, 2, 3, 4];

/** Converts between the values of a codec and the stored envelopes. */
export class TypedValues<T> {
  readonly #compressAbove: number;
  readonly #maxDecodedBytes: number;
  readonly #keepObjects: boolean | undefined;
  readonly #objectBytes: ((value: unknown) => number) | undefined;

  /**
   * Validates the codec and the options.
   * @throws TypeError or RangeError if the codec or an option is invalid.
   */
  constructor(
    private readonly codec: Codec<T>,
    options: TypedCacheOptions = {},
  ) {
    if (typeof codec?.encode !== "function" || typeof codec.decode !== "function")
      throw new TypeError("the codec must have encode, decode and content, for example textCodec or jsonCodec()");
    const { content } = codec;
    if (!builtInContents.includes(content) && !(Number.isInteger(content) && content >= 128 && content <= 255))
      throw new RangeError(
        `codec.content must be from 128 to 255 (1 to 4 for built-in codecs), not ${String(content)}`,
      );
    requireKnownNames("option", options, optionNames);
    this.#compressAbove = checkedBytes("compressAbove", options.compressAbove ?? Infinity, 0, Infinity);
    const most = options.maxDecodedBytes ?? defaultMaxDecodedBytes;
    this.#maxDecodedBytes = checkedBytes("maxDecodedBytes", most, 1, maxAllowedDecodedBytes);
    const { keepObjects, objectBytes } = options;
    if (keepObjects !== undefined && typeof keepObjects !== "boolean")
      throw new TypeError("keepObjects must be a boolean");
    if (objectBytes !== undefined && typeof objectBytes !== "function")
      throw new TypeError("objectBytes must be a function");
    this.#keepObjects = keepObjects;
    this.#objectBytes = objectBytes;
  }

  /** Whether any decoded values are kept with their near copies: all of them, or only those that cannot be changed. */
  get mayKeep(): boolean {
    return this.#keepObjects !== false;
  }

  /** Returns whether a decoded value is kept. */
  keeps(value: T | null): boolean {
    return this.#keepObjects ?? (value === null || typeof value !== "object");
  }

  /**
   * Returns the size of a kept value in bytes.
   * @throws RangeError if `objectBytes` returns an invalid number. Also rethrows the exceptions of `objectBytes`.
   */
  objectBytes(value: T | null, encodedBytes: number): number {
    return this.#objectBytes === undefined || value === null
      ? encodedBytes
      : checkedBytes("the result of objectBytes", this.#objectBytes(value), 0, Number.MAX_SAFE_INTEGER);
  }

  /** Returns whether the other object decodes with the same codec and the same limit. */
  decodesLike(other: object): boolean {
    return (
      other === this ||
      (other instanceof TypedValues && other.codec === this.codec && other.#maxDecodedBytes === this.#maxDecodedBytes)
    );
  }

  /** Returns the codec's content type. */
  get content(): number {
    return this.codec.content;
  }

  /**
   * Returns the bytes to store for a value, or an error if the value is too large.
   * @throws TypeError if the value is undefined. Also rethrows the codec's exceptions.
   */
  encode(value: T | null): Buffer | ErrorResponse {
    if (value === undefined) throw new TypeError("the value must not be undefined; use null for an empty value");
    if (value === null) return encodeEnvelope(noContent, new Uint8Array(), Infinity);
    const payload: unknown = this.codec.encode(value);
    if (!types.isUint8Array(payload)) throw new TypeError("codec.encode must return a Uint8Array");
    if (payload.length > this.#maxDecodedBytes)
      return refusal(`the encoded value has ${payload.length} bytes; maxDecodedBytes allows ${this.#maxDecodedBytes}`);
    return encodeEnvelope(this.codec.content, payload, this.#compressAbove);
  }

  /**
   * Decodes stored bytes and returns the value.
   * @throws CacheError, `DecodingFailed`, if the codec cannot decode the bytes.
   */
  decode(bytes: Buffer): T | null {
    try {
      const { content, payload } = decodeEnvelope(bytes, this.#maxDecodedBytes);
      if (content === noContent) return null;
      if (content !== this.codec.content)
        throw new EnvelopeError(
          `the value has content type ${content}, but this codec reads ${this.codec.content}; use the matching codec`,
        );
      const value = this.codec.decode(payload);
      if (value === undefined) throw new EnvelopeError("codec.decode returned undefined");
      return value;
    } catch (error) {
      throw new CacheError("DecodingFailed", `the stored value cannot be decoded: ${reasonOf(error)}`);
    }
  }
}

// Returns only the exception's name, because the message of an exception of a codec or a check may contain the value
// (CODEC-7).
function reasonOf(error: unknown): string {
  try {
    if (error instanceof EnvelopeError) return error.message;
    return error instanceof Error ? `the codec threw ${error.constructor.name}` : "the codec threw";
  } catch {
    return "the codec threw";
  }
}

function checkedBytes(name: string, bytes: number, least: number, most: number): number {
  if (typeof bytes !== "number") throw new TypeError(`${name} must be a number of bytes`);
  if (!(bytes >= least && bytes <= most))
    throw new RangeError(`${name} must be from ${least} to ${most}, not ${bytes}`);
  return bytes;
}
