import { Buffer } from "node:buffer";

/** The size of the key and the two copies of the version. */
export const leastBytes = 12;

/**
 * Returns the value of a version of a key: the key and the version first, the version again at the end, and zeros
 * between.
 */
export function nearValue(key: number, version: number, bytes: number): Buffer {
  const value = Buffer.alloc(bytes);
  value.writeInt32LE(key, 0);
  value.writeInt32LE(version, 4);
  value.writeInt32LE(version, bytes - 4);
  return value;
}

/** Returns the version of a value, or 0 if the value is torn or belongs to another key. */
export function versionOf(value: Buffer, key: number): number {
  if (value.length < leastBytes || value.readInt32LE(0) !== key) return 0;
  const version = value.readInt32LE(4);
  return value.readInt32LE(value.length - 4) === version ? version : 0;
}
