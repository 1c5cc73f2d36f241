import type { Buffer } from "node:buffer";
import { types } from "node:util";
import { CacheError } from "../client/errors.js";
import type { ErrorResponse } from "../client/responses.js";
import { refusal, requireKnownNames } from "../client/validation.js";
import type { Codec } from "./codec.js";
import { EnvelopeError, enveloped, noContent, unenveloped } from "./envelope.js";

/** Options of a typed cache. */
export interface TypedCacheOptions {
  /**
   * Encoded values of more bytes than this are compressed by zlib if that makes them smaller. Compression is synchronous
   * and takes tens of milliseconds for a large value. Bytes, 0 or more. Default: never.
   */
  readonly compressAbove?: number | undefined;
  /**
   * Maximum size of a value, encoded and not compressed. Larger values are neither read nor stored. Bytes, 1 …
   * 4,294,967,295. Default 8,388,608 (8 MiB). The codec limits elements and levels (`DecodeLimits`).
   */
  readonly maxDecodedBytes?: number | undefined;
}

const optionNames = ["compressAbove", "maxDecodedBytes"];
// CODEC-5. An item has at most 5,000,192 bytes (LIM-1): this is every value that is stored uncompressed, and 1.6 times as
// much of a compressed one.
const defaultMaxDecodedBytes = 8_388_608;
// The length of what was compressed has 32 bits.
const mostDecodedBytes = 4_294_967_295;
const builtInContents: readonly number[] = [1, 2, 3, 4];

/** Values of a codec in their envelopes. */
export class TypedValues<T> {
  readonly #compressAbove: number;
  readonly #maxDecodedBytes: number;

  /** Throws a TypeError or a RangeError for what is no codec, or no settings. */
  constructor(
    private readonly codec: Codec<T>,
    options: TypedCacheOptions = {},
  ) {
    if (typeof codec?.encode !== "function" || typeof codec.decode !== "function")
      throw new TypeError("the codec must have encode, decode and content: textCodec, jsonCodec() …");
    const { content } = codec;
    if (!builtInContents.includes(content) && !(Number.isInteger(content) && content >= 128 && content <= 255))
      throw new RangeError(`a codec's content must be from 128 to 255, not ${String(content)}`);
    requireKnownNames("option", options, optionNames);
    this.#compressAbove = checkedBytes("compressAbove", options.compressAbove ?? Infinity, 0, Infinity);
    const most = options.maxDecodedBytes ?? defaultMaxDecodedBytes;
    this.#maxDecodedBytes = checkedBytes("maxDecodedBytes", most, 1, mostDecodedBytes);
  }

  /** What the codec's values are known by. */
  get content(): number {
    return this.codec.content;
  }

  /** A value as it is stored, or the refusal of one of too many bytes. Throws a TypeError for undefined, and what the codec throws. */
  encode(value: T | null): Buffer | ErrorResponse {
    if (value === undefined) throw new TypeError("the value is undefined: null is stored as no value");
    if (value === null) return enveloped(noContent, new Uint8Array(), Infinity);
    const payload: unknown = this.codec.encode(value);
    if (!types.isUint8Array(payload)) throw new TypeError("the codec must encode to a Uint8Array");
    if (payload.length > this.#maxDecodedBytes)
      return refusal(
        `the value has ${payload.length} bytes, and ${this.#maxDecodedBytes} are the most (maxDecodedBytes)`,
      );
    return enveloped(this.codec.content, payload, this.#compressAbove);
  }

  /** What is stored, as a value. Throws a CacheError, `DecodingFailed`, for what the codec does not read. */
  decode(bytes: Buffer): T | null {
    try {
      const { content, payload } = unenveloped(bytes, this.#maxDecodedBytes);
      if (content === noContent) return null;
      if (content !== this.codec.content) throw new EnvelopeError(`its content is ${content}`);
      const value = this.codec.decode(payload);
      if (value === undefined) throw new EnvelopeError("the codec made nothing of it");
      return value;
    } catch (error) {
      throw new CacheError("DecodingFailed", `what is stored is not what the codec reads: ${reasonOf(error)}`);
    }
  }
}

// Of what a codec or a check throws only the name, as its text may have the value in it (CODEC-7).
function reasonOf(error: unknown): string {
  try {
    if (error instanceof EnvelopeError) return error.message;
    return error instanceof Error ? `its codec threw ${error.constructor.name}` : "its codec threw";
  } catch {
    return "its codec threw";
  }
}

function checkedBytes(name: string, bytes: number, least: number, most: number): number {
  if (typeof bytes !== "number") throw new TypeError(`${name} must be a number of bytes`);
  if (!(bytes >= least && bytes <= most))
    throw new RangeError(`${name} must be from ${least} to ${most}, not ${bytes}`);
  return bytes;
}
