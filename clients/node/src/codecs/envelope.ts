import { Buffer } from "node:buffer";
import { deflateSync, inflateSync } from "node:zlib";

// The first bytes of an envelope (CODEC-1). The first byte can begin neither UTF-8 text nor a MessagePack value. The
// second is the letter L, and the third is the version.
const magic = [0xc1, 0x4c, 0x01] as const;
/** The length of the header before the payload. */
const headBytes = 5;
/** The length of the field before a compressed payload. The field contains the uncompressed size. */
const lengthBytes = 4;
const uncompressed = 0;
const zlib = 1;
// The maximum and minimum size of zlib's output chunks. Within these bounds, a chunk has the declared size of the
// value, so that no memory is wasted.
const maxChunkBytes = 65_536;
const minChunkBytes = 64;

/** The content type of null (CODEC-2). */
export const noContent = 0;

/** The error for an invalid envelope. Its message contains no part of the value. */
export class EnvelopeError extends Error {}

/** The contents of an envelope. */
export interface EnvelopeContents {
  readonly content: number;
  readonly payload: Buffer;
}

/**
 * Returns an envelope with a payload. The payload is compressed if it is longer than `compressAbove` and compression
 * makes it smaller (CODEC-4).
 */
export function encodeEnvelope(content: number, payload: Uint8Array, compressAbove: number): Buffer {
  if (payload.length > compressAbove) {
    const compressed = deflateSync(payload);
    if (compressed.length + lengthBytes < payload.length) {
      const bytes = Buffer.allocUnsafe(headBytes + lengthBytes + compressed.length);
      bytes.set([...magic, content, zlib]);
      bytes.writeUInt32BE(payload.length, headBytes);
      bytes.set(compressed, headBytes + lengthBytes);
      return bytes;
    }
  }
  const bytes = Buffer.allocUnsafe(headBytes + payload.length);
  bytes.set([...magic, content, uncompressed]);
  bytes.set(payload, headBytes);
  return bytes;
}

/**
 * Returns the contents of an envelope (CODEC-5, CODEC-6).
 * @throws EnvelopeError if the envelope is invalid or its payload exceeds `maxDecodedBytes`.
 */
export function decodeEnvelope(bytes: Buffer, maxDecodedBytes: number): EnvelopeContents {
  if (bytes.length < headBytes)
    throw new EnvelopeError("the value has no envelope, because it was not stored by a typed cache");
  const [first, second, version, content, compression] = bytes as unknown as [number, number, number, number, number];
  if (first !== magic[0] || second !== magic[1])
    throw new EnvelopeError("the value has no envelope, because it was not stored by a typed cache");
  if (version !== magic[2])
    throw new EnvelopeError(
      `the value has envelope version ${version}, which this version of the client does not support`,
    );
  const payload = bytes.subarray(headBytes);
  if (content === noContent && (payload.length > 0 || compression !== uncompressed))
    throw new EnvelopeError("the envelope of a null value must have no payload and no compression");
  switch (compression) {
    case uncompressed:
      if (payload.length > maxDecodedBytes) throw tooLong(payload.length, maxDecodedBytes);
      return { content, payload };
    case zlib:
      return { content, payload: decompressed(payload, maxDecodedBytes) };
    default:
      throw new EnvelopeError(
        `the value has compression ${compression}, which this version of the client does not support`,
      );
  }
}

function decompressed(payload: Buffer, maxDecodedBytes: number): Buffer {
  if (payload.length < lengthBytes) throw new EnvelopeError("the length field of the value is truncated");
  const length = payload.readUInt32BE();
  if (length > maxDecodedBytes) throw tooLong(length, maxDecodedBytes);
  const compressed = payload.subarray(lengthBytes);
  const { buffer, engine } = inflate(compressed, length);
  // Check the number of read bytes, because zlib silently ignores bytes after the end of the stream.
  if (buffer.length !== length || engine.bytesWritten !== compressed.length)
    throw new EnvelopeError("the length of the decompressed value differs from the length field");
  return buffer;
}

// Decompresses data. Stops at the declared length. Allocates memory only for data that was decompressed.
function inflate(compressed: Buffer, length: number) {
  const chunkSize = Math.min(Math.max(length, minChunkBytes), maxChunkBytes);
  try {
    const options = { info: true, maxOutputLength: Math.max(1, length), chunkSize };
    return inflateSync(compressed, options) as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
  } catch {
    throw new EnvelopeError("the value cannot be decompressed");
  }
}

function tooLong(length: number, most: number): EnvelopeError {
  return new EnvelopeError(`the decoded value has ${length} bytes; at most ${most} are allowed (maxDecodedBytes)`);
}
