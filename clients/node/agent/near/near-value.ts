import { Buffer } from "node:buffer";

/** Room for the three numbers. */
export const leastBytes = 12;

/** The value of a key's version: both first, the version again at the end, and any bytes between. */
export function nearValue(key: number, version: number, bytes: number): Buffer {
  const value = Buffer.alloc(bytes);
  value.writeInt32LE(key, 0);
  value.writeInt32LE(version, 4);
  value.writeInt32LE(version, bytes - 4);
  return value;
}

/** The version that a value is of; 0 where it is no value of this key, or torn. */
export function versionOf(value: Buffer, key: number): number {
  if (value.length < leastBytes || value.readInt32LE(0) !== key) return 0;
  const version = value.readInt32LE(4);
  return value.readInt32LE(value.length - 4) === version ? version : 0;
}
