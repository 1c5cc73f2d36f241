import { Buffer } from "node:buffer";

/** The minimum size of a value: the key and two copies of the version, 4 bytes each. */
export const leastBytes = 12;

/**
 * Returns the value for a version of a key. The value consists of the key, the version, zeros, and the version again.
 */
export function nearValue(key: number, version: number, bytes: number): Buffer {
  const value = Buffer.alloc(bytes);
  value.writeInt32LE(key, 0);
  value.writeInt32LE(version, 4);
  value.writeInt32LE(version, bytes - 4);
  return value;
}

/**
 * Returns the version in a value. Returns 0 if the two copies of the version differ or the value belongs to another
 * key.
 */
export function versionOf(value: Buffer, key: number): number {
  if (value.length < leastBytes || value.readInt32LE(0) !== key) return 0;
  const version = value.readInt32LE(4);
  return value.readInt32LE(value.length - 4) === version ? version : 0;
}
